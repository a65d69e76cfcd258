// The items of a calendar, as the copy of a library returns them.
import { describe, expect, it } from 'vitest';
import type { Calendar, CalendarQuery } from '../../../../shared/contract/calendar.ts';
import type { MediaQuery } from '../../../../shared/contract/library.ts';
import { monthOf } from '../../../../shared/model/calendar/calendar-days.ts';
import { endOfDay, hoursOfDay, startOfDay } from '../../../../shared/model/calendar/calendar-times.ts';
import { MirrorDesk, SITE } from '../../../helpers/engine/mirror-desk.ts';

const VIENNA = 'Europe/Vienna';
const HOUR_MS = 3_600_000;
const instant = (epochMs: number) => new Date(epochMs).toISOString().replace('.000Z', 'Z');

/** Returns the local day and hour of an instant, as the formats of the language compute them. */
function local(epochMs: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  }).format(epochMs);
  return parts.slice(0, 13);
}

function calendarOf(desk: MirrorDesk, query: Partial<CalendarQuery>): Calendar {
  const calendar = desk.mirrors.calendar({ siteId: SITE, collectionId: null, instants: [0, 1], rows: 3, ...query });
  if (calendar === null) throw new Error('There is no copy.');
  return calendar;
}

/** Returns the days of the month with their ends, as the window requests them. */
function monthInstants(day: string, timeZone: string): { days: string[]; instants: number[] } {
  const days = monthOf(day, 1)
    .flat()
    .filter((each) => each !== null);
  return { days, instants: [...days.map((each) => startOfDay(each, timeZone)), endOfDay(days.at(-1) ?? '', timeZone)] };
}

describe('a calendar', () => {
  it.each([
    [VIENNA, '2026-03-29'],
    [VIENNA, '2026-10-25'],
    ['America/Sao_Paulo', '2018-11-04'],
    ['America/Havana', '2026-11-01'],
    ['Pacific/Apia', '2011-12-30'],
    ['Asia/Kathmandu', '2026-05-05'],
  ])('has each item on its local day when clocks change (%s, %s)', async (timeZone, day) => {
    const desk = await MirrorDesk.open();
    const from = startOfDay(day, timeZone);
    const expected = new Map<string, number>();
    for (let quarter = -4 * 36; quarter <= 4 * 36; quarter += 1) {
      for (const second of [0, 899]) {
        const at = from + (quarter * HOUR_MS) / 4 + second * 1000;
        desk.library.add(`take ${quarter} ${second}`, { publish_on: instant(at), status: 'scheduled' });
        const key = local(at, timeZone).slice(0, 10);
        expected.set(key, (expected.get(key) ?? 0) + 1);
      }
    }
    desk.library.pageSize = 500;
    await desk.pass();
    const { days, instants } = monthInstants(day, timeZone);
    const { slots } = calendarOf(desk, { instants });
    const shown = days.map((each, index) => [each, slots[index]?.count ?? 0] as const).filter(([, count]) => count > 0);
    expect(shown).toEqual([...expected].filter(([each]) => days.includes(each)));
    expect(shown.length).toBeGreaterThan(2);
  });

  it('has each item in its hour, also in one that occurs twice', async () => {
    const desk = await MirrorDesk.open();
    const day = '2026-10-25';
    const instants = hoursOfDay(day, VIENNA);
    for (let at = startOfDay(day, VIENNA); at < endOfDay(day, VIENNA); at += HOUR_MS / 2) {
      desk.library.add(`take ${local(at, VIENNA)}`, { publish_on: instant(at) });
    }
    await desk.pass();
    const { slots } = calendarOf(desk, { instants, rows: 5 });
    expect(slots.map(({ count }) => count)).toEqual([2, 2, 4, ...Array.from({ length: 21 }, () => 2)]);
    expect(slots.map(({ rows }) => rows.map(({ title }) => title.slice(-2)))).toEqual(
      slots.map(({ count }, hour) => Array.from({ length: count }, () => String(hour).padStart(2, '0'))),
    );
    // The hour that clocks skip has no length.
    const spring = calendarOf(desk, { instants: hoursOfDay('2026-03-29', VIENNA) });
    expect(spring.slots[2]?.count).toBe(0);
  });

  it('returns the first rows of a day with very many items, in the order of their times', async () => {
    const desk = await MirrorDesk.open();
    desk.library.pageSize = 500;
    const at = Date.parse('2026-05-05T06:00:00Z');
    for (let number = 2000; number > 0; number -= 1) {
      desk.library.add(`take ${number}`, { publish_on: instant(at + number * 1000), status: 'scheduled' });
    }
    await desk.pass();
    const { slots } = calendarOf(desk, { instants: [at, at + 24 * HOUR_MS] });
    expect(slots[0]?.count).toBe(2000);
    expect(slots[0]?.rows.map(({ title }) => title)).toEqual(['take 1', 'take 2', 'take 3']);
    expect(calendarOf(desk, { instants: [at, at + 24 * HOUR_MS], rows: 0 }).slots).toEqual([{ count: 2000, rows: [] }]);
  });

  it('has items of the years 1970 and 9999, of every status, and none without a date', async () => {
    const desk = await MirrorDesk.open();
    desk.library.add('first', { publish_on: '1970-01-01T00:00:00Z' });
    desk.library.add('last', { publish_on: '9999-12-31T23:59:59Z', status: 'scheduled' });
    desk.library.add('draft again', { publish_on: '9999-12-31T23:00:00Z', status: 'draft' });
    desk.library.add('draft', { status: 'draft' });
    await desk.pass();
    const day = (name: string) => calendarOf(desk, { instants: [startOfDay(name, 'UTC'), endOfDay(name, 'UTC')] });
    expect(day('1970-01-01').slots[0]?.rows.map(({ title }) => title)).toEqual(['first']);
    expect(day('9999-12-31').slots[0]?.rows.map(({ status }) => status)).toEqual(['draft', 'scheduled']);
    const all: MediaQuery = {
      siteId: SITE,
      collectionId: null,
      search: '',
      type: null,
      status: null,
      sort: 'title',
      order: 'asc',
    };
    const undated = desk.mirrors.window({ ...all, hasPublishDate: false }, 0, 10);
    expect(undated).toMatchObject({ total: 1, rows: [{ title: 'draft' }] });
    expect(desk.mirrors.count({ ...all, hasPublishDate: true })).toBe(3);
  });

  it('shows an item on the day of its pending edit, with its mark', async () => {
    const desk = await MirrorDesk.open();
    const id = desk.library.add('talk', { publish_on: '2026-05-05T09:00:00Z', status: 'scheduled' });
    await desk.pass();
    desk.mirrors.setOverlay(SITE, id, { publish_on: '2026-05-07T09:00:00Z' });
    const days = ['2026-05-05', '2026-05-06', '2026-05-07', '2026-05-08'].map((day) => startOfDay(day, 'UTC'));
    const { slots } = calendarOf(desk, { instants: days });
    expect(slots.map(({ count }) => count)).toEqual([0, 0, 1]);
    expect(slots[2]?.rows).toMatchObject([{ id, pending: 'edited' }]);
    desk.mirrors.setOverlay(SITE, id, 'deleted');
    expect(calendarOf(desk, { instants: days }).slots[0]?.rows).toMatchObject([{ id, pending: 'deleted' }]);
  });

  it('has only the items in a collection and below it', async () => {
    const desk = await MirrorDesk.open();
    for (const collection of ['1', '2', '3', '4']) {
      desk.library.add(`in ${collection}`, { publish_on: '2026-05-05T09:00:00Z', collection_id: collection });
    }
    await desk.pass();
    const collection = (id: string, parentId: string | null) => ({
      id,
      parentId,
      displayName: `collection ${id}`,
      slug: id,
      isPodcast: false,
      mediaCount: 1,
      mediaCountBelow: 0,
      childCount: 0,
    });
    desk.mirrors.putCollections(SITE, [
      collection('1', null),
      collection('2', '1'),
      collection('3', '2'),
      collection('4', '1'),
    ]);
    const instants = [startOfDay('2026-05-05', 'UTC'), endOfDay('2026-05-05', 'UTC')];
    const titles = (collectionId: string) =>
      calendarOf(desk, { instants, collectionId, rows: 10 }).slots[0]?.rows.map(({ title }) => title);
    expect(titles('2')).toEqual(['in 2', 'in 3']);
    expect(titles('4')).toEqual(['in 4']);
    expect(titles('1')).toHaveLength(4);
    expect(calendarOf(desk, { instants, collectionId: '2' }).slots[0]).toMatchObject({
      count: 2,
      rows: [{ collectionName: 'collection 2' }, { collectionName: 'collection 3' }],
    });
  });

  it('is not known before the first sync is complete', async () => {
    const desk = await MirrorDesk.open();
    await desk.store();
    expect(desk.mirrors.calendar({ siteId: SITE, collectionId: null, instants: [0, 1], rows: 1 })).toBe(null);
  });
});
