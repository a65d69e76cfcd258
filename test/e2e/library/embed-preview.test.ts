// The preview of an embedded player: a window of its own, which can't reach the engine.
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
let page: Page;

beforeAll(async () => {
  opened = await openSignedInApp({
    service: { seed: 'empty' },
    prepare: ({ direct }) => direct.createItem('Talk <b>about</b> players'),
  });
  ({ page } = opened);
  await page.getByRole('grid', { name: 'Items' }).getByRole('row').filter({ hasText: 'Talk' }).click();
});
afterAll(() => opened?.close());

const button = () => page.locator('[data-inspector]').getByRole('button', { name: 'Preview player' });

it('shows the player as a viewer sees it, in the chosen size, without a way to the engine or to other pages', async () => {
  const shown = opened.desktop.app.waitForEvent('window');
  await button().scrollIntoViewIfNeeded();
  await button().click();
  const player = await shown;
  await player.waitForLoadState();
  expect(new URL(player.url()).origin).toBe(new URL(opened.service.baseUrl).origin);
  expect(await player.evaluate(() => 'mediadesk' in window)).toBe(false);
  const [facts] = await opened.desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .filter((each) => each.getTitle().startsWith('Player:'))
      .map((each) => ({ title: each.getTitle(), size: each.getContentSize() })),
  );
  expect(facts).toEqual({ title: 'Player: Talk <b>about</b> players', size: [400, 225] });
  const before = player.url();
  await player.evaluate(() => {
    location.href = 'https://example.com/';
  });
  await player.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  expect(player.url()).toBe(before);
  await player.close();
});

it('says that the library can’t be reached, and opens no window', async () => {
  await opened.service.stop();
  await button().click();
  await page.locator('[data-inspector]').getByRole('alert').getByText('can’t').waitFor();
  expect(await opened.desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});
