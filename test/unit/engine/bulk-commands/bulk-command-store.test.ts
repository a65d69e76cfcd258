import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BulkCommandStore } from '../../../../electron/engine/bulk-commands/bulk-command-store.ts';
import { kindBits } from '../../../../electron/engine/edits/journal/op-kinds.ts';
import { type Database, openDatabase } from '../../../../electron/engine/store/database.ts';
import { MIGRATIONS } from '../../../../electron/engine/store/migrations.ts';
import { fromRanges, toRanges } from '../../../../electron/engine/store/row-ranges.ts';
import { textSum } from '../../../../shared/model/text-sum.ts';

const NAMES = ['cancel', 'undo'] as const;

let database: Database;
beforeEach(async () => {
  database = await openDatabase(':memory:');
});
afterEach(() => database.close());

function migrate(from = 0, to = MIGRATIONS.length): void {
  for (const step of MIGRATIONS.slice(from, to)) database.exec(step);
}

const storeOf = (part: 'uploads' | 'edits') => new BulkCommandStore(database, part);

describe('a stored command', () => {
  it('is read with its rows, its parameters and its progress, by its own part', () => {
    migrate();
    const store = storeOf('edits');
    const { id } = store.begin({ name: 'undo', numbers: [3, 4, 9], parameters: '7' }, 1);
    store.advance(id, 2);
    const expected = { id, name: 'undo', numbers: [3, 4, 9], parameters: '7', done: 2 };
    expect(store.pending(NAMES)).toEqual({ commands: [expected], damaged: [] });
    expect([store.has('undo', '7'), store.has('undo', '8'), store.has('cancel', '7')]).toEqual([true, false, false]);
    expect(storeOf('uploads').pending(NAMES)).toEqual({ commands: [], damaged: [] });
    expect(storeOf('uploads').has('undo', '7')).toBe(false);
    store.end(id);
    expect(store.pending(NAMES).commands).toEqual([]);
  });

  it('is stored together with what belongs to it, or not at all', () => {
    migrate();
    const alongside = () => {
      throw new Error('full');
    };
    expect(() => storeOf('edits').begin({ name: 'undo', numbers: [1], alongside }, 1)).toThrow('full');
    expect(storeOf('edits').pending(NAMES).commands).toEqual([]);
  });

  it.each([
    ['numbers', `'[[1,'`],
    ['numbers', `'[[4,6],[1,2]]'`],
    ['numbers', `'[[1,99999999999]]'`],
    ['numbers', `'[[1,3]]'`],
    ['parameters', `'8'`],
    ['sum', `'0000000000000000'`],
    ['name', `'dance'`],
    ['part', `'editz'`],
    ['done', '3'],
    ['done', '-1'],
  ])('is reported as damaged, beside sound ones, when its %s became %s', (column, value) => {
    migrate();
    const store = storeOf('edits');
    const sound = store.begin({ name: 'cancel', numbers: [1, 2], parameters: '7' }, 1);
    const damaged = store.begin({ name: 'cancel', numbers: [1, 2], parameters: '7' }, 1);
    database.exec(`UPDATE bulk_commands SET ${column} = ${value} WHERE id = ${damaged.id}`);
    expect(store.pending(NAMES)).toEqual({ commands: [sound], damaged: [damaged.id] });
  });
});

describe('the rows of a command', () => {
  it('are returned unchanged from their ranges, which contain consecutive rows in a few characters', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 300 })), (numbers) => {
        const sorted = numbers.sort((a, b) => a - b);
        expect(fromRanges(JSON.stringify(toRanges(sorted)))).toEqual(sorted);
      }),
    );
    expect(JSON.stringify(toRanges(Array.from({ length: 100_000 }, (_, index) => index + 1)))).toBe('[[1,100000]]');
  });

  it.each(['', '{}', '[1]', '[[5,3]]', '[[3,4],[4,5]]', '[[0,2]]', '[[1,1.5]]', '[[1,99999999]]'])(
    'are refused as damaged when their stored ranges are %s',
    (text) => {
      expect(fromRanges(text)).toBeNull();
    },
  );
});

describe('the commands about uploads of an earlier version', () => {
  const version = MIGRATIONS.findIndex((step) => step.includes('DROP TABLE commands'));

  it('keep their order and their rows, and continue behind the last processed row', () => {
    migrate(0, version);
    database.exec(`INSERT INTO commands (name, numbers, after_number, given_at) VALUES
      ('cancel', '[[2,5],[8,9]]', 0, 1), ('undo', '[[2,5],[8,9]]', 4, 2), ('cancel', '[[2,5],[8,9]]', 8, 3),
      ('cancel', '[[7,7]]', 7, 4)`);
    migrate(version);
    const numbers = [2, 3, 4, 5, 8, 9];
    expect(storeOf('uploads').pending(NAMES)).toEqual({
      damaged: [],
      commands: [
        { id: 1, name: 'cancel', numbers, parameters: '', done: 0 },
        { id: 2, name: 'undo', numbers, parameters: '', done: 3 },
        { id: 3, name: 'cancel', numbers, parameters: '', done: 5 },
        { id: 4, name: 'cancel', numbers: [7], parameters: '', done: 1 },
      ],
    });
  });

  it('that were damaged do not prevent the migration, and are reported as damaged', () => {
    migrate(0, version);
    const damages = [
      '',
      '{"a":1}',
      '7',
      '[1]',
      '["x"]',
      '[[1]]',
      '[[1,"x"]]',
      '[[1,1e400]]',
      '[[1,2],null]',
      '[{"a":[1]}]',
    ];
    for (const numbers of damages)
      database
        .prepare(`INSERT INTO commands (name, numbers, after_number, given_at) VALUES ('cancel', $numbers, 5, 1)`)
        .run({ numbers });
    migrate(version);
    const { commands, damaged } = storeOf('uploads').pending(NAMES);
    expect([commands, damaged.length]).toEqual([[], damages.length]);
  });
});

describe('the commands about edits of an earlier version', () => {
  const version = MIGRATIONS.findIndex((step) => step.includes('DROP TABLE edit_drops'));
  const pending = () => storeOf('edits').pending(['drop', 'undo', 'redo']);

  beforeEach(() => migrate(0, version));

  function addGroup(seq: number, columns: Record<string, string | number> = {}): void {
    const all = {
      seq,
      id: `'g${seq}'`,
      site_id: `'s'`,
      label: `''`,
      items: 1,
      first_name: `''`,
      is_complete: 1,
      created_at: 1,
      ...columns,
    };
    database.exec(`INSERT INTO edit_groups (${Object.keys(all).join()}) VALUES (${Object.values(all).join()})`);
  }

  function addEdits(group: number, states: readonly string[], columns: Record<string, string | number> = {}): void {
    for (const state of states) {
      const all = {
        group_seq: group,
        site_id: `'s'`,
        entity_kind: `'media'`,
        entity_id: `'1'`,
        name: `''`,
        ops: `'[]'`,
        state: `'${state}'`,
        attempts: 0,
        created_at: 1,
        ...columns,
      };
      database.exec(`INSERT INTO edits (${Object.keys(all).join()}) VALUES (${Object.values(all).join()})`);
    }
  }

  it('keep an unfinished drop with its checksum, and report a damaged one', () => {
    const ranges = '[[1,3],[5,5]]';
    const insert = database.prepare(
      'INSERT INTO edit_drops (numbers, numbers_sum, given_at) VALUES ($ranges, $sum, 1)',
    );
    insert.run({ ranges, sum: textSum(ranges) });
    insert.run({ ranges: '[[1,4],[5,5]]', sum: textSum(ranges) });
    migrate(version);
    const command = { id: 1, name: 'drop', numbers: [1, 2, 3, 5], parameters: '', done: 0 };
    expect(pending()).toEqual({ commands: [command], damaged: [2] });
  });

  it('keep the undo of each group that has open, sent or unanswered edits, with the rows of its open edits', () => {
    for (const seq of [1, 2, 3, 4, 5, 6, 7, 8, 9]) addGroup(seq, { undone_at: 1 });
    addGroup(10);
    addGroup(11, { undone_at: 1, undone_by: `'g10'` });
    addGroup(12, { undone_at: 1, redone_by: `'g10'` });
    addGroup(13, { undone_at: 1, is_complete: 0 });
    addEdits(1, ['pending', 'dropped', 'held', 'conflict']);
    addEdits(2, ['dropped']);
    addEdits(1, ['refused']);
    addEdits(3, ['done'], { has_sent: 1, op_kinds: 1 });
    addEdits(4, ['left'], { has_sent: 1, op_kinds: 2 });
    addEdits(5, ['done'], { has_sent: 0, op_kinds: 1 });
    addEdits(6, ['done'], { has_sent: 1, op_kinds: kindBits(['delete']) });
    addEdits(7, ['done'], { has_sent: 1, op_kinds: kindBits(['add-embed', 'set-field']) });
    addEdits(8, ['dropped'], { unanswered: 2 });
    addEdits(9, ['dropped'], { unanswered: 1 });
    for (const group of [10, 11, 12, 13]) addEdits(group, ['pending']);
    migrate(version);
    const { commands, damaged } = pending();
    expect(damaged).toEqual([]);
    expect(commands.map(({ name, parameters, numbers, done }) => [name, parameters, numbers, done])).toEqual([
      ['undo', '1', [1, 3, 4, 6], 0],
      ['undo', '3', [], 0],
      ['undo', '4', [], 0],
      ['undo', '8', [], 0],
    ]);
  });

  it('keep the redo that was begun, with the rows of the undo that are open', () => {
    addGroup(1, { undone_at: 1, undone_by: `'g2'`, redo_at: 5 });
    addGroup(2, { undoes: `'g1'` });
    addGroup(3, { undone_at: 1, redo_at: 5 });
    addGroup(4, { undone_at: 1, redo_at: 5, redone_by: `'g2'` });
    addEdits(1, ['done']);
    addEdits(2, ['pending', 'pending', 'done', 'pending']);
    addEdits(3, ['dropped']);
    migrate(version);
    expect(pending().commands.map(({ name, parameters, numbers }) => [name, parameters, numbers])).toEqual([
      ['redo', '1', [2, 3, 5]],
      ['redo', '3', []],
    ]);
  });
});
