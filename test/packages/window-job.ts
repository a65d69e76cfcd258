// The main job in the window of an installed app, which a debugging port drives: sign in, upload one file, see it complete.
import { type BrowserContext, chromium, type Page } from 'playwright';
import {
  addDropped,
  chooseCollection,
  decide,
  dropFiles,
  listUploads,
  typeCredentials,
  whenReady,
  whenSignedIn,
} from '../../build/demo/window-steps.ts';

export interface Library {
  base_url: string;
  client_id: string;
  admin: { email_address: string; password: string };
}

const COMPLETE_WITHIN_MS = 120_000;

/** Does the job and returns the state of the upload at its end. `port`: of the debugger; `screenshot`: where to save a picture. */
export async function uploadInWindow(
  port: number,
  library: Library,
  collection: string,
  file: string,
  screenshot: string,
): Promise<string> {
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  try {
    const [context] = browser.contexts();
    const page = context?.pages()[0];
    if (context === undefined || page === undefined) throw new Error('The app shows no window.');
    await whenReady(page);
    await signIn(context, page, library);
    await chooseCollection(page, collection);
    await dropFiles(page, [file]);
    await addDropped(page);
    const state = await whenEnded(page);
    await page.screenshot({ path: screenshot });
    return state;
  } finally {
    await browser.close();
  }
}

async function signIn(context: BrowserContext, page: Page, library: Library): Promise<void> {
  await page.getByLabel('Library address').fill(library.base_url);
  await page.getByLabel('Client ID').fill(library.client_id);
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const form = await opened;
  await form.locator('[name="password"]').waitFor();
  await typeCredentials(form, library.admin);
  await decide(form, 'approve');
  await whenSignedIn(page);
}

/** Waits until the only upload has ended. */
async function whenEnded(page: Page): Promise<string> {
  const giveUpAt = Date.now() + COMPLETE_WITHIN_MS;
  for (;;) {
    const [upload] = await listUploads(page);
    if (upload !== undefined && ['complete', 'failed', 'skipped'].includes(upload.state)) return upload.state;
    if (Date.now() > giveUpAt) throw new Error(`The upload is ${upload?.state ?? 'not in the queue'}.`);
    await page.waitForTimeout(200);
  }
}
