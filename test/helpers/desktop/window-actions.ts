// What several end-to-end tests do in the window besides the steps of `build/demo/window-steps.ts`.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import type { DesktopApp } from './desktop-app.ts';

/** Waits until a message was announced to screen readers. */
export function announced(page: Page, text: string | RegExp, timeoutMs?: number): Promise<void> {
  const message = page.getByTestId('announcements').filter({ hasText: text });
  return message.waitFor({ state: 'attached', ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }) });
}

/** The next native dialogs that save or choose a file answer with this path: Playwright can't reach them. */
export async function answerNativeDialogs({ app }: DesktopApp, path: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    Object.assign(dialog, {
      showSaveDialog: async () => ({ canceled: false, filePath: chosen }),
      showOpenDialog: async () => ({ canceled: false, filePaths: [chosen] }),
    });
  }, path);
}

/** Runs a command of the palette by keyboard. */
export async function runInPalette(page: Page, command: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').waitFor();
  await whenOverlayFocused(page);
  await page.keyboard.type(command);
  await page.getByRole('option', { name: command, selected: true }).waitFor();
  await page.keyboard.press('Enter');
}

/** Waits until the open dialog or menu has the focus: a key before that goes to what had it before. */
export async function whenOverlayFocused(page: Page): Promise<void> {
  await page.locator(':is([role="dialog"], [role="alertdialog"], [role="menu"]):focus-within').first().waitFor();
}

/**
 * Presses Ctrl with a key as the system delivers it, in the window with this title if there is one. The shell handles the zoom keys
 * before the page sees them; keys of Playwright come in behind that.
 */
export async function pressSystemKey({ app }: DesktopApp, keyCode: string, title?: string): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, key) => {
      const windows = BrowserWindow.getAllWindows();
      const window =
        windows.find((each) => key.title !== undefined && each.getTitle().includes(key.title)) ?? windows[0];
      window?.webContents.sendInputEvent({ type: 'keyDown', keyCode: key.keyCode, modifiers: ['control'] });
    },
    { keyCode, title },
  );
}

/** Gives the window a size in pixels and a zoom factor, and waits until the page has them. */
export async function setWindow({ app, window }: DesktopApp, width: number, height: number, zoom = 1): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, wanted) => {
      const [target] = BrowserWindow.getAllWindows();
      target?.setContentSize(wanted.width, wanted.height);
      target?.webContents.setZoomFactor(wanted.zoom);
    },
    { width, height, zoom },
  );
  await window.waitForFunction((wanted) => Math.abs(innerWidth - wanted) <= 2, width / zoom);
}

/** Chooses a collection in the field of the open form. */
export async function chooseCollectionInForm(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Collection' }).fill(name);
  await page.getByRole('option').filter({ hasText: name }).first().click();
}

/** Chooses an option of the field that has the focus: types its name, and takes the first match. */
export async function chooseByKeyboard(page: Page, name: string): Promise<void> {
  await page.keyboard.type(name);
  const matches = page.getByRole('option').filter({ hasText: name });
  await matches.first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

/** Keeps a picture of the whole window, at any zoom, in the folder that `MEDIADESK_WALK_PICTURES` names. */
export async function keepPicture({ app }: DesktopApp, name: string): Promise<void> {
  const folder = process.env.MEDIADESK_WALK_PICTURES;
  if (folder === undefined) return;
  const png = await app.evaluate(async ({ BrowserWindow }) => {
    const image = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage();
    return image?.toPNG().toString('base64') ?? '';
  });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.png`), Buffer.from(png, 'base64'));
}
