// The window while the copy of a large library is created for the first time: the list can be used, and the progress is visible.
import { afterAll, expect, it } from 'vitest';
import { ask } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';

const ITEMS = 4000;

let opened: SignedInApp | undefined;
afterAll(() => opened?.close());

it('the library shows items, opens one, and shows the progress of the first sync before the sync ends', async () => {
  opened = await openSignedInApp({
    service: { seed: `bulk:${ITEMS}:10` },
    // Each page of the listing takes a while, as in a large library.
    prepare: async ({ service }) => {
      const fault = { method: 'GET', path: '^/api2/media$', times: null, action: { kind: 'delay', ms: 400 } };
      await service.control('POST', '/faults', fault);
    },
  });
  const { page, service } = opened;
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  const status = () => ask<CallOutput<'library.syncStatus'>>(page, 'library.syncStatus', { siteId: site?.id ?? '' });
  const list = page.getByRole('grid', { name: 'Items' });
  await list.getByRole('row').nth(5).waitFor();
  await page.getByText(/^Syncing [\d,]+ of [\d,]+/).waitFor();
  await list.getByRole('row').nth(3).click();
  await expect
    .poll(() => page.locator('[data-inspector]').getByLabel('Title', { exact: true }).inputValue())
    .not.toBe('');
  // All of these steps happened during the first sync.
  const during = await status();
  expect(during).toMatchObject({ phase: 'first-sync', total: ITEMS });
  expect(during.items).toBeLessThan(ITEMS);
  await service.control('DELETE', '/faults');
  await expect.poll(async () => (await status()).phase, { timeout: 300_000 }).toBe('ready');
  expect((await status()).items).toBe(ITEMS);
  await page.getByText(/^Library up to date/).waitFor();
}, 600_000);
