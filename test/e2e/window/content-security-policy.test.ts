// The real screens under the real content security policy: the policy blocks nothing in any screen.
import type { ConsoleMessage } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DesktopApp, launchApp } from '../../helpers/desktop/desktop-app.ts';
import { call, signIn } from '../../helpers/desktop/desktop-sign-in.ts';
import { type ServiceProcess, startService } from '../../helpers/service/service-process.ts';

let desktop: DesktopApp;
let service: ServiceProcess;
const complaints: string[] = [];

beforeAll(async () => {
  service = await startService({ seed: 'demo' });
  desktop = await launchApp();
  desktop.window.on('pageerror', (error) => complaints.push(String(error)));
  desktop.window.on('console', (message: ConsoleMessage) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
});
afterAll(async () => {
  await desktop?.close();
  await service?.stop();
});

function choose(command: string): Promise<void> {
  return desktop.app.evaluate(({ Menu }, id) => {
    Menu.getApplicationMenu()?.getMenuItemById(id)?.click();
  }, command);
}

it('no view, light or dark, causes a report of the content security policy', async () => {
  // The page loads again, because the test did not listen yet when it loaded first.
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.reload());
  await desktop.window.locator('html[data-ready]').waitFor();
  await signIn(desktop, service);
  for (const theme of ['light', 'dark'] as const) {
    expect(await call(desktop.window, 'shell.setTheme', { theme })).toEqual({ ok: true, value: null });
    await desktop.window.waitForFunction((name) => matchMedia(`(prefers-color-scheme: ${name})`).matches, theme);
    for (const command of [
      'show-uploads',
      'show-receipts',
      'show-settings',
      'check-uploads',
      'show-library',
      'about',
    ]) {
      await choose(command);
      // Two frames: the view is rendered and painted.
      await desktop.window.evaluate(
        () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
      );
    }
    await desktop.window.keyboard.press('Escape');
    // Component libraries often add style elements of their own in menus and dialogs.
    await desktop.window.locator('[aria-haspopup]:visible').first().click();
    await desktop.window.keyboard.press('Escape');
    await desktop.window.keyboard.press('Control+k');
    const palette = desktop.window.getByRole('dialog', { name: 'Commands' });
    await palette.waitFor();
    await desktop.window.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
  }
  expect(complaints).toEqual([]);
});
