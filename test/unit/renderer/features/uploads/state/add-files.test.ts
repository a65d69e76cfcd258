import { describe, expect, it } from 'vitest';
import {
  choicesOf,
  fileTable,
  renumbered,
  tableSumOf,
} from '../../../../../../renderer/features/uploads/state/add-files.ts';
import { titleState } from '../../../../../../renderer/features/uploads/state/title-contents.ts';
import type { MediaFacts } from '../../../../../../shared/contract/media-facts.ts';
import { replaceAll } from '../../../../../../shared/model/grid/find-replace.ts';
import { setCell, undo } from '../../../../../../shared/model/grid/grid-changes.ts';
import { type GridModel, problemAt } from '../../../../../../shared/model/grid/grid-model.ts';
import { listedFile } from '../../../../../helpers/data/listed-files.ts';

const EMPTY = { code: 'file.empty', message: 'The file is empty.', nextStep: null, details: null };
const FILES = [listedFile('/in/a.wav'), listedFile('/in/b.wav'), listedFile('/in/sub/c.wav')];
const OPTIONS = { titleTemplate: '{name}', tags: [] };
const columnOf = (grid: GridModel, key: string) => grid.columns.findIndex((column) => column.key === key);
const cells = (grid: GridModel, key: string) => grid.rows.map((row) => row.cells[columnOf(grid, key)]);
const typed = (grid: GridModel, row: number, key: string, text: string) =>
  setCell(grid, { row, column: columnOf(grid, key) }, text);

it('the table lists each file by its path below the common folder, with the title and tags of the options', () => {
  const grid = fileTable(null, FILES, { titleTemplate: '{nn} {name}', tags: ['optics', 'a|b'] });
  expect(cells(grid, 'file')).toEqual(['a.wav', 'b.wav', 'sub/c.wav']);
  expect(cells(grid, 'title')).toEqual(['01 a', '02 b', '03 c']);
  expect(cells(grid, 'tags')[0]).toBe('optics|a\\|b');
  expect(
    fileTable(null, [listedFile('C:\\in\\a.wav'), listedFile('C:\\b.wav')], OPTIONS).rows.map((row) => row.cells[0]),
  ).toEqual(['in\\a.wav', 'b.wav']);
});

it('the name of a file shows which kind of file it is, also with a mark of direction', () => {
  const grid = fileTable(null, [listedFile('/in/\u202egnp.exe')], OPTIONS);
  expect(cells(grid, 'file')).toEqual(['\ufffdgnp.exe']);
});

it('a change of the options or files replaces all values of the table except typed ones', () => {
  const before = typed(fileTable(null, FILES, OPTIONS), 1, 'title', 'Mine');
  const after = fileTable(before, [listedFile('/in/0.wav'), ...FILES], { titleTemplate: 'X {name}', tags: ['t'] });
  expect(cells(after, 'title')).toEqual(['X 0', 'X a', 'Mine', 'X c']);
  expect(cells(after, 'tags')).toEqual(['t', 't', 't', 't']);
});

it('an undo after a change of the template undoes only typed values', () => {
  const before = typed(fileTable(null, FILES, OPTIONS), 0, 'byline', 'Ann');
  const undone = undo(fileTable(before, FILES, { titleTemplate: 'X {name}', tags: ['t'] }));
  expect(choicesOf(undone, FILES, false)).toEqual([]);
  expect(cells(undone, 'title')).toEqual(['X a', 'X b', 'X c']);
});

it('the “add” column accepts only yes or no, and “replace all” does not change it', () => {
  const grid = typed(fileTable(null, FILES, OPTIONS), 1, 'add', 'nein');
  expect([grid.problemCells, problemAt(grid, { row: 1, column: columnOf(grid, 'add') })]).toEqual([
    1,
    'Enter yes or no.',
  ]);
  const replaced = replaceAll(
    fileTable(null, FILES, OPTIONS),
    { find: 'e', matchCase: false, inSelection: false },
    'o',
  );
  expect(cells(replaced, 'add')).toEqual(['yes', 'yes', 'yes']);
});

it('a file that can’t be uploaded shows the reason, its cells can’t be changed, and it is not counted', () => {
  const grid = fileTable(null, [listedFile('/in/empty.wav', { problem: EMPTY }), ...FILES], OPTIONS);
  expect(cells(grid, 'title')[0]).toBe('Can’t be uploaded: The file is empty.');
  expect(typed(grid, 0, 'add', 'yes').changedCells).toBe(0);
  expect(tableSumOf(grid, [listedFile('/in/empty.wav', { problem: EMPTY }), ...FILES])).toEqual({
    files: 3,
    bytes: 3000,
    leftOut: 0,
    leftOutBytes: 0,
  });
});

it('excluded files get no number in titles and are not counted', () => {
  const options = { titleTemplate: '{n} {name}', tags: [] };
  const before = fileTable(null, FILES, options);
  const after = renumbered(typed(before, 0, 'add', 'no'), FILES, options);
  expect(cells(after, 'title').slice(1)).toEqual(['1 b', '2 c']);
  expect(tableSumOf(after, FILES)).toEqual({ files: 2, bytes: 2000, leftOut: 1, leftOutBytes: 1000 });
  const again = renumbered(typed(after, 0, 'add', 'yes'), FILES, options);
  expect(cells(again, 'title')).toEqual(['1 a', '2 b', '3 c']);
});

it('the choices that are sent contain each listed file with its changed fields only', () => {
  let grid = fileTable(null, FILES, { titleTemplate: '{name}', tags: ['all'] });
  grid = typed(grid, 0, 'description', 'One & two\n\nThree');
  grid = typed(grid, 0, 'tags', '');
  grid = typed(grid, 1, 'add', 'no');
  const described = { path: '/in/a.wav', fields: { description: '<p>One &amp; two</p>\n<p>Three</p>', tags: [] } };
  const leftOut = { path: '/in/b.wav', isExcluded: true };
  expect(choicesOf(grid, FILES, true)).toEqual([described, leftOut, { path: '/in/sub/c.wav' }]);
  // If the table does not contain all files, only changed values are choices.
  expect(choicesOf(grid, FILES, false)).toEqual([described, leftOut]);
});

it('values that an item can’t have are marked', () => {
  let grid = fileTable(null, FILES, OPTIONS);
  expect(grid.problemCells).toBe(0);
  grid = typed(grid, 0, 'title', ' ');
  grid = typed(grid, 1, 'byline', 'x'.repeat(1001));
  grid = typed(grid, 2, 'tags', `ok|${'x'.repeat(201)}`);
  expect(grid.problemCells).toBe(3);
});

describe('titles from inside the files', () => {
  const facts = (path: string, change: Partial<MediaFacts> = {}): [string, MediaFacts] => [
    path,
    {
      path,
      changed: '2026-11-20T08:00:00',
      problem: null,
      mediaTags: { title: 'Waves' },
      recorded: { at: '2026-11-04T23:30:00', zone: '+01:00', source: 'apple' } as const,
      ...change,
    },
  ];
  const OF_FILES = { titleTemplate: '{recorded} {tag.title}', tags: [] };
  const contents = new Map([
    facts('/in/a.wav'),
    facts('/in/b.wav', { mediaTags: {}, problem: 'damaged' }),
    facts('/in/sub/c.wav', { mediaTags: {} }),
  ]);
  const titles = (grid: GridModel) => cells(grid, 'title');
  const notes = (grid: GridModel) => cells(grid, 'note');

  it('are shown as soon as they are known, with the source of the date, or why the title is the file name', () => {
    const first = fileTable(null, FILES, OF_FILES);
    expect(titles(first)).toEqual(['a', 'b', 'c']);
    expect(notes(first).every((note) => note?.includes('Reading inside the file…'))).toBe(true);
    const grid = fileTable(first, FILES, { ...OF_FILES, contents });
    expect(titles(grid)).toEqual(['2026-11-04 Waves', 'b', 'c']);
    const [a, b, c] = notes(grid);
    expect(a).toContain('Recorded 2026-11-04 23:30:00 +01:00 – date in the file, with its time zone');
    expect(b).toContain('The title is the file name: no value for {tag.title}. The tags inside the file are damaged.');
    expect(c).toContain('The title is the file name: no value for {tag.title}.');
    expect(choicesOf(grid, FILES, true)).toEqual(FILES.map(({ path }) => ({ path })));
  });

  it('never replace a typed title; only added files without a value count as named by their file name', () => {
    let grid = typed(fileTable(null, FILES, OF_FILES), 1, 'title', 'Typed');
    const options = { ...OF_FILES, contents };
    expect(titleState(grid, FILES, OF_FILES)).toEqual({ files: 3, pending: 3, fallbacks: 0 });
    grid = fileTable(grid, FILES, options);
    expect(titles(grid)).toEqual(['2026-11-04 Waves', 'Typed', 'c']);
    expect(titleState(grid, FILES, options)).toEqual({ files: 3, pending: 0, fallbacks: 1 });
    expect(titleState(typed(grid, 2, 'add', 'no'), FILES, options)).toMatchObject({ fallbacks: 0 });
    expect(titleState(grid, FILES, { ...options, titleTemplate: '{name}' })).toBeNull();
    expect(titleState(grid, FILES, { ...options, titleTemplate: '{tag.nothing}' })).toBeNull();
  });
});

it('a table of 20,000 files is created within two seconds of processor time', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => listedFile(`/in/recording ${index}.wav`));
  const started = process.threadCpuUsage();
  const grid = fileTable(fileTable(null, many, OPTIONS), many, { titleTemplate: '{nnn} {name}', tags: ['t'] });
  expect(grid.rows).toHaveLength(20_000);
  const { user, system } = process.threadCpuUsage(started);
  expect((user + system) / 1000).toBeLessThan(2000);
});
