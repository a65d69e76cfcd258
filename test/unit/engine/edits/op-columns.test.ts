import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EditRecord, StoredOp } from '../../../../electron/engine/edits/journal/edit-row.ts';
import { EditStore } from '../../../../electron/engine/edits/journal/edit-store.ts';
import { kindBits } from '../../../../electron/engine/edits/journal/op-kinds.ts';
import { type Database, openDatabase } from '../../../../electron/engine/store/database.ts';
import { MIGRATIONS } from '../../../../electron/engine/store/migrations.ts';
import { type AnyOp, COLLECTION_OP_VERSIONS } from '../../../../shared/model/edits/collection-ops.ts';
import { OP_VERSIONS } from '../../../../shared/model/edits/edit-ops.ts';

let database: Database;
beforeEach(async () => {
  database = await openDatabase(':memory:');
});
afterEach(() => database.close());

const KINDS = Object.keys({ ...OP_VERSIONS, ...COLLECTION_OP_VERSIONS }) as AnyOp['kind'][];
const open = (op: object): StoredOp => ({ op: op as AnyOp, outcome: null });
const sent = (op: object): StoredOp => ({ op: op as AnyOp, outcome: 'sent' });
const columnsOf = (entityId: string) =>
  database.prepare('SELECT op_kinds, is_linked FROM edits WHERE entity_id = $entityId').get({ entityId });

/** Ops with the expected columns of their record. */
const CASES: readonly [name: string, ops: readonly StoredOp[], columns: object][] = [
  ...KINDS.map((kind): [string, StoredOp[], object] => [
    kind,
    [open({ kind, v: 1, parentId: '1', base: '1', mine: '2' })],
    { op_kinds: kindBits([kind]), is_linked: 0 },
  ]),
  [
    'two ops of one kind, and one of another',
    [
      open({ kind: 'add-tag', v: 1, tag: 'a' }),
      sent({ kind: 'add-tag', v: 1, tag: 'b' }),
      open({ kind: 'delete', v: 1 }),
    ],
    { op_kinds: kindBits(['add-tag', 'delete']), is_linked: 0 },
  ],
  [
    'a new collection in another new collection',
    [open({ kind: 'create-collection', v: 1, parentId: 'local:1', values: {} })],
    { op_kinds: kindBits(['create-collection']), is_linked: 1 },
  ],
  [
    'an item that is moved to a new collection',
    [open({ kind: 'move-collection', v: 1, base: '1', mine: 'local:1' })],
    { op_kinds: kindBits(['move-collection']), is_linked: 1 },
  ],
  [
    'a text that contains names of columns and kinds',
    [open({ kind: 'set-field', v: 1, field: 'title', base: '', mine: '"kind":"delete" "outcome":"sent" "local:1' })],
    { op_kinds: kindBits(['set-field']), is_linked: 0 },
  ],
];

it('each kind of op has a bit of its own', () => {
  expect(new Set(KINDS.map((kind) => kindBits([kind]))).size).toBe(KINDS.length);
  expect(kindBits(KINDS)).toBe(2 ** KINDS.length - 1);
});

it.each(CASES)('the columns of an edit follow from its ops when added and when saved: %s', (_, ops, columns) => {
  for (const step of MIGRATIONS) database.exec(step);
  const store = new EditStore(database);
  const group = {
    id: 'g',
    siteId: 'site',
    label: '',
    change: null,
    items: 1,
    firstName: '',
    undoes: null,
    createdAt: 1,
  };
  const seq = store.beginGroup(group);
  store.addEdits(seq, 'site', [{ entityId: 'added', name: '', ops }], 1);
  expect(columnsOf('added')).toEqual(columns);
  store.addEdits(seq, 'site', [{ entityId: 'saved', name: '', ops: [open({ kind: 'unpublish', v: 1 })] }], 1);
  const [, before] = store.byGroup(seq);
  store.save({ ...(before as EditRecord), ops });
  expect(columnsOf('saved')).toEqual(columns);
  // `ops: null` means that the stored ops can't be read: they and their columns stay.
  store.save({ ...(before as EditRecord), ops: null });
  expect(columnsOf('saved')).toEqual(columns);
});

it('the migration fills the columns of the edits of an earlier version, also beside damaged edits', () => {
  const upgrade = MIGRATIONS.findIndex((step) => step.includes('op_kinds'));
  for (const step of MIGRATIONS.slice(0, upgrade)) database.exec(step);
  database.exec(`INSERT INTO edit_groups (id, site_id, label, items, first_name, is_complete, created_at)
    VALUES ('g', 'site', '', 1, '', 1, 1)`);
  const insert = database.prepare(`INSERT INTO edits
    (group_seq, site_id, entity_kind, entity_id, name, ops, state, attempts, created_at)
    VALUES (1, 'site', 'media', $name, '', $ops, 'pending', 0, 1)`);
  for (const [name, ops] of CASES) insert.run({ name, ops: JSON.stringify(ops) });
  insert.run({ name: 'damaged', ops: '[{"op":{"kind":"delete"' });
  for (const step of MIGRATIONS.slice(upgrade)) database.exec(step);
  for (const [name, , columns] of CASES) expect([name, columnsOf(name)]).toEqual([name, columns]);
  expect(columnsOf('damaged')).toEqual({ op_kinds: 0, is_linked: 0 });
});
