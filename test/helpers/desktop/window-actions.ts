// What several end-to-end tests do in the window besides the steps of `build/demo/window-steps.ts`.
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
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type(command);
  await page.getByRole('option', { name: command }).first().waitFor();
  await page.keyboard.press('Enter');
}
