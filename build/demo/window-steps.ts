// The actions of a user in the window, done by Playwright: signing in, choosing a collection, dropping files, watching.
import type { ElectronApplication, Page } from 'playwright';

export interface Credentials {
  email_address: string;
  password: string;
}

/** A row of the upload queue, limited to the facts that the steps need. */
export interface SeenUpload {
  id: string;
  fileName: string;
  path: string;
  state: string;
  fileId: string | null;
  mediaId: string | null;
  sha256: string | null;
  sizeBytes: number;
  siteId: string;
  /** Captions and other files that belong to the recording. */
  followUps: readonly { kind: string; state: string; fileName: string }[];
}

/** Calls the engine through the window's own bridge: the screen shows the same answers. */
export async function ask<T>(page: Page, name: string, input: unknown): Promise<T> {
  const reply = await page.evaluate(
    ([call, data]) => {
      const { mediadesk } = window as unknown as {
        mediadesk: { call(name: string, input: unknown): Promise<unknown> };
      };
      return mediadesk.call(call as string, data);
    },
    [name, input] as const,
  );
  const { ok, value, error } = reply as { ok: boolean; value: T; error: { code: string; message: string } };
  if (!ok) throw new Error(`${name}: ${error.code}: ${error.message}`);
  return value;
}

/** Waits until the window shows the real state. */
export async function whenReady(page: Page): Promise<void> {
  await page.locator('html[data-ready="true"]').waitFor({ state: 'attached' });
}

/** Fills in the sign-in form where it is not preset, and opens the library's own page. */
export async function openSignIn(
  app: ElectronApplication,
  page: Page,
  library: { baseUrl: string; clientId: string },
): Promise<Page> {
  const address = page.getByLabel('Library address');
  if ((await address.inputValue()) !== library.baseUrl) await address.fill(library.baseUrl);
  const client = page.getByLabel('Client ID');
  if ((await client.inputValue()) !== library.clientId) await client.fill(library.clientId);
  const opened = app.waitForEvent('window');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const signIn = await opened;
  await signIn.locator('[name="password"]').waitFor();
  return signIn;
}

/** Types e-mail address and password, as far as the consent form. */
export async function typeCredentials(signIn: Page, who: Credentials): Promise<void> {
  await signIn.locator('[name="email_address"]').pressSequentially(who.email_address);
  await signIn.locator('[name="password"]').pressSequentially(who.password);
  await signIn.keyboard.press('Enter');
  await signIn.locator('[name="decision"][value="approve"]').waitFor();
}

/** Answers the consent form; the window closes automatically. */
export async function decide(signIn: Page, decision: 'approve' | 'deny'): Promise<void> {
  const closed = signIn.waitForEvent('close');
  // The page closes while Playwright still waits for the click to end.
  await signIn
    .locator(`[name="decision"][value="${decision}"]`)
    .click({ noWaitAfter: true })
    .catch(() => undefined);
  await closed;
}

/** Waits until the library is shown. */
export async function whenSignedIn(page: Page): Promise<void> {
  await page.getByRole('tree', { name: 'Collections' }).getByRole('treeitem').first().waitFor();
}

/** Opens one of the views in the sidebar. */
export async function openView(
  page: Page,
  name: 'All items' | 'Calendar' | 'Uploads' | 'Edits' | 'Watched folders' | 'Receipts' | 'Settings',
): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click();
  // Otherwise, the next Escape would close the tooltip of the button under the mouse.
  await page.mouse.move(400, 1);
}

/** Finds a collection by its name and opens it. */
export async function chooseCollection(page: Page, name: string): Promise<void> {
  const search = page.getByRole('searchbox', { name: 'Find a collection' });
  await search.fill(name);
  const found = page.getByRole('tree', { name: 'Collections' }).getByRole('treeitem');
  await found.filter({ hasText: name }).first().click();
  await search.fill('');
  await search.blur();
  await page.getByRole('heading', { name, exact: true }).first().waitFor();
}

/**
 * Drags files and folders of this computer over the window, and drops them. `beforeDrop` runs before the drop. `at`: the position
 * as a share of the window.
 */
export async function dropFiles(
  page: Page,
  paths: readonly string[],
  beforeDrop?: () => Promise<void>,
  at = { x: 0.55, y: 0.5 },
): Promise<void> {
  const { width, height } = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
  const point = { x: Math.round(width * at.x), y: Math.round(height * at.y) };
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  const devtools = await page.context().newCDPSession(page);
  try {
    await devtools.send('Input.dispatchDragEvent', { type: 'dragEnter', ...point, data });
    await devtools.send('Input.dispatchDragEvent', { type: 'dragOver', ...point, data });
    await beforeDrop?.();
    await devtools.send('Input.dispatchDragEvent', { type: 'drop', ...point, data });
  } finally {
    await devtools.detach();
  }
}

/** Chooses that captions and pictures beside a recording are added as separate items. */
export async function keepSidecarsApart(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^More options/ }).click();
  await page.getByText('Upload captions and thumbnails beside recordings').click();
}

/** Chooses that files are sent even if the collection already contains them. */
export async function sendDuplicates(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^More options/ }).click();
  await page.getByRole('radiogroup', { name: 'Duplicates' }).getByText('Upload anyway').click();
}

/** Expands every batch in the list of uploads; finished batches are collapsed at first. */
export async function expandBatches(page: Page): Promise<void> {
  const batches = page.locator('[role="treegrid"] [role="row"][aria-level="1"]');
  await batches.first().waitFor();
  const collapsed = page.locator('[role="treegrid"] [role="row"][aria-level="1"][aria-expanded="false"]');
  while ((await collapsed.count()) > 0) await collapsed.first().click({ position: { x: 60, y: 20 } });
}

/** Confirms the sheet about dropped files, and opens the queue. */
export async function addDropped(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add to the queue' }).click();
  await page.locator('[data-upload-id]').first().waitFor();
}

/** All uploads of the profile. */
export async function listUploads(page: Page): Promise<SeenUpload[]> {
  const query = { filter: 'all', batchId: null, offset: 0, limit: 500 };
  return (await ask<{ rows: SeenUpload[] }>(page, 'uploads.list', query)).rows;
}
