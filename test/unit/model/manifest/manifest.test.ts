import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EditableMedia } from '../../../../shared/model/edits/edit-ops.ts';
import { type CellContext, cellOf, readTags } from '../../../../shared/model/manifest/cells.ts';
import { type CheckedRows, checkRows } from '../../../../shared/model/manifest/check-rows.ts';
import { readDate, writeDate, writeLocalDate } from '../../../../shared/model/manifest/dates.ts';
import {
  HEADERS,
  MANIFEST_FIELDS,
  type ManifestField,
  mappingProblem,
  suggestMapping,
} from '../../../../shared/model/manifest/fields.ts';
import type { RowContext } from '../../../../shared/model/manifest/read-row.ts';

const NOW = Date.UTC(2031, 0, 1);
const PATHS: Record<string, string[]> = {
  7: ['Library', 'Science', 'Physics'],
  8: ['Library', 'Science', 'Chemistry'],
  9: ['Library', 'Rock / Pop'],
};
const context: RowContext = {
  timeZone: 'Europe/Vienna',
  pathOf: (id) => PATHS[id] ?? null,
  hasCollection: (id) => id in PATHS,
  findCollection(ref) {
    if (ref === 'twice') return { kind: 'several' };
    const id = Object.keys(PATHS).find((each) => PATHS[each]?.join(' / ') === ref || PATHS[each]?.at(-1) === ref);
    return id === undefined ? { kind: 'none' } : { kind: 'one', id };
  },
  nowMs: NOW,
};

function item(values: Partial<EditableMedia> = {}): EditableMedia {
  return {
    id: '00123456789012345678',
    title: 'Talk',
    byline: '',
    description: '<p>Text</p>',
    tags: ['a', 'b'],
    collectionId: '7',
    status: 'draft',
    publishOn: null,
    ...values,
  };
}

const scheduled = { status: 'scheduled', publishOn: '2031-05-06T07:00:00Z' };
const published = { status: 'published', publishOn: '2030-05-06T07:00:00Z' };

/** Checks one row with these cells. */
function check(present: EditableMedia, cells: Partial<Record<ManifestField, string>>): CheckedRows {
  const fields = MANIFEST_FIELDS.filter((field) => field === 'id' || cells[field] !== undefined);
  return checkRows({
    rows: [{ row: 2, line: 2, cells: fields.map((field) => cells[field] ?? `m:${present.id}`) }],
    width: fields.length,
    mapping: fields,
    items: new Map([[present.id, { effective: present, truth: present }]]),
    context,
  });
}
const opsOf = (present: EditableMedia, cells: Partial<Record<ManifestField, string>>) => {
  const { planned, problems } = check(present, cells);
  expect(problems).toEqual([]);
  return planned[0]?.ops ?? [];
};
const codesOf = (present: EditableMedia, cells: Partial<Record<ManifestField, string>>) => {
  const { planned, problems } = check(present, cells);
  expect(planned).toEqual([]);
  return problems.map(({ code }) => code);
};
const exported = (present: EditableMedia, other: CellContext = context) =>
  Object.fromEntries(MANIFEST_FIELDS.map((field) => [field, cellOf(field, present, other)])) as Record<
    ManifestField,
    string
  >;

describe('a row of a spreadsheet', () => {
  it('changes nothing when an export wrote it, for any item and in any zone', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '=', "'", '<', '|', '\\', '\r', '\n', ' ', 'm:', '<clear>', '"', '#N/A'),
    });
    const arbitrary = fc.record({
      id: fc.constantFrom('1', '007', '99999999999999999999', 'a-b'),
      title: text.filter((each) => each.trim() !== ''),
      byline: text,
      description: text,
      tags: fc.array(text.filter((each) => each.trim() !== '')),
      collectionId: fc.constantFrom('7', '8', '9', '404'),
      status: fc.constantFrom('draft', 'scheduled', 'published', 'archived'),
      publishOn: fc.option(
        fc.date({ min: new Date(0), max: new Date('2099-01-01'), noInvalidDate: true }).map((at) => at.toISOString()),
      ),
    });
    fc.assert(
      fc.property(
        arbitrary,
        fc.constantFrom('UTC', 'Europe/Vienna', 'America/St_Johns', 'Asia/Kathmandu'),
        (present, timeZone) => {
          const cells = exported(present, { ...context, timeZone });
          expect(check(present, cells)).toMatchObject({ planned: [], problems: [], unchanged: 1 });
          // Spreadsheet programs change line ends.
          const unix = Object.fromEntries(
            Object.entries(cells).map(([field, cell]) => [field, cell.replace(/\r\n?/g, '\n')]),
          );
          expect(check(present, unix)).toMatchObject({ planned: [], problems: [], unchanged: 1 });
        },
      ),
      { numRuns: 500 },
    );
  });

  it('changes only the field of the changed cell', () => {
    expect(opsOf(item(), { ...exported(item()), title: 'New' })).toEqual([
      { kind: 'set-field', v: 1, field: 'title', base: 'Talk', mine: 'New' },
    ]);
  });

  it('changes nothing for an empty cell, and empties a field for <clear>', () => {
    expect(opsOf(item(), { byline: '', title: '', tags: ' ', description: '' })).toEqual([]);
    expect(opsOf(item(), { description: '<clear>' })).toMatchObject([{ field: 'description', mine: '' }]);
    expect(opsOf(item(), { tags: '<Clear>' })).toMatchObject([
      { kind: 'remove-tag', tag: 'a' },
      { kind: 'remove-tag', tag: 'b' },
    ]);
    expect(codesOf(item(), { title: '<clear>' })).toEqual(['edit.title-empty']);
    expect(codesOf(item(), { collection: '<clear>', status: '<clear>' })).toEqual([
      'manifest.cant-clear',
      'manifest.cant-clear',
    ]);
  });

  it('reads a protected formula as its text', () => {
    expect(opsOf(item(), { title: "'=SUM(A1)" })).toMatchObject([{ mine: '=SUM(A1)' }]);
    expect(opsOf(item({ title: '=1+1' }), { title: "'=1+1" })).toEqual([]);
  });

  it('compares tags as sets, whatever their order and letter case', () => {
    expect(opsOf(item(), { tags: 'B| a ' })).toEqual([]);
    expect(opsOf(item(), { tags: 'a|c' })).toMatchObject([
      { kind: 'remove-tag', tag: 'b' },
      { kind: 'add-tag', tag: 'c' },
    ]);
    expect(readTags('a\\|b|c\\\\|')).toEqual(['a|b', 'c\\']);
    expect(codesOf(item(), { tags: 'x'.repeat(201) })).toEqual(['manifest.tags-limit']);
  });

  it('finds collections by id, path or name', () => {
    for (const text of ['c:8', 'Library / Science / Chemistry', 'Chemistry']) {
      expect(opsOf(item(), { collection: text })).toMatchObject([{ kind: 'move-collection', base: '7', mine: '8' }]);
    }
    // A path that would be read as another value is written as an id.
    expect(cellOf('collection', item({ collectionId: '9' }), context)).toBe('c:9');
    expect(codesOf(item(), { collection: 'Biology' })).toEqual(['manifest.collection-unknown']);
    expect(codesOf(item(), { collection: 'c:404' })).toEqual(['manifest.collection-unknown']);
    expect(codesOf(item(), { collection: 'twice' })).toEqual(['manifest.collection-ambiguous']);
  });

  it.each([
    ['schedules a draft', item(), { publishOn: '2031-05-06T09:00' }, { at: '2031-05-06T07:00:00Z' }],
    ['reads LibreOffice’s time', item(), { publishOn: '2031-05-06 9:00:00' }, { at: '2031-05-06T07:00:00Z' }],
    [
      'schedules a draft that also has the status “scheduled”',
      item(),
      { status: 'scheduled', publishOn: '2031-05-06' },
      { at: '2031-05-05T22:00:00Z' },
    ],
    ['moves a publish time', item(scheduled), { publishOn: '2031-05-06T10:00Z' }, { at: '2031-05-06T10:00:00Z' }],
    [
      'schedules a published item again',
      item(published),
      { status: 'scheduled', publishOn: '2031-06-01T00:00Z' },
      { at: '2031-06-01T00:00:00Z' },
    ],
    ['publishes a draft now', item(), { status: 'Published' }, 'now'],
  ])('%s', (_, present, cells, when) => {
    expect(opsOf(present, cells)).toMatchObject([{ kind: 'publish', when }]);
  });

  it('unpublishes an item by the status “draft”, also when the exported time is still in its cell', () => {
    expect(opsOf(item(scheduled), { ...exported(item(scheduled)), status: 'draft' })).toMatchObject([
      { kind: 'unpublish' },
    ]);
    expect(opsOf(item(scheduled), { status: 'draft', publishOn: '<clear>' })).toMatchObject([{ kind: 'unpublish' }]);
  });

  it.each([
    ['a status that doesn’t exist', item(), { status: 'public' }, 'manifest.status-unknown'],
    ['a draft with a time', item(scheduled), { status: 'draft', publishOn: '2031-05-07' }, 'manifest.status-date'],
    ['a published item with a new time', item(published), { publishOn: '2031-05-07' }, 'manifest.status-date'],
    ['a scheduled item without a time', item(), { status: 'scheduled' }, 'manifest.date-missing'],
    ['a scheduled item whose time has passed', item(published), { status: 'scheduled' }, 'manifest.date-missing'],
    ['a time in the past', item(), { publishOn: '2030-12-31T23:00Z' }, 'manifest.date-passed'],
    ['a cleared time', item(scheduled), { publishOn: '<clear>' }, 'manifest.date-cleared'],
    ['a date in the format of one country', item(), { publishOn: '6/5/2031' }, 'manifest.date-unreadable'],
    ['a day that doesn’t exist', item(), { publishOn: '2031-02-31T09:00Z' }, 'manifest.date-unreadable'],
    [
      'a time that the change to daylight saving time skips',
      item(),
      { publishOn: '2031-03-30T02:30' },
      'manifest.date-skipped',
    ],
    ['a time that occurs twice', item(), { publishOn: '2031-10-26T02:30' }, 'manifest.date-twice'],
    [
      'an offset that contradicts the zone',
      item(),
      { publishOn: '2031-05-06T09:00+05:00[Europe/Vienna]' },
      'manifest.date-zone',
    ],
    ['a zone that doesn’t exist', item(), { publishOn: '2031-05-06T09:00[Mars/Olympus]' }, 'manifest.date-zone'],
    ['a formula that failed', item(), { title: '#REF!' }, 'manifest.formula-failed'],
    ['a formula without a result', item(), { title: '#NOT_CALCULATED!' }, 'manifest.formula-not-calculated'],
    ['a title that is too long', item(), { title: 'x'.repeat(1001) }, 'edit.too-long'],
  ])('refuses %s', (_, present, cells, code) => {
    expect(codesOf(present, cells)).toEqual([code]);
  });

  it('reports every invalid cell, and changes none of its fields', () => {
    const { planned, problems, badRows } = check(item(), { title: 'New', status: 'x', collection: 'y' });
    expect(planned).toEqual([]);
    expect(badRows).toBe(1);
    expect(problems).toMatchObject([
      { row: 2, column: 2, value: 'y' },
      { row: 2, column: 3, value: 'x' },
    ]);
  });
});

describe('the id of a row', () => {
  const rows = (cells: string[][]) =>
    checkRows({
      rows: cells.map((each, index) => ({ row: index + 2, line: null, cells: each })),
      width: 2,
      mapping: ['id', 'title'],
      items: new Map([['007', { effective: item({ id: '007' }), truth: item({ id: '007' }) }]]),
      context,
    }).problems.map(({ row, column, code }) => [row, column, code]);

  it.each(['m:007', '007', ' m:007 ', 'm: 007'])('is read from %j', (id) => expect(rows([[id, 'x']])).toEqual([]));

  it('causes an error of its own when it is missing, rounded, unknown or repeated', () => {
    expect(
      rows([
        ['', 'x'],
        ['1.23456789012346E+19', 'x'],
        ['1,2e+19', 'x'],
        ['7', 'x'],
        ['m:007', 'x'],
        ['007', 'y'],
        ['m:007', 'x', 'y'],
      ]),
    ).toEqual([
      [2, 0, 'manifest.id-missing'],
      [3, 0, 'manifest.id-damaged'],
      [4, 0, 'manifest.id-damaged'],
      [5, 0, 'manifest.item-unknown'],
      [7, 0, 'manifest.id-twice'],
      [8, 2, 'manifest.row-too-wide'],
    ]);
  });
});

describe('the columns of a spreadsheet', () => {
  it('are recognized by their headers, in any letter case', () => {
    expect(suggestMapping(['ID', 'Title *', 'Publish-On', 'Keywords', 'Notes', 'type', ''])).toEqual([
      'id',
      'title',
      'publishOn',
      'tags',
      null,
      null,
      null,
    ]);
    const headers = Object.values(HEADERS);
    const shownOnly = headers.slice(MANIFEST_FIELDS.length).map(() => null);
    expect(suggestMapping(headers)).toEqual([...MANIFEST_FIELDS, ...shownOnly]);
  });

  it('are matched by their exact names before similar ones, and never two to one field', () => {
    expect(suggestMapping(['name', 'title', 'date', 'published', 'id', 'id'])).toEqual([
      null,
      'title',
      'publishOn',
      null,
      'id',
      null,
    ]);
    expect(mappingProblem(['id', 'title', 'title'])).toEqual({ kind: 'twice', field: 'title', column: 2 });
    expect(mappingProblem(['title'])).toEqual({ kind: 'no-id' });
    expect(mappingProblem(['id', null])).toEqual({ kind: 'no-fields' });
    expect(mappingProblem(['id', null, 'tags'])).toBeNull();
  });
});

describe('dates', () => {
  it('are parsed to the same instant, in every zone and also during a clock change', () => {
    const zones = [
      'UTC',
      'Europe/Vienna',
      'America/New_York',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Pacific/Kiritimati',
      'Etc/GMT-1',
      '+05:30',
    ];
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000_000_000 }),
        fc.constantFrom(...zones),
        fc.constantFrom(...zones),
        (second, zone, other) => {
          const at = second * 1000;
          expect(readDate(writeDate(at, zone), other)).toEqual({ kind: 'at', at });
          expect(readDate(writeLocalDate(at, zone), zone)).toEqual({ kind: 'at', at });
        },
      ),
      { numRuns: 400 },
    );
    for (const at of [Date.UTC(2031, 9, 26, 0, 30), Date.UTC(2031, 9, 26, 1, 30)]) {
      expect(readDate(writeDate(at, 'Europe/Vienna'), 'UTC')).toEqual({ kind: 'at', at });
    }
  });

  it('are parsed to the same instant every ten minutes of the days around a clock change', () => {
    const changes: [string, number][] = [
      ['Europe/Vienna', Date.UTC(2031, 9, 26)],
      ['America/St_Johns', Date.UTC(2031, 2, 9)],
      ['Australia/Lord_Howe', Date.UTC(2031, 3, 6)],
      // Samoa changed the side of the date line: 30 December did not occur.
      ['Pacific/Apia', Date.UTC(2011, 11, 30)],
    ];
    for (const [zone, day] of changes) {
      for (let at = day - 3 * 86_400_000; at < day + 3 * 86_400_000; at += 600_000) {
        const text = writeLocalDate(at, zone);
        expect(readDate(text, zone), `${text} in ${zone}`).toEqual({ kind: 'at', at });
      }
    }
  });

  it('have no offset and no zone on the screen, unless the local time exists twice', () => {
    const vienna = (...utc: [number, number, number, number, number, number?]) =>
      writeLocalDate(Date.UTC(...utc), 'Europe/Vienna');
    expect(vienna(2031, 4, 6, 7, 8)).toBe('2031-05-06 09:08');
    expect(vienna(2031, 4, 6, 7, 8, 9)).toBe('2031-05-06 09:08:09');
    expect(vienna(2031, 9, 26, 0, 30)).toBe('2031-10-26T02:30:00+02:00[Europe/Vienna]');
  });

  it('have their offset and zone in an export', () => {
    expect(writeDate(Date.UTC(2031, 4, 6, 7, 8, 9), 'Europe/Vienna')).toBe('2031-05-06T09:08:09+02:00[Europe/Vienna]');
    expect(writeDate(Date.UTC(2031, 0, 6), 'America/St_Johns')).toBe('2031-01-05T20:30:00-03:30[America/St_Johns]');
  });
});
