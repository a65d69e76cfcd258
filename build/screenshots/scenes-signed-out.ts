// Scenes before a sign-in: the form, its possible errors, and the library's own pages.
import { createServer } from 'node:http';
import type { Page } from 'playwright';
import { decide, openSignIn, typeCredentials, whenSignedIn } from '../demo/window-steps.ts';
import type { Studio } from './studio.ts';

/** The user is signed in at the end. */
export async function pictureSignIn(studio: Studio): Promise<void> {
  const { app, page } = await studio.open();
  await studio.take('sign-in');
  await pictureWrongAddress(studio, page);
  const { client_id: clientId, admin } = studio.service.facts;
  const signIn = await openSignIn(app, page, { baseUrl: studio.relay.baseUrl, clientId });
  await studio.take('library-login', signIn);
  await studio.take('sign-in-waiting');
  await typeCredentials(signIn, admin);
  await studio.take('library-consent', signIn);
  await decide(signIn, 'approve');
  await whenSignedIn(page);
}

async function pictureWrongAddress(studio: Studio, page: Page): Promise<void> {
  const other = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    await page.getByLabel('Library address').fill(`http://127.0.0.1:${port}`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.locator('[aria-invalid="true"]').waitFor();
    await studio.take('sign-in-no-library');
  } finally {
    other.close();
  }
}

/** Signs in without pictures, on a fresh profile, which later scenes find again by its name. */
export async function signInQuietly(studio: Studio, env: NodeJS.ProcessEnv = {}, profile?: string): Promise<Page> {
  const { app, page } = await studio.open(env, profile);
  const { client_id: clientId, admin } = studio.service.facts;
  const signIn = await openSignIn(app, page, { baseUrl: studio.relay.baseUrl, clientId });
  await typeCredentials(signIn, admin);
  await decide(signIn, 'approve');
  await whenSignedIn(page);
  return page;
}
