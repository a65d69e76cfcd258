import { describe, expect, it } from 'vitest';
import {
  choicesOf,
  fileTable,
  ownCollections,
  renumbered,
  timesInSheet,
} from '../../../../../../renderer/features/uploads/state/add-files.ts';
import type { ListedFile } from '../../../../../../shared/contract/upload-files.ts';
import { setCell } from '../../../../../../shared/model/grid/grid-changes.ts';
import { type GridModel, problemAt } from '../../../../../../shared/model/grid/grid-model.ts';
import { localTimeZone } from '../../../../../../shared/model/local-time-zone.ts';
import { writeLocalDate } from '../../../../../../shared/model/manifest/dates.ts';
import { listedFile } from '../../../../../helpers/data/listed-files.ts';

const FILES = ['/in/a.wav', '/in/b.wav', '/in/c.wav'].map((path) => listedFile(path));
const COLLECTIONS = [
  { id: '7', path: 'Physics / Optics' },
  { id: '8', path: 'Physics / Acoustics' },
];
const OPTIONS = { titleTemplate: '{name}', tags: [], collections: COLLECTIONS };
const at = (grid: GridModel, row: number, key: string) => ({
  row,
  column: grid.columns.findIndex((column) => column.key === key),
});
const typed = (grid: GridModel, row: number, key: string, text: string) => setCell(grid, at(grid, row, key), text);
const described = (id: string, name: string) => ({
  fields: {},
  source: 'manifest.csv',
  collection: { id, name },
  publish: { kind: 'now' } as const,
});

it('a file is uploaded into the collection whose path is in its cell, in any letter case, otherwise into that of the sheet', () => {
  const grid = typed(fileTable(null, FILES, OPTIONS), 1, 'collection', 'physics / optics');
  expect(problemAt(grid, at(grid, 1, 'collection'))).toBeNull();
  expect([...ownCollections(grid, new Map(), COLLECTIONS)]).toEqual([['/in/b.wav', '7']]);
});

it('a collection that does not exist is refused, and so are publications that are unreadable, ambiguous or in the past', () => {
  let grid = fileTable(null, FILES, OPTIONS);
  for (const [key, text] of [
    ['collection', 'Physics / Gone'],
    ['publish', 'tomorrow'],
    ['publish', '6/5/2031'],
    ['publish', '2020-01-01T10:00'],
    ['publish', '2031-10-26T02:30[Europe/Vienna]'],
    ['publish', '2031-03-30T02:30[Europe/Vienna]'],
  ] as const) {
    grid = typed(grid, 0, key, text);
    expect(problemAt(grid, at(grid, 0, key)), text).toMatch(/\.$/);
    grid = typed(grid, 0, key, '');
    expect(problemAt(grid, at(grid, 0, key))).toBeNull();
  }
});

it('the publish cell of a file accepts draft, when complete, or an instant', () => {
  let grid = fileTable(null, FILES, OPTIONS);
  grid = typed(grid, 0, 'publish', 'draft');
  grid = typed(grid, 1, 'publish', 'When Complete');
  grid = typed(grid, 2, 'publish', '2031-05-06T09:00+02:00');
  expect(choicesOf(grid, FILES, true).map(({ publish }) => publish)).toEqual([
    { kind: 'draft' },
    { kind: 'now' },
    { kind: 'at', at: '2031-05-06T07:00:00.000Z' },
  ]);
});

it('the values of a spreadsheet are shown, and an emptied cell uses the value of the sheet', () => {
  const descriptions = new Map([
    ['/in/a.wav', described('7', 'Optics')],
    ['/in/b.wav', described('99', 'Elsewhere')],
  ]);
  let grid = fileTable(null, FILES, { ...OPTIONS, descriptions });
  expect(grid.rows.map(({ cells }) => cells.slice(6, 8))).toEqual([
    ['Physics / Optics', 'When complete'],
    ['Elsewhere', 'When complete'],
    ['', ''],
  ]);
  expect([...ownCollections(grid, descriptions, COLLECTIONS).values()]).toEqual(['7', '99']);
  // A spreadsheet may name a collection that the cell does not offer, for example one of two with the same path.
  expect(problemAt(grid, at(grid, 1, 'collection'))).toBeNull();
  grid = typed(grid, 0, 'collection', '');
  grid = typed(grid, 0, 'publish', '');
  grid = typed(grid, 1, 'collection', 'Physics / Acoustics');
  expect([...ownCollections(grid, descriptions, COLLECTIONS)]).toEqual([['/in/b.wav', '8']]);
  const [first, second] = choicesOf(grid, FILES, true, descriptions);
  expect([first?.publish, second?.publish]).toEqual([undefined, { kind: 'now' }]);
});

it('the typed text is kept when the collections arrive later', () => {
  const before = typed(fileTable(null, FILES, { titleTemplate: '{name}', tags: [] }), 0, 'title', 'Mine');
  const grid = typed(fileTable(before, FILES, OPTIONS), 0, 'collection', 'Physics / Optics');
  expect(grid.rows[0]?.cells.slice(2, 7)).toEqual(['Mine', '', '', '', 'Physics / Optics']);
  expect(problemAt(grid, at(grid, 0, 'collection'))).toBeNull();
});

describe('publish times one after another', () => {
  const series = {
    first: '2035-10-24T18:00',
    timeZone: 'UTC',
    interval: { unit: 'week' as const, count: 1 },
    skipped: ['2035-10-31'],
  };
  const none = new Map();
  const times = timesInSheet(null, FILES, series, none);
  const options = { ...OPTIONS, times };

  it('are in the column of each file, with the reasons in its note, and are sent for each file', () => {
    const grid = fileTable(null, FILES, options);
    const shown = (epochMs: number) => writeLocalDate(epochMs, localTimeZone());
    const instants = ['2035-10-24T18:00:00Z', '2035-11-07T18:00:00Z', '2035-11-14T18:00:00Z'].slice(0, FILES.length);
    expect(grid.rows.map(({ cells }, row) => cells[at(grid, row, 'publish').column])).toEqual(
      instants.map((time) => shown(Date.parse(time))),
    );
    expect(grid.rows[1]?.cells.at(-1)).toContain('31 Oct 2035 is a day without publication');
    expect(choicesOf(grid, FILES, true, none, times).map(({ publish }) => publish)).toEqual(
      instants.map((time) => ({ kind: 'at', at: time })),
    );
  });

  it('leave out files that the user leaves out or that have a publication of their own, and keep typed cells', () => {
    const [first, second] = FILES.map(({ path }) => path);
    const own = { fields: {}, publish: { kind: 'draft' as const }, collection: null, source: 'list.csv' };
    const descriptions = new Map([[second ?? '', own]]);
    const after = typed(fileTable(null, FILES, options), 0, 'add', 'no');
    const left = timesInSheet(after, FILES, series, descriptions);
    const without = renumbered(after, FILES, { ...options, descriptions, times: left });
    const choices = choicesOf(without, FILES, true, descriptions, left);
    expect(choices[0]).toEqual({ path: first, isExcluded: true });
    expect(choices[1]?.publish).toEqual({ kind: 'draft' });
    const later = fileTable(null, FILES, options);
    const edited = choicesOf(typed(later, 0, 'publish', 'When complete'), FILES, true, none, times);
    expect(edited.map(({ publish }) => publish?.kind)).toEqual(FILES.map((_, index) => (index === 0 ? 'now' : 'at')));
  });

  it('have a problem, and no file a time, when there are too many files', () => {
    const many = Array.from({ length: 1001 }, (_, index) => ({ ...FILES[0], path: `/in/${index}.wav` }) as ListedFile);
    const tooMany = timesInSheet(null, many, series, none);
    expect(tooMany.problem).toBe('1,001 files are too many: at most 1,000 can be published one after another.');
    const grid = fileTable(null, many, { ...options, times: tooMany });
    expect(choicesOf(grid, many, true, none, tooMany)[0]).toEqual({ path: '/in/0.wav' });
  });
});
