import { afterEach, beforeEach, expect, it } from 'vitest';
import { EditJournal } from '../../../../electron/engine/edits/journal/edit-journal.ts';
import type { StoredOp } from '../../../../electron/engine/edits/journal/edit-row.ts';
import { EditStore } from '../../../../electron/engine/edits/journal/edit-store.ts';
import type { SentItem } from '../../../../electron/engine/library/items/restored-item.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../../../electron/engine/ports/system/node-random.ts';
import { type Database, openDatabase } from '../../../../electron/engine/store/database.ts';
import { MIGRATIONS } from '../../../../electron/engine/store/migrations.ts';

let database: Database;
beforeEach(async () => {
  database = await openDatabase(':memory:');
});
afterEach(() => database.close());

const SENT: SentItem = { collectionId: '1', title: 'Talk', known: [], valuesSum: '', sentAt: 1, endedAt: null };
const titleOp = (sentItems?: readonly SentItem[]): StoredOp => ({
  op: { kind: 'set-field', v: 1, field: 'title', base: 'Talk', mine: 'Mine' },
  outcome: null,
  ...(sentItems === undefined ? {} : { sentItems }),
});

it('an edit whose item may have been created again is listed until the request is refused or the edit dropped', async () => {
  for (const step of MIGRATIONS) database.exec(step);
  const store = new EditStore(database);
  const journal = new EditJournal(store, { clock: nodeClock, random: nodeRandom });
  const edits = ['1', '2'].map((entityId) => ({ entityId, name: 'Talk', ops: [titleOp()] }));
  const { seq } = await journal.add({ siteId: 'site', label: '', change: null, undoes: null, edits });
  const listed = () => store.restoring('site').map(({ entityId }) => entityId);
  const save = (sentItems: readonly SentItem[], state: 'refused' | 'dropped') => {
    const [before] = store.byGroup(seq);
    if (before === undefined) throw new Error('no edit');
    journal.record([{ before, after: { ...before, ops: [titleOp(sentItems)], state } }]);
  };
  expect(listed()).toEqual([]);
  save([SENT], 'refused');
  expect(listed()).toEqual(['1']);
  expect(store.restoring('other site')).toEqual([]);
  // The library refused the request.
  save([], 'refused');
  expect(listed()).toEqual([]);
  save([SENT], 'dropped');
  expect(listed()).toEqual([]);
});

it('open edits in a queue of an earlier version are listed when their item may have been created again', () => {
  const upgrade = MIGRATIONS.findIndex((step) => step.includes('items_sent'));
  for (const step of MIGRATIONS.slice(0, upgrade)) database.exec(step);
  database.exec(`INSERT INTO edit_groups (id, site_id, label, items, first_name, is_complete, created_at)
    VALUES ('g', 'site', '', 4, '', 1, 1)`);
  const insert = database.prepare(`INSERT INTO edits
    (group_seq, site_id, entity_kind, entity_id, name, ops, state, attempts, created_at)
    VALUES (1, 'site', 'media', $id, '', $ops, $state, 0, 1)`);
  const rows = [
    { id: 'sent', ops: JSON.stringify([titleOp([SENT])]), state: 'refused' },
    { id: 'refused', ops: JSON.stringify([titleOp([])]), state: 'refused' },
    { id: 'dropped', ops: JSON.stringify([titleOp([SENT])]), state: 'dropped' },
    { id: 'damaged', ops: '[{"sentItems":[', state: 'refused' },
  ];
  for (const row of rows) insert.run(row);
  for (const step of MIGRATIONS.slice(upgrade)) database.exec(step);
  expect(new EditStore(database).restoring('site').map(({ entityId }) => entityId)).toEqual(['sent']);
});
