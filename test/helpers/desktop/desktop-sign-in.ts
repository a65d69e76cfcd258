// Signing in through the embedded window of the real app, as a user would.
import { errors, type Page } from 'playwright';
import type { CallName, CallOutput, MediadeskBridge, Reply } from '../../../shared/contract/contract.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import type { DesktopApp } from './desktop-app.ts';

const pageWithinMs = 20_000;
/** When nothing happens for this long, the form is filled in and sent again, as a user would do. */
const pressedAgainAfterMs = 4000;

export interface Library {
  baseUrl: string;
  clientId: string;
  admin: { email_address: string; password: string };
}

/** Makes a call of the contract in the page, over the real bridge. */
export async function call<N extends CallName>(
  window: Page,
  name: N,
  input: Parameters<MediadeskBridge['call']>[1],
): Promise<Reply<CallOutput<N>>> {
  const reply = await window.evaluate(
    ([callName, callInput]) => {
      const { mediadesk } = globalThis as unknown as { mediadesk: { call(name: string, input: unknown): unknown } };
      return mediadesk.call(callName as string, callInput);
    },
    [name, input] as const,
  );
  return reply as Reply<CallOutput<N>>;
}

/** Starts a sign-in over the bridge. Resolves with its window and with the promise of the reply. */
export async function openSignIn(
  desktop: DesktopApp,
  library: Pick<Library, 'baseUrl' | 'clientId'>,
): Promise<{ signIn: Page; reply: Promise<Reply<Site>> }> {
  const opened = desktop.app.waitForEvent('window', { timeout: pageWithinMs });
  const input = { baseUrl: library.baseUrl, clientId: library.clientId, browser: 'embedded' as const };
  const reply = call(desktop.window, 'sites.signIn', input);
  const failed = reply.then((early) => {
    throw new Error(`No sign-in window was opened: ${JSON.stringify(early)}`);
  });
  const signIn = await Promise.race([opened, failed]);
  failed.catch(() => undefined);
  return { signIn, reply };
}

/** Types the account into the login page and answers the consent page. The window may close before this resolves. */
export async function fillSignIn(
  signIn: Page,
  account: Library['admin'],
  decision: 'approve' | 'deny' = 'approve',
): Promise<void> {
  const choice = signIn.locator(`[name=decision][value=${decision}]`);
  const timeout = pressedAgainAfterMs;
  const logIn = async () => {
    await signIn.fill('[name=email_address]', account.email_address, { timeout });
    await signIn.fill('[name=password]', account.password, { timeout });
    await signIn.press('[name=password]', 'Enter', { timeout });
    await choice.waitFor({ timeout });
  };
  await signIn.locator('[name=email_address]').waitFor({ timeout: pageWithinMs });
  const giveUpAt = performance.now() + pageWithinMs;
  // A key before the window is shown is lost, and on a busy computer the page can be shown again, or left, while it is filled in.
  while (!(await isDone(logIn())) && !(await choice.isVisible())) {
    if (performance.now() < giveUpAt) continue;
    const shown = await signIn.locator('body').innerText({ timeout: 1000 });
    throw new Error(`No consent page at ${new URL(signIn.url()).pathname}, but: ${shown.slice(0, 500)}`);
  }
  const closed = signIn.waitForEvent('close', { timeout: pageWithinMs });
  await choice.click({ noWaitAfter: true });
  await closed;
}

/** Returns false when a time limit of Playwright has passed; throws any other error. */
async function isDone(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

/** Signs in from start to end; throws when that fails. */
export async function signIn(desktop: DesktopApp, library: Library): Promise<Site> {
  const { signIn: page, reply } = await openSignIn(desktop, library);
  await fillSignIn(page, library.admin);
  const result = await reply;
  if (!result.ok) throw new Error(`The sign-in failed: ${JSON.stringify(result.error)}`);
  return result.value;
}
