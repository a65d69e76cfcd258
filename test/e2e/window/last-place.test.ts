// The window after a restart, with two accounts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, decide, openSignIn, typeCredentials, whenSignedIn } from '../../../build/demo/window-steps.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

let opened: SignedInApp;
beforeAll(async () => {
  opened = await openSignedInApp({ service: { seed: 'demo' } });
});
afterAll(() => opened?.close());

it('returns to the account and the collection that were open last when Mediadesk starts again', async () => {
  const { desktop, page, service, reopen } = opened;
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign in to another account…' }).click();
  const sheet = await openSignIn(desktop.app, page, service);
  await typeCredentials(sheet, { email_address: 'editor@library.example', password: service.admin.password });
  await decide(sheet, 'approve');
  const shownAccount = (of: typeof page) => of.getByRole('button', { name: /^Account/ }).textContent();
  await expect.poll(() => shownAccount(page)).not.toContain('Ada');
  const account = await shownAccount(page);
  await whenSignedIn(page);
  const line = page.getByRole('treeitem').filter({ hasText: 'Physics' }).last();
  await line.click();
  await expect.poll(() => line.getAttribute('aria-selected')).toBe('true');

  const again = await reopen();
  expect(await ask<unknown[]>(again.page, 'sites.list', null)).toHaveLength(2);
  expect(await shownAccount(again.page)).toBe(account);
  const selected = again.page.locator('[role="treeitem"][aria-selected="true"]').filter({ hasText: 'Physics' });
  await selected.waitFor();
  await again.page.getByRole('heading', { name: 'Physics' }).first().waitFor();
});
