// Values of a spreadsheet for added files: their priority, their display in the table, and the requests that add the files.
import { expect, it } from 'vitest';
import {
  addRequests,
  type Description,
  joinedResult,
} from '../../../../../../renderer/features/uploads/state/add-described.ts';
import { choicesOf, fileTable } from '../../../../../../renderer/features/uploads/state/add-files.ts';
import {
  coverageOf,
  describedByOffer,
  type ManifestOffer,
  newOffer,
} from '../../../../../../renderer/features/uploads/state/manifest-offer.ts';
import type { CheckedFileRows } from '../../../../../../shared/contract/manifest-calls.ts';
import { setCell } from '../../../../../../shared/model/grid/grid-changes.ts';
import { listedFile } from '../../../../../helpers/data/listed-files.ts';

const row = (
  path: string,
  change: Partial<CheckedFileRows['files'][number]> = {},
): CheckedFileRows['files'][number] => ({
  path,
  name: path,
  row: 2,
  fields: {},
  publish: null,
  collection: null,
  ...change,
});
const offer = (path: string, files: CheckedFileRows['files'], change: Partial<ManifestOffer> = {}): ManifestOffer => ({
  ...newOffer({ path, fileName: 'manifest.csv' }, 'UTC'),
  decision: 'used',
  checked: { rows: files.length, badRows: 0, problems: 0, files },
  ...change,
});
const description = (change: Partial<Description> = {}): Description => ({
  fields: {},
  publish: null,
  collection: null,
  source: 'manifest.csv',
  ...change,
});

it('a file gets its values from its row in the nearest spreadsheet that is used', () => {
  const near = row('/in/a/1.wav', { fields: { title: 'Near' } });
  const far = row('/in/a/1.wav', { fields: { title: 'Far' } });
  for (const offers of [
    [offer('/in/manifest.csv', [far]), offer('/in/a/manifest.csv', [near])],
    [offer('/in/a/manifest.csv', [near]), offer('/in/manifest.csv', [far])],
  ]) {
    expect(describedByOffer(offers, []).get('/in/a/1.wav')?.fields).toEqual({ title: 'Near' });
  }
  expect(describedByOffer([offer('/in/a/manifest.csv', [near], { decision: 'open' })], []).size).toBe(0);
});

it('a row of a spreadsheet has precedence over the details beside a file, field by field', () => {
  const details = { fields: { title: 'Beside', byline: 'Ada' }, sources: ['1.json', '1.txt'] };
  const row1 = row('/in/1.wav', { fields: { title: 'Row' } });
  const files = [listedFile('/in/1.wav', { details }), listedFile('/in/2.wav', { details })];
  const described = describedByOffer([offer('/in/manifest.csv', [row1])], files);
  expect(described.get('/in/1.wav')).toMatchObject({
    fields: { title: 'Row', byline: 'Ada' },
    source: 'manifest.csv, 1.json, 1.txt',
  });
  expect(described.get('/in/2.wav')).toMatchObject({ fields: details.fields, source: '1.json, 1.txt' });
});

it('the coverage of a spreadsheet counts files with a row, and lists files without a row and rows without a file', () => {
  const rows = [row('/in/a/1.wav'), row('/in/a/gone.wav', { name: 'gone.wav' })];
  const problem = { code: 'file.empty', message: '', nextStep: null, details: null };
  const files = [
    listedFile('/in/a/1.wav'),
    listedFile('/in/a/b/2.wav'),
    listedFile('/in/a/empty.wav', { problem }),
    listedFile('/in/3.wav'),
  ];
  expect(coverageOf(offer('/in/a/manifest.csv', rows), files)).toEqual({
    files: 2,
    described: 1,
    withoutRow: ['b/2.wav'],
    notAdded: ['gone.wav'],
  });
});

it('values of a spreadsheet fill the table, never replace typed values, and are sent even when they equal the options', () => {
  const files = [listedFile('/in/a.wav'), listedFile('/in/b.wav')];
  const options = { titleTemplate: '{name}', tags: ['t'] };
  const publish = { kind: 'now' } as const;
  const descriptions = new Map([
    ['/in/a.wav', description({ fields: { title: 'a', byline: 'Ada', tags: [] }, publish })],
    ['/in/b.wav', description({ fields: { title: 'Row' }, collection: { id: '7', name: 'Physics' } })],
  ]);
  const plain = fileTable(null, files, options);
  const typed = setCell(plain, { row: 1, column: plain.columns.findIndex(({ key }) => key === 'title') }, 'Typed');
  const filled = fileTable(typed, files, { ...options, descriptions });
  expect(filled.rows.map(({ cells }) => cells.slice(2, 5))).toEqual([
    ['a', '', 'Ada'],
    ['Typed', 't', ''],
  ]);
  expect(filled.rows.map(({ cells }) => cells.at(-1))).toEqual(['From manifest.csv', 'From manifest.csv']);
  expect(filled.rows.map(({ cells }) => cells.slice(6, 8))).toEqual([
    ['', 'When complete'],
    ['Physics', ''],
  ]);
  expect(choicesOf(filled, files, true, descriptions)).toEqual([
    { path: '/in/a.wav', fields: { title: 'a', byline: 'Ada', tags: [] }, publish },
    { path: '/in/b.wav', fields: { title: 'Typed' } },
  ]);
  // After the spreadsheet is declined again, only values that the user typed remain.
  expect(choicesOf(fileTable(filled, files, options), files, true)).toEqual([
    { path: '/in/a.wav' },
    { path: '/in/b.wav', fields: { title: 'Typed' } },
  ]);
});

it('the files of each collection are added with one request, with their sidecars, and never twice after a failure', () => {
  const ownCollections = new Map([
    ['/in/b.wav', '7'],
    ['/in/c.wav', '7'],
    ['/in/d.wav', '1'],
  ]);
  const files = [
    ...[{ path: '/in/a.wav' }, { path: '/in/b.wav' }, { path: '/in/c.wav', isExcluded: true }, { path: '/in/d.wav' }],
    ...[
      { path: '/in/x.vtt', belongsTo: '/in/b.wav' },
      { path: '/in/y.vtt', belongsTo: '/in/a.wav' },
    ],
  ];
  const plan = { paths: ['/in'], collectionId: '1', files, addsOthers: false, ownCollections };
  const [own, rest, ...more] = addRequests({ ...plan, done: new Set() });
  expect(own).toEqual({
    collectionId: '7',
    paths: ['/in/b.wav'],
    roots: ['/in'],
    addsOthers: false,
    files: [{ path: '/in/b.wav' }, { path: '/in/x.vtt', belongsTo: '/in/b.wav' }],
  });
  expect(rest).toEqual({
    collectionId: '1',
    paths: ['/in'],
    addsOthers: false,
    files: [
      ...[{ path: '/in/a.wav' }, { path: '/in/b.wav', isExcluded: true }, { path: '/in/c.wav', isExcluded: true }],
      ...[{ path: '/in/d.wav' }, { path: '/in/y.vtt', belongsTo: '/in/a.wav' }],
    ],
  });
  expect(more).toEqual([]);
  expect(addRequests({ ...plan, done: new Set(['/in/b.wav', '/in/x.vtt']) })).toEqual([rest]);
  // No file remains for the collection of the sheet.
  expect(addRequests({ ...plan, files: [{ path: '/in/b.wav' }], done: new Set() })).toHaveLength(1);
  expect(joinedResult([])).toBeNull();
});
