import { describe, expect, it } from 'vitest';
import type { UploadRow } from '../../../shared/contract/uploads.ts';
import { ALL_CASES } from '../../unusual-servers/cases/all.ts';
import type { ExchangeReport, ItemReport } from '../../unusual-servers/server/report.ts';
import { AREAS, type UnusualCase } from '../../unusual-servers/suite/case.ts';
import { judge } from '../../unusual-servers/suite/judge.ts';
import type { Outcome } from '../../unusual-servers/suite/outcome.ts';
import { tableOf } from '../../unusual-servers/suite/table.ts';

const CASE: UnusualCase = {
  id: 'creation.sample',
  area: 'creation',
  name: 'is a sample',
  server: {},
  files: [{ name: 'Lecture.mp4', bytes: 1_000 }],
};
const HASH = 'a'.repeat(64);
const FILE = { id: '2', name: 'Lecture.mp4', type: 'video', status: 'complete', encodedFromId: null, sha256: HASH };
const ITEM: ItemReport = {
  id: '1',
  title: 'Lecture',
  status: 'draft',
  publishOn: null,
  tags: [],
  thumbs: [],
  files: [{ ...FILE, sentName: 'Lecture.mp4' }],
};
const ROW = {
  path: '/in/Lecture.mp4',
  fileName: 'Lecture.mp4',
  title: 'Lecture',
  state: 'complete',
  error: null,
  attempts: 0,
  sha256: HASH,
  mediaId: '1',
  fileId: '2',
  followUps: [],
} as Partial<UploadRow> as UploadRow;
const FORM: ExchangeReport = {
  host: 'store',
  route: 'destination',
  method: 'POST',
  path: '/put/k1',
  at: 0,
  status: 204,
  bodyBytes: 1_400,
  hasToken: false,
};

function outcome(
  changes: { row?: Partial<UploadRow>; items?: ItemReport[]; exchanges?: ExchangeReport[] } = {},
): Outcome {
  const { row = {}, items = [ITEM], exchanges = [FORM] } = changes;
  return {
    rows: [{ ...ROW, ...row }],
    hashes: new Map([[ROW.path, HASH]]),
    errors: new Map(),
    library: { items, deletedItems: 0, deletedFiles: 0, exchanges, faults: [] },
    beforeUpload: 0,
    tookMs: 1_000,
    unfinished: null,
  };
}
const withFile = (change: object): ItemReport[] => [
  { ...ITEM, files: ITEM.files.map((file) => ({ ...file, ...change })) },
];

describe('the judge', () => {
  it('reports nothing when every file is in the library once', () => {
    expect(judge(CASE, outcome())).toEqual([]);
  });

  it.each<[string, Outcome, RegExp]>([
    ['a row that failed', outcome({ row: { state: 'failed' } }), /is failed, not complete/],
    ['one retry too many', outcome({ row: { attempts: 1 } }), /used up 1 retries/],
    ['a second, empty item', outcome({ items: [ITEM, { ...ITEM, id: '9', files: [] }] }), /2 items for 1 files/],
    ['the same bytes in two items', outcome({ items: [ITEM, { ...ITEM, id: '9' }] }), /is in 2 items/],
    ['other bytes', outcome({ items: withFile({ sha256: 'b'.repeat(64) }) }), /is in 0 items/],
    [
      'a file twice in its item',
      outcome({ items: [{ ...ITEM, files: [...ITEM.files, ...ITEM.files] }] }),
      /has 2 files/,
    ],
    [
      'a placeholder left behind',
      outcome({ items: [{ ...ITEM, files: [...ITEM.files, { ...FILE, sha256: null, sentName: null }] }] }),
      /1 other files/,
    ],
    ['another title', outcome({ items: [{ ...ITEM, title: 'Other' }] }), /has the title "Other"/],
    [
      'a publication that was not requested',
      outcome({ items: [{ ...ITEM, status: 'published' }] }),
      /is published, not draft/,
    ],
    ['a row that names another item', outcome({ row: { mediaId: '7' } }), /names item 7, not 1/],
    ['a row without its hash', outcome({ row: { sha256: null } }), /shows the hash null/],
    ['a damaged file name', outcome({ items: withFile({ sentName: 'x' }) }), /named the file x/],
    ['bytes sent twice', outcome({ exchanges: [FORM, FORM] }), /2 forms were sent/],
    ['more bytes than the file has', outcome({ exchanges: [{ ...FORM, bodyBytes: 20_000 }] }), /20000 bytes were sent/],
    [
      'a token at another origin',
      outcome({ exchanges: [{ ...FORM, hasToken: true }] }),
      /A token went to another origin/,
    ],
    [
      'too many requests',
      outcome({ exchanges: Array.from({ length: 40 }, () => ({ ...FORM, host: 'site', route: 'file' })) }),
      /40 requests/,
    ],
    ['an engine that does not become idle', { ...outcome(), unfinished: 'Not at rest.' }, /Not at rest/],
    [
      'a fault of the server itself',
      { ...outcome(), library: { ...outcome().library, faults: ['TypeError'] } },
      /TypeError/,
    ],
  ])('reports %s', (_, given, message) => {
    expect(judge(CASE, given).join('\n')).toMatch(message);
  });

  it('reports a file that arrived although its refusal was expected', () => {
    const wrong = judge({ ...CASE, expect: { fails: 'api.forbidden' } }, outcome());
    expect(wrong.join('\n')).toMatch(/is complete, not failed/);
  });
});

describe('the cases of unusual servers', () => {
  it('have unique ids that begin with their area', () => {
    expect(new Set(ALL_CASES.map(({ id }) => id)).size).toBe(ALL_CASES.length);
    expect(ALL_CASES.filter(({ id, area }) => !id.startsWith(`${area}.`))).toEqual([]);
  });

  it('cover every area', () => {
    expect(new Set(ALL_CASES.map(({ area }) => area))).toEqual(new Set(Object.keys(AREAS)));
  });

  it('are reported by area with the failures', () => {
    const table = tableOf([
      { case: CASE, wrong: [], tookMs: 1 },
      { case: { ...CASE, id: 'creation.other' }, wrong: ['It broke.'], tookMs: 1 },
    ]);
    expect(table).toMatch(/Creating an item +1 +1\n/);
    expect(table).toContain('creation.other: is a sample\n  It broke.');
  });
});
