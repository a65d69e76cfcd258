import { expect, it } from 'vitest';
import type { ListGroup, MediaRow } from '../../../../shared/contract/library.ts';
import {
  GROUPED_SORTS,
  type GroupedSort,
  LENGTH_STEPS,
  MOST_GROUPS,
  SIZE_STEPS,
} from '../../../../shared/model/list-groups.ts';
import { sortKey } from '../../../../shared/model/sort-key.ts';
import { MirrorDesk, SITE } from '../../../helpers/engine/mirror-desk.ts';

const fileOf = (size: number | null) => ({
  id: '1',
  type: 'video',
  status: 'complete',
  source: 'upload',
  display_name: 'a.mp4',
  size,
  links: {},
});

async function filledDesk(): Promise<MirrorDesk> {
  const desk = await MirrorDesk.open();
  const { library } = desk;
  library.pageSize = 100;
  for (let index = 0; index < 60; index += 1) {
    library.now += 40 * 60 * 60;
    const id = library.add(['Élan', 'elan 2', '10 ways', '9 ways', 'Über', 'zoo', '!?'][index % 7] ?? '', {
      type: ['video', 'audio', 'doc'][index % 3],
      status: index % 4 === 0 ? 'published' : 'draft',
      byline: index % 5 === 0 ? null : [`Ada`, 'ÁDA', 'Bo'][index % 3],
      collection_id: String(index % 3),
      tags: index % 6 === 0 ? [] : [`tag ${index % 5}`, 'tag'].slice(index % 2),
      duration: index % 8 === 0 ? null : index ** 2,
      publish_on: index % 3 === 0 ? null : `2026-0${(index % 6) + 1}-15T12:00:00Z`,
    });
    if (index % 10 !== 0) library.files?.set(id, [fileOf(index % 9 === 0 ? null : index ** 6)]);
  }
  await desk.pass();
  return desk;
}

const localMonth = (instant: string | null | undefined) => {
  if (instant == null) return null;
  const date = new Date(instant);
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
};
const stepOf = (steps: readonly number[], value: number | null) =>
  String(steps.findLast((step) => value !== null && value >= step) ?? '') || null;

/** What the heading of a row has to name; equal for the rows of a group. */
const VALUES: Readonly<Record<GroupedSort, (row: MediaRow) => string | null>> = {
  collection: (row) => row.collectionName ?? null,
  type: (row) => row.type,
  status: (row) => row.status,
  byline: (row) => (row.byline === null ? null : sortKey(row.byline)),
  tags: (row) => (row.tags[0] === undefined ? null : sortKey(row.tags[0])),
  title: (row) => sortKey(row.title).slice(0, 1).replace(/\d/, '0'),
  created_on: (row) => localMonth(row.createdOn),
  modified_on: (row) => localMonth(row.modifiedOn),
  publish_on: (row) => localMonth(row.publishOn),
  duration: (row) => stepOf(LENGTH_STEPS, row.durationSeconds),
  size: (row) => {
    if (row.sizeBytes === undefined) return null;
    return row.sizeBytes === null ? '-1' : stepOf(SIZE_STEPS, row.sizeBytes);
  },
  captions: (row) => (row.hasCaptions === undefined ? null : String(Number(row.hasCaptions))),
};

it.for(GROUPED_SORTS)('the groups by %s are the runs of equal values of the list, in both directions', async (sort) => {
  const desk = await filledDesk();
  for (const areFilesRead of [false, true]) {
    if (areFilesRead) await desk.readFiles();
    for (const order of ['asc', 'desc'] as const) {
      const query = desk.query({ sort, order, search: '-title' });
      const rows = desk.mirrors.window(query, 0, 200)?.rows ?? [];
      expect(rows).toHaveLength(60);
      const runs: ListGroup[] = [];
      for (const row of rows) {
        const value = VALUES[sort](row);
        const last = runs.at(-1);
        if (last !== undefined && last.value === value) last.count += 1;
        else runs.push({ value, count: 1 });
      }
      const groups = desk.mirrors.groups(query) ?? [];
      const isText = sort === 'byline' || sort === 'tags';
      const shownAs = (value: string | null) => (isText && value !== null ? sortKey(value) : value);
      expect(groups.map(({ value, count }) => ({ value: shownAs(value), count }))).toEqual(runs);
      expect(groups.length).toBeGreaterThan(0);
    }
  }
});

it('sizes are known after the sweep, stay known when the item changes, and are shown without the library', async () => {
  const desk = await MirrorDesk.open();
  const { library } = desk;
  const [small, large, none] = ['small', 'large', 'none'].map((title) => library.add(title, { type: 'audio' }));
  library.files?.set(small ?? '', [fileOf(5), { ...fileOf(100), type: 'captions' }]);
  library.files?.set(large ?? '', [fileOf(2e9), fileOf(1e9)]);
  await desk.pass();
  const sizes = () =>
    desk.mirrors.window(desk.query({ sort: 'size', order: 'desc' }), 0, 9)?.rows.map((row) => row.sizeBytes);
  expect(sizes()).toEqual([undefined, undefined, undefined]);
  await desk.readFiles();
  expect(sizes()).toEqual([3e9, 5, null]);
  library.now += 60;
  library.change(small ?? '', { title: 'changed' });
  await desk.pass();
  expect(sizes()).toEqual([3e9, 5, null]);
  desk.mirrors.noteFiles(SITE, none ?? '', { sizeBytes: 7e9, hasCaptions: false });
  await desk.restart();
  expect(sizes()).toEqual([7e9, 3e9, 5]);
});

it('a list with more groups than the maximum ends with one for the rest, and orders by numbers have none', async () => {
  const desk = await MirrorDesk.open();
  desk.library.pageSize = 2000;
  const count = MOST_GROUPS + 20;
  for (let index = 0; index < count; index += 1) desk.library.add('item', { byline: `author ${index}` });
  await desk.pass();
  const groups = desk.mirrors.groups(desk.query({ sort: 'byline' })) ?? [];
  expect(groups).toHaveLength(MOST_GROUPS);
  expect(groups.at(-1)).toEqual({ value: null, count: 21, isRest: true });
  expect(groups.reduce((sum, group) => sum + group.count, 0)).toBe(count);
  expect(desk.mirrors.groups(desk.query({ sort: 'likes' }))).toBeNull();
});
