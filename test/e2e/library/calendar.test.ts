// The calendar of publish dates by mouse and by keyboard, in the real app with the real service.
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, openView } from '../../../build/demo/window-steps.ts';
import type { CallOutput } from '../../../shared/contract/contract.ts';
import { dayBy, monthBy, weekdayOf } from '../../../shared/model/calendar/calendar-days.ts';
import { localDayAndTime, timeOnDay } from '../../../shared/model/calendar/calendar-times.ts';
import { axeFindings, axeFindingsInThemes } from '../../helpers/desktop/axe.ts';
import { openSignedInApp, type SignedInApp } from '../../helpers/desktop/signed-in-app.ts';
import type { ServiceClient } from '../../helpers/service/service-client.ts';

const ZONE = 'Europe/Vienna';
const MANY = 2000;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const today = localDayAndTime(Date.now(), ZONE).day;
/** Days in the middle of the next month: all of them are in the future, and visible together. */
const month = monthBy(today, 1).slice(0, 7);
const day = (date: number) => `${month}-${String(date).padStart(2, '0')}`;
const at = (on: string, time: string) => new Date(timeOnDay(on, time, ZONE).at).toISOString().replace('.000Z', 'Z');
const fullDay = (on: string) =>
  `${WEEKDAYS[weekdayOf(on)]} ${Number(on.slice(8))} ${MONTHS[Number(on.slice(5, 7)) - 1]} ${on.slice(0, 4)}`;
const shortDay = (on: string) =>
  `${WEEKDAYS[weekdayOf(on)]?.slice(0, 3)} ${Number(on.slice(8))} ${MONTHS[Number(on.slice(5, 7)) - 1]?.slice(0, 3)} ${on.slice(0, 4)}`;

let opened: SignedInApp;
let direct: ServiceClient;
let page: Page;
const paths: Record<string, string> = {};

beforeAll(async () => {
  opened = await openSignedInApp({
    launch: { env: { TZ: ZONE }, size: { width: 1280, height: 800 } },
    prepare: async (library) => {
      direct = library.direct;
      await schedule('Talk', day(10), '09:30');
      paths.Sketch = await direct.createItem('Sketch');
      paths.Plan = await direct.createItem('Plan');
      paths.Live = await direct.createItem('Live');
      await direct.post(`${paths.Live}/publish`, {});
      const numbers = Array.from({ length: MANY }, (_, index) => index);
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) {
            await schedule(`Take ${number}`, day(20), '12:00');
          }
        }),
      );
    },
  });
  page = opened.page;
  await openMonth();
}, 600_000);
afterAll(() => opened?.close());

async function schedule(title: string, on: string, time: string): Promise<void> {
  const path = await direct.createItem(title);
  await direct.post(`${path}/publish`, { publish_on: at(on, time) });
  paths[title] = path;
}

/** Opens the calendar at the next month, when this computer has a copy of the library. */
async function openMonth(): Promise<void> {
  const [site] = await ask<CallOutput<'sites.list'>>(page, 'sites.list', null);
  await ask(page, 'library.syncNow', { siteId: site?.id ?? '' });
  await openView(page, 'Calendar');
  await page.getByRole('button', { name: 'Next month' }).click();
  await page.getByRole('grid', { name: `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}` }).waitFor();
}

const main = (): Locator => page.getByRole('main', { name: 'Calendar' });
const cell = (on: string): Locator => main().locator(`[role="gridcell"][data-day="${on}"]`);
const hour = (on: string, name: number): Locator => main().locator(`[data-day="${on}"][data-hour="${name}"]`);
const entry = (title: string): Locator => main().locator('[data-item]').filter({ hasText: title });
const undated = (title: string): Locator => page.getByRole('region', { name: 'Items without a date' }).getByText(title);
const messages = (): Locator => page.getByRole('region', { name: 'Messages' });
const soon = <T>(read: () => Promise<T> | T) => expect.poll(read, { timeout: 30_000 });
const stored = async (title: string) => {
  const { status, publish_on: publishOn } = (await direct.get(paths[title] ?? '')).body;
  return [status, publishOn];
};
/** The number of edits so far. */
const edits = async () => (await ask<CallOutput<'edits.groups'>>(page, 'edits.groups', { isOpen: false })).total;
const focused = () =>
  page.evaluate(() => {
    const element = document.activeElement;
    const item = element?.closest<HTMLElement>('[data-item]');
    const slot = element?.closest<HTMLElement>('[data-day]');
    return [slot?.dataset.day, item?.querySelector('span:nth-of-type(2)')?.textContent];
  });

/** Drags an item to a place with the real mouse. */
async function drag(from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await centerOf(from), await centerOf(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 10, start.y + 3);
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

async function centerOf(place: Locator): Promise<{ x: number; y: number }> {
  await place.scrollIntoViewIfNeeded();
  const box = await place.boundingBox();
  if (box === null) throw new Error('It is not on the screen.');
  return { x: box.x + box.width / 2, y: box.y + box.height - 8 };
}

describe('the calendar', () => {
  it('shows each item on its day with its state, has names for screen readers, and no finding of axe', async () => {
    await main()
      .getByRole('gridcell', { name: `${fullDay(day(10))}, 1 item` })
      .getByText('Talk')
      .waitFor();
    expect(await entry('Talk').textContent()).toContain('Scheduled');
    expect(await entry('Talk').getAttribute('title')).toBe('09:30, Talk, Scheduled');
    await page.getByText('Times in Europe/Vienna').waitFor();
    await undated('Sketch').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
  });

  it('selects an item for the inspector at a click', async () => {
    await entry('Talk').click();
    await page.locator('[data-inspector]').getByRole('heading', { name: 'Talk' }).waitFor();
    await soon(() => entry('Talk').getAttribute('aria-pressed')).toBe('true');
  });

  it('reschedules an item that is dragged to another day, at the same time of day, and undoes it', async () => {
    await drag(entry('Talk'), cell(day(12)));
    const message = messages().getByText(`Rescheduled “Talk” to ${shortDay(day(12))}, 09:30.`);
    await message.waitFor();
    await cell(day(12)).getByText('Talk').waitFor();
    await soon(() => stored('Talk')).toEqual(['scheduled', at(day(12), '09:30')]);
    await messages().getByRole('button', { name: 'Undo' }).click();
    await cell(day(10)).getByText('Talk').waitFor();
    await soon(() => stored('Talk')).toEqual(['scheduled', at(day(10), '09:30')]);
  });

  it('changes nothing when Escape ends a drag', async () => {
    const before = await edits();
    const [start, end] = [await centerOf(entry('Talk')), await centerOf(cell(day(13)))];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y, { steps: 4 });
    await main()
      .locator(`[data-over][data-day="${day(13)}"]`)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await main().locator('[data-over]').waitFor({ state: 'detached' });
    await cell(day(10)).getByText('Talk').waitFor();
    // The next move is the first edit since then.
    await drag(entry('Talk'), cell(day(12)));
    await soon(() => stored('Talk')).toEqual(['scheduled', at(day(12), '09:30')]);
    expect(await edits()).toBe(before + 1);
    await messages().getByRole('button', { name: 'Undo' }).last().click();
    await cell(day(10)).getByText('Talk').waitFor();
    await soon(() => stored('Talk')).toEqual(['scheduled', at(day(10), '09:30')]);
  });

  it('schedules a draft that is dragged from the list of items without a date, and makes it a draft again', async () => {
    await drag(undated('Sketch'), cell(day(13)));
    await messages()
      .getByText(`Scheduled “Sketch” for ${shortDay(day(13))}, 09:00.`)
      .waitFor();
    await soon(() => stored('Sketch')).toEqual(['scheduled', at(day(13), '09:00')]);
    await cell(day(13)).getByText('Sketch').waitFor();
    await messages().getByRole('button', { name: 'Undo' }).last().click();
    await soon(async () => (await stored('Sketch'))[0]).toBe('draft');
  });

  it('moves the keyboard through days with the arrow keys, into a day with Enter, and has one stop for Tab', async () => {
    await cell(day(9)).focus();
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toEqual([day(10), undefined]);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toEqual([day(17), undefined]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    expect(await focused()).toEqual([day(10), 'Talk']);
    await page.keyboard.press('Escape');
    expect(await focused()).toEqual([day(10), undefined]);
    const monday = dayBy(day(10), -((weekdayOf(day(10)) + 6) % 7));
    await page.keyboard.press('Home');
    expect(await focused()).toEqual([monday, undefined]);
    await page.keyboard.press('End');
    expect(await focused()).toEqual([dayBy(monday, 6), undefined]);
    expect(await main().locator('[role="grid"]').first().locator('[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('PageDown');
    await soon(async () => (await focused())[0]?.slice(0, 7)).toBe(monthBy(day(10), 1).slice(0, 7));
    await page.keyboard.press('PageUp');
    await soon(async () => (await focused())[0]?.slice(0, 7)).toBe(month);
  });

  it('reschedules with Alt and arrow keys; the focus stays with the item; Ctrl+Z undoes it', async () => {
    await cell(day(10)).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Alt+ArrowRight');
    await soon(focused).toEqual([day(11), 'Talk']);
    await messages()
      .getByText(`Rescheduled “Talk” to ${shortDay(day(11))}, 09:30.`)
      .waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await soon(focused).toEqual([day(18), 'Talk']);
    await soon(() => stored('Talk')).toEqual(['scheduled', at(day(18), '09:30')]);
    await messages()
      .getByText(`Rescheduled “Talk” to ${shortDay(day(18))}, 09:30.`)
      .waitFor();
    await page.keyboard.press('Control+z');
    await soon(() => stored('Talk')).toEqual(['scheduled', at(day(11), '09:30')]);
    await page.keyboard.press('Control+z');
    await soon(() => stored('Talk')).toEqual(['scheduled', at(day(10), '09:30')]);
    await cell(day(10)).getByText('Talk').waitFor();
  });

  it('opens the existing dialog from the menu of an item', async () => {
    await cell(day(10)).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Schedule…' }).click();
    await page.getByRole('dialog').getByRole('group', { name: 'Publish at' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('says why a published item and a time that has passed can’t be moved', async () => {
    await page.getByRole('button', { name: 'Today' }).click();
    await entry('Live').waitFor();
    // Of these days, at least one is visible.
    const [before, after] = [cell(dayBy(today, -1)), cell(dayBy(today, 1))];
    await drag(entry('Live'), (await after.count()) > 0 ? after : before);
    await messages().getByText('“Live” is published, so it can’t be moved to another day.').waitFor();
    expect((await stored('Live'))[0]).toBe('published');
    await page.getByRole('button', { name: 'Previous month' }).click();
    const past = `${monthBy(today, -1).slice(0, 7)}-10`;
    await drag(undated('Plan'), cell(past));
    await messages()
      .getByText(`“Plan” can’t be scheduled for ${shortDay(past)}, 09:00, because that time has passed.`)
      .waitFor();
    expect((await stored('Plan'))[0]).toBe('draft');
    await page.getByRole('button', { name: 'Today' }).click();
    await page.getByRole('button', { name: 'Next month' }).click();
    await cell(day(10)).getByText('Talk').waitFor();
  });

  it('lists all items of a day that has 2,000 of them', async () => {
    await main()
      .getByRole('gridcell', { name: `${fullDay(day(20))}, 2,000 items` })
      .waitFor();
    await cell(day(20))
      .getByRole('button', { name: /^\+1,99\d more$/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: `${fullDay(day(20))} · 2,000 items` }).waitFor();
    const list = dialog.getByRole('grid');
    await soon(() => list.getAttribute('aria-rowcount')).toBe('2000');
    expect(await list.locator('[data-index]').count()).toBeLessThan(60);
    await list.focus();
    await page.keyboard.press('End');
    await list.locator('[data-index="1999"]').getByText('Take').waitFor();
    expect(await axeFindings(page, 'all')).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('moves an item to an hour of another day in the week', async () => {
    await cell(day(10)).focus();
    await page.getByText('Week', { exact: true }).click();
    const beside = weekdayOf(day(10)) === 0 ? dayBy(day(10), -1) : dayBy(day(10), 1);
    await hour(day(10), 9).getByText('Talk').waitFor();
    await drag(entry('Talk'), hour(beside, 11));
    await soon(() => stored('Talk')).toEqual(['scheduled', at(beside, '11:30')]);
    await hour(beside, 11).getByText('Talk').waitFor();
    expect(await axeFindingsInThemes(page)).toEqual([]);
    await entry('Talk').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await messages()
      .getByText(`Rescheduled “Talk” to ${shortDay(beside)}, 10:30.`)
      .waitFor();
    await page.keyboard.press('Control+z');
    await soon(() => stored('Talk')).toEqual(['scheduled', at(beside, '11:30')]);
    await page.keyboard.press('Control+z');
    await soon(() => stored('Talk')).toEqual(['scheduled', at(day(10), '09:30')]);
    await page.getByText('Month', { exact: true }).click();
    await cell(day(10)).getByText('Talk').waitFor();
  });

  it('shows only the items of a collection and below it', async () => {
    const made = await direct.post('/api2/collections', { display_name: 'Season', parent_id: '1' });
    const path = await direct.createItem('Premiere', { collection_id: made.location.split('/').at(-1) ?? '' });
    await direct.post(`${path}/publish`, { publish_on: at(day(10), '20:00') });
    await page.keyboard.press('F5');
    await cell(day(10)).getByText('Premiere').waitFor();
    await page.getByRole('button', { name: 'Collection: All collections' }).click();
    const field = page.getByRole('combobox', { name: 'Collection' });
    await field.fill('Season');
    await page.getByRole('option', { name: /Season/ }).click();
    await entry('Talk').waitFor({ state: 'detached' });
    await cell(day(10)).getByText('Premiere').waitFor();
    await page.getByRole('button', { name: 'Collection: Season' }).click();
    const all = page.getByRole('button', { name: 'Show all collections' });
    await all.click();
    await cell(day(10)).getByText('Talk').waitFor();
    // While it closes, the key of the next test would do nothing.
    await all.waitFor({ state: 'detached' });
  });

  it('moves an item forward on a day on which clocks skip its time, and says so', async () => {
    // The next day with 23 hours.
    let spring = day(12);
    while (timeOnDay(spring, '02:30', ZONE).skipped === null) spring = dayBy(spring, 1);
    paths.Dawn = await direct.createItem('Dawn');
    await direct.post(`${paths.Dawn}/publish`, { publish_on: at(dayBy(spring, -1), '02:30') });
    await page.keyboard.press('F5');
    await cell(day(12)).focus();
    while ((await page.locator(`[data-day="${spring}"]`).count()) === 0) {
      const before = await main().getByRole('heading', { level: 1 }).textContent();
      await page.keyboard.press('PageDown');
      await soon(() => main().getByRole('heading', { level: 1 }).textContent()).not.toBe(before);
    }
    await entry('Dawn').waitFor();
    await entry('Dawn').focus();
    await page.keyboard.press('Alt+ArrowRight');
    await messages()
      .getByText(`Rescheduled “Dawn” to ${shortDay(spring)}, 03:30. Clocks skip 02:30 on that day`)
      .waitFor();
    await soon(() => stored('Dawn')).toEqual(['scheduled', `${spring}T01:30:00Z`]);
  });

  it('works offline: the change has a mark, and is sent when the library can be reached', async () => {
    await openView(page, 'All items');
    await opened.service.kill9();
    await openView(page, 'Calendar');
    await page.getByRole('button', { name: 'Today' }).click();
    await page.getByRole('button', { name: 'Next month' }).click();
    await drag(entry('Talk'), cell(day(14)));
    await cell(day(14)).getByText('Talk').waitFor();
    await messages()
      .getByText(`Rescheduled “Talk” to ${shortDay(day(14))}, 09:30. Mediadesk sends the change later.`)
      .waitFor();
    await entry('Talk').locator('[data-pending="edited"]').waitFor();
    await opened.service.restart();
    await soon(() => stored('Talk')).toEqual(['scheduled', at(day(14), '09:30')]);
    await entry('Talk').locator('[data-pending]').waitFor({ state: 'detached' });
  });
});
