// The time of a publication in the real window: hours that a change of clocks skips, and clocks that differ.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, chooseCollection, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { axeFindings } from '../../helpers/desktop/axe.ts';
import { enterTime } from '../../helpers/desktop/enter-time.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import { type ChangingProxy, startChangingProxy } from '../../helpers/wire/changing-proxy.ts';

let opened: SignedInApp;
let proxy: ChangingProxy;

beforeAll(async () => {
  opened = await openSignedInApp({
    prepare: async ({ direct }) => {
      const made = await direct.post('/api2/collections', { display_name: 'Season', parent_id: '1' });
      await direct.createItem('Talk', { collection_id: made.location.split('/').at(-1) ?? '' });
    },
    site: async ({ service }) => {
      proxy = await startChangingProxy(service.baseUrl);
      return proxy.baseUrl;
    },
  });
  await openView(opened.page, 'All items');
  await chooseCollection(opened.page, 'Season');
  await opened.page.getByRole('grid', { name: 'Items' }).getByText('Talk').click();
});
afterAll(async () => {
  await opened?.close();
  await proxy?.close();
});

const inspector = () => opened.page.getByRole('region', { name: 'Inspector' });
const openSchedule = () => inspector().getByRole('button', { name: 'Schedule…' }).click();
const cancel = () => inspector().getByRole('button', { name: 'Cancel' }).click();

/** Sets how far the library's clock is ahead of the clock of this computer; negative: behind it. */
async function moveLibraryClock(bySeconds: number): Promise<void> {
  const date = () => new Date(Date.now() + bySeconds * 1000).toUTCString();
  proxy.change({ reply: (reply) => ({ ...reply, headers: { ...reply.headers, date: date() } }) });
  const [site] = await ask<CallOutput<'sites.list'>>(opened.page, 'sites.list', null);
  // Every reply has the time in its Date header.
  await ask(opened.page, 'library.syncNow', { siteId: site?.id ?? '' });
}

it.each([
  [-115, null],
  [-125, /clock is 2 minutes ahead of the library’s/],
  [125, /clock is 2 minutes behind the library’s/],
  [-300, /clock is 5 minutes ahead of the library’s/],
  [300, /clock is 5 minutes behind the library’s/],
])('the form for a publish time warns from a clock difference of two minutes on (%i s)', async (seconds, warning) => {
  await moveLibraryClock(seconds);
  await openSchedule();
  await inspector().getByRole('group', { name: 'Publish at' }).waitFor();
  const notice = inspector().getByRole('note');
  if (warning === null) {
    // The window made this call earlier: its reply has arrived before the reply to this call, and is painted two frames later.
    const [site] = await ask<CallOutput<'sites.list'>>(opened.page, 'sites.list', null);
    await ask(opened.page, 'sites.clock', { siteId: site?.id ?? '' });
    await opened.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    expect(await notice.count()).toBe(0);
  } else await notice.filter({ hasText: warning }).waitFor();
  await cancel();
});

it('choosing a day in the calendar by keyboard keeps the time of day', async () => {
  await moveLibraryClock(0);
  await openSchedule();
  const field = inspector().getByRole('group', { name: 'Publish at' });
  await enterTime(field, '2031-03-20T09:15');
  // Backspace changes 15 to 1, then to nothing. An empty part gets its last value, 1, again when the focus leaves it.
  const minute = field.getByRole('spinbutton').last();
  // This system's locale has 24 hours: the minute is the last part.
  expect(await minute.textContent()).toBe('15');
  await minute.press('Backspace');
  await minute.press('Backspace');
  await expect.poll(() => minute.textContent()).toBe('––');
  await field.getByRole('button', { name: 'Choose in a calendar' }).press('Enter');
  await expect.poll(() => minute.textContent()).toBe('01');
  const calendar = opened.page.getByRole('dialog').getByRole('grid', { name: 'March 2031' });
  await calendar.waitFor();
  expect(await axeFindings(opened.page, 'all')).toEqual([]);
  await opened.page.keyboard.press('ArrowRight');
  await opened.page.keyboard.press('PageDown');
  await opened.page.keyboard.press('Enter');
  await calendar.waitFor({ state: 'detached' });
  await inspector()
    .getByText(/21 Apr 2031, 09:01/)
    .waitFor();
  await cancel();
});

it('a publish time that the clock change skips is scheduled only after the user chooses one of two instants', async () => {
  await moveLibraryClock(0);
  await openSchedule();
  await inspector().getByRole('combobox', { name: 'Time zone' }).fill('vienna');
  await opened.page.getByRole('option', { name: 'Europe/Vienna' }).click();
  await enterTime(inspector().getByRole('group', { name: 'Publish at' }), '2031-03-30T02:30');
  await inspector().getByText('Choose one of the two times.').waitFor();
  const schedule = inspector().getByRole('button', { name: 'Schedule', exact: true });
  expect(await schedule.isEnabled()).toBe(false);
  await inspector()
    .getByText(/03:30.*\(UTC\+2\)/)
    .click();
  await schedule.click();
  await inspector()
    .getByText(/Will be published/)
    .waitFor();
  const { body } = await opened.direct.get('/api2/media');
  expect(body.items).toMatchObject([{ status: 'scheduled', publish_on: '2031-03-30T01:30:00Z' }]);
});
