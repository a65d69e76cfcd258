// The calendar of an account that may only read, and of one whose library was not copied yet.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { type ChangingProxy, startChangingProxy } from '../../helpers/wire/changing-proxy.ts';

const AT = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');
const REFUSAL = 'Your account isn’t allowed to publish items in this collection.';

let opened: SignedInApp;
let proxy: ChangingProxy;
let page: Page;
let path: string;

/** A library that refuses its list of items, and one in which the account may not publish. */
const withoutLists: Parameters<ChangingProxy['change']>[0] = {
  reply: (reply, { url }) => (/^\/api2\/media(\?|$)/.test(url) ? { ...reply, status: 500, body: '' } : reply),
};
const withoutPublishing: Parameters<ChangingProxy['change']>[0] = {
  reply: (reply) => ({ ...reply, body: reply.body.replaceAll('"media-publish"', '"media-view"') }),
};

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      path = await direct.createItem('Talk');
      await direct.post(`${path}/publish`, { publish_on: AT });
    },
    site: async ({ service }) => {
      proxy = await startChangingProxy(service.baseUrl);
      proxy.change(withoutLists);
      return proxy.baseUrl;
    },
  });
  page = opened.page;
}, 600_000);
afterAll(async () => {
  await opened?.close();
  await proxy?.close();
});

const main = (): Locator => page.getByRole('main', { name: 'Calendar' });
const messages = (): Locator => page.getByRole('region', { name: 'Messages' });
const entry = (title: string): Locator => main().locator('[data-item]').filter({ hasText: title });

it('a library without a copy has no calendar yet; it appears with the copy', async () => {
  await openView(page, 'Calendar');
  await page.getByRole('heading', { name: 'The calendar needs a copy of the library' }).waitFor();
  expect(await axeFindingsInThemes(page)).toEqual([]);
  proxy.change(withoutPublishing);
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  await ask(page, 'library.syncNow', { siteId: site?.id ?? '' });
  await entry('Talk').waitFor();
});

it('an account that may not publish can’t move an item, by mouse or by keyboard, and sees why', async () => {
  await entry('Talk').click();
  await entry('Talk').press('Alt+ArrowRight');
  await messages().getByText(REFUSAL).waitFor();
  await messages().getByRole('button', { name: 'Dismiss' }).first().click();
  await messages().getByText(REFUSAL).waitFor({ state: 'detached' });
  const from = await entry('Talk').boundingBox();
  if (from === null) throw new Error('It is not on the screen.');
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 20, from.y + 120, { steps: 5 });
  await messages().getByText(REFUSAL).waitFor();
  expect(await main().locator('[data-over]').count()).toBe(0);
  await page.mouse.up();
  expect((await opened.direct.get(path)).body).toMatchObject({ status: 'scheduled', publish_on: AT });
  await entry('Talk').click({ button: 'right' });
  expect(await page.getByRole('menuitem', { name: 'Schedule…' }).textContent()).toContain(REFUSAL);
  await page.keyboard.press('Escape');
});
