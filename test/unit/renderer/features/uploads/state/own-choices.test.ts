import { expect, it } from 'vitest';
import { choicesOf, fileTable, ownCollections } from '../../../../../../renderer/features/uploads/state/add-files.ts';
import type { ListedFile } from '../../../../../../shared/contract/upload-files.ts';
import { setCell } from '../../../../../../shared/model/grid/grid-changes.ts';
import { type GridModel, problemAt } from '../../../../../../shared/model/grid/grid-model.ts';

const file = (path: string): ListedFile => ({
  ...{ path, fileName: path.slice(4), folderName: 'in', sizeBytes: 1000, date: '2026-11-19' },
  ...{ problem: null, unclear: null, isLikelyDuplicate: false, sidecars: [], details: null },
});
const FILES = [file('/in/a.wav'), file('/in/b.wav'), file('/in/c.wav')];
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
  ...{ fields: {}, source: 'manifest.csv', collection: { id, name } },
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
