// Items that are scheduled one after another, against the real service.
import { expect } from 'vitest';
import type { BulkChange } from '../../../../shared/contract/edits.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';
import {
  edit,
  editDuringMaintenance,
  endMaintenance,
  itemOf,
  makeItem,
  rowsOf,
  whenGroup,
} from '../../../helpers/engine/edit-steps.ts';

const it = deskTest();

/** Wednesdays in Vienna, from summer time into winter time; 31 October is left out. */
const weekly = (change: object = {}): BulkChange => ({
  publication: {
    kind: 'series',
    series: {
      first: '2035-09-12T18:00',
      timeZone: 'Europe/Vienna',
      interval: { unit: 'week', count: 1 },
      skipped: ['2035-10-31'],
      ...change,
    },
  },
});
const TIMES = [
  ...['2035-09-12T16:00:00Z', '2035-09-19T16:00:00Z', '2035-09-26T16:00:00Z', '2035-10-03T16:00:00Z'],
  ...['2035-10-10T16:00:00Z', '2035-10-17T16:00:00Z', '2035-10-24T16:00:00Z', '2035-11-07T17:00:00Z'],
  ...['2035-11-14T17:00:00Z', '2035-11-21T17:00:00Z', '2035-11-28T17:00:00Z', '2035-12-05T17:00:00Z'],
];

it('schedules twelve items weekly in the given order, over the end of summer time, as one edit with one undo', async ({
  desk,
  client,
}) => {
  const made: string[] = [];
  for (let count = 0; count < TIMES.length; count += 1) made.push(await makeItem(client, desk));
  const ids = made.toReversed();
  const selection = { siteId: desk.siteId, ids };
  const plan = await desk.engine.call('edits.plan', {
    selection,
    change: weekly(),
    planId: null,
    offset: 0,
    limit: 50,
  });
  expect(plan).toMatchObject({ items: 12, changed: 12, problems: 0, byField: { publication: 12 } });
  expect(plan.rows.map(({ entityId }) => entityId)).toEqual(ids);
  expect(plan.rows.map(({ notes }) => notes)).toEqual(
    TIMES.map((_, index) =>
      index === 7 ? [{ kind: 'skipped', count: 1, from: '2035-10-31', to: '2035-10-31' }] : undefined,
    ),
  );
  const { group } = await desk.engine.call('edits.apply', { planId: plan.planId, except: [], label: 'Schedule' });
  await desk.engine.whenEditsIdle();
  const published = await Promise.all(ids.map(async (id) => (await itemOf(client, id)).publish_on));
  expect(published).toEqual(TIMES);
  expect(group).toMatchObject({ items: 12, fields: ['publication'] });

  const again = await desk.engine.call('edits.plan', {
    selection,
    change: weekly(),
    planId: null,
    offset: 0,
    limit: 50,
  });
  expect(again).toMatchObject({ changed: 0, unchanged: 12 });

  const undo = await desk.engine.call('edits.undo', { groupId: group?.id ?? '' });
  expect(undo).toMatchObject({ restoring: 12 });
  await desk.engine.whenEditsIdle();
  for (const id of ids) expect(await itemOf(client, id)).toMatchObject({ status: 'draft' });
});

it('gives times from the end of the selection, or by title with numbers in their order', async ({ desk, client }) => {
  const ids: string[] = [];
  for (const title of ['Folge 2', 'Folge 10', 'folge 1']) ids.push(await makeItem(client, desk, title));
  const planned = async (order: 'listed' | 'reversed' | 'title') => {
    const change: BulkChange = { publication: { ...weekly().publication, order } as BulkChange['publication'] };
    const selection = { siteId: desk.siteId, ids };
    const { rows } = await desk.engine.call('edits.plan', { selection, change, planId: null, offset: 0, limit: 50 });
    return rows.map(({ name }) => name);
  };
  expect(await planned('listed')).toEqual(['Folge 2', 'Folge 10', 'folge 1']);
  expect(await planned('reversed')).toEqual(['folge 1', 'Folge 10', 'Folge 2']);
  expect(await planned('title')).toEqual(['folge 1', 'Folge 2', 'Folge 10']);
});

it('keeps a series while the library can’t be reached, and sends it afterwards', async ({ desk, client }) => {
  const ids = [await makeItem(client, desk), await makeItem(client, desk)];
  const [groupId = ''] = await editDuringMaintenance(desk, ids, weekly());
  expect((await rowsOf(desk, groupId)).map(({ state }) => state)).toEqual(['pending', 'pending']);
  await endMaintenance(desk);
  await desk.engine.call('edits.retry', { groupId, filter: 'open' });
  await whenGroup(desk, groupId, ({ counts }) => counts.done === ids.length);
  for (const [index, id] of ids.entries()) {
    expect(await itemOf(client, id)).toMatchObject({ status: 'scheduled', publish_on: TIMES[index] });
  }
});

it('marks times that have passed, publishes nothing for them, and asks', async ({ desk, client }) => {
  const ids = [await makeItem(client, desk), await makeItem(client, desk)];
  const change = weekly({ first: '2026-01-07T18:00', interval: { unit: 'month', count: 120 } });
  const selection = { siteId: desk.siteId, ids };
  const plan = await desk.engine.call('edits.plan', { selection, change, planId: null, offset: 0, limit: 50 });
  expect(plan.rows.map(({ notes }) => notes)).toEqual([[{ kind: 'past' }], undefined]);
  const groupId = await edit(desk, ids, change);
  await desk.engine.whenEditsIdle();
  expect((await rowsOf(desk, groupId)).map(({ state }) => state).sort()).toEqual(['done', 'held']);
  expect(await itemOf(client, ids[0] ?? '')).toMatchObject({ status: 'draft' });
  expect(await itemOf(client, ids[1] ?? '')).toMatchObject({ publish_on: '2036-01-07T17:00:00Z' });
});

it('refuses a series of more than 1,000 items before it reads them, and one without times', async ({
  desk,
  client,
}) => {
  const id = await makeItem(client, desk);
  const plan = (ids: string[], change: BulkChange) =>
    desk.engine.call('edits.plan', {
      selection: { siteId: desk.siteId, ids },
      change,
      planId: null,
      offset: 0,
      limit: 1,
    });
  const many = Array.from({ length: 1001 }, (_, index) => String(index));
  await expect(plan(many, weekly())).rejects.toMatchObject({ code: 'edit.series-too-long' });
  const daily = { interval: { unit: 'day', count: 1 }, first: '2035-01-01T18:00' };
  const skipped = Array.from({ length: 10_000 }, (_, index) =>
    new Date(Date.UTC(2035, 0, 1) + index * 86_400_000).toISOString().slice(0, 10),
  );
  await expect(plan([id], weekly({ ...daily, skipped }))).rejects.toMatchObject({
    code: 'edit.series-without-time',
    message: 'Every date in the ten years from 1 Jan 2035 is a day without publication.',
  });
  await expect(plan([id], weekly({ timeZone: 'Europe/Wien' }))).rejects.toMatchObject({
    message: 'Unknown time zone: Europe/Wien.',
  });
  await expect(plan([id], weekly({ first: '2035-02-30T18:00' }))).rejects.toMatchObject({
    code: 'edit.series-without-time',
  });
});
