import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BulkEdits } from '../../../../electron/engine/edits/commands/bulk-edits.ts';
import { EditCommands } from '../../../../electron/engine/edits/commands/edit-commands.ts';
import { EditJournal } from '../../../../electron/engine/edits/journal/edit-journal.ts';
import { EditNumbers } from '../../../../electron/engine/edits/journal/edit-numbers.ts';
import type { StoredOp } from '../../../../electron/engine/edits/journal/edit-row.ts';
import { EditStore } from '../../../../electron/engine/edits/journal/edit-store.ts';
import { SendingLocks } from '../../../../electron/engine/edits/replay/sending-locks.ts';
import { silentLogger } from '../../../../electron/engine/ports/logger.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../../../electron/engine/ports/system/node-random.ts';
import { Scheduler } from '../../../../electron/engine/scheduler/scheduler.ts';
import { openDatabase } from '../../../../electron/engine/store/database.ts';
import { MIGRATIONS } from '../../../../electron/engine/store/migrations.ts';
import { openQueueStore } from '../../../../electron/engine/store/open-queue-store.ts';
import { takeQueueBack } from '../../../helpers/engine/queue-of-version.ts';

let dir: string;
let queue: Awaited<ReturnType<typeof openQueueStore>>;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-undo-'));
  queue = await openQueueStore(dir, nodeClock);
});
afterEach(() => {
  queue.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Creates the parts that change edits, as a start of the program does. `inFlight`: keys of items whose requests never end. */
function startProgram(inFlight: readonly string[] = [], logger = silentLogger) {
  const journal = new EditJournal(new EditStore(queue.database), { clock: nodeClock, random: nodeRandom });
  const isRunning = (key: string) => inFlight.includes(key);
  const whenNotRunning = (keys: readonly string[]) =>
    keys.length === 0 ? Promise.resolve() : new Promise<void>(() => {});
  const locks = new SendingLocks();
  const tools = {
    journal,
    clock: nodeClock,
    locks,
    isRunning,
    whenNotRunning,
    wake: () => {},
    onUnanswered: () => {},
    shownItem: () => null,
  };
  const commands = new EditCommands(tools);
  const scheduler = new Scheduler({ clock: nodeClock, logger });
  const numbers = new EditNumbers(queue.database);
  return { journal, locks, commands, bulk: new BulkEdits(commands, { ...tools, numbers, logger, scheduler }) };
}

/** The number of commands that are not complete. */
const unfinished = () => queue.database.prepare('SELECT count(*) AS n FROM bulk_commands').get()?.n;

const titleOp = (mine: string): StoredOp => ({
  op: { kind: 'set-field', v: 1, field: 'title', base: 'Talk', mine },
  outcome: null,
});

/** Reopens the queue as an earlier version left it, which stored no undo as a command: `sql` changes it before. */
async function openOlder(sql: string): Promise<void> {
  queue.close();
  const path = join(dir, 'queue.db');
  takeQueueBack(
    path,
    MIGRATIONS.findIndex((step) => step.includes('DROP TABLE edit_drops')),
  );
  const older = await openDatabase(path);
  older.exec(sql);
  older.close();
  queue = await openQueueStore(dir, nodeClock);
}

/** Stores an edit of the titles of two items, and records that the first one was sent. */
async function addHalfSent({ journal }: Pick<ReturnType<typeof startProgram>, 'journal'>): Promise<string> {
  const edits = ['1', '2'].map((entityId) => ({ entityId, name: 'Talk', ops: [titleOp('Mine')] }));
  const { id } = await journal.add({ siteId: 'site', label: '', change: null, undoes: null, edits });
  const [before] = journal.store.openOf('site', '1');
  if (before === undefined) throw new Error('no edit');
  const ops = [{ ...titleOp('Mine'), outcome: 'sent' as const, wrote: 'Mine' }];
  journal.record([{ before, after: { ...before, ops, state: 'done', endedAt: 1 } }]);
  return id;
}

/** Starts the program again, which completes the undo of a group of `addHalfSent` before anything of it is sent. */
async function expectCompletedUndo(groupId: string): Promise<void> {
  const next = startProgram();
  next.bulk.resume();
  expect(next.locks.isLocked('site')).toBe(true);
  await expect.poll(() => next.commands.group(groupId).undoneBy).not.toBeNull();
  expect(next.journal.store.openOf('site', '2')).toEqual([]);
  expect(openOps(next)).toMatchObject([{ op: { kind: 'set-field', base: 'Mine', mine: 'Talk' }, outcome: null }]);
  expect(unfinished()).toBe(0);
}

describe('an undo', () => {
  it('that the end of the program interrupts drops unsent edits and restores sent values at the next start', async () => {
    const first = startProgram(['site 2']);
    const groupId = await addHalfSent(first);
    void first.bulk.undo(groupId);
    const next = startProgram();
    next.bulk.resume();
    await expect.poll(() => next.commands.group(groupId).undoneBy).not.toBeNull();
    expect(next.journal.store.openOf('site', '2')).toEqual([]);
    expect(next.journal.store.openOf('site', '1').flatMap(({ ops }) => ops)).toMatchObject([
      { op: { kind: 'set-field', field: 'title', base: 'Mine', mine: 'Talk' }, outcome: null },
    ]);
    // The interrupted work is completed once: a third start has nothing to complete.
    startProgram().bulk.resume();
    await queue.database.whenDurable();
    expect(next.journal.store.openOf('site', '1')).toHaveLength(1);
  });

  it('that an earlier version began is completed: unsent edits are dropped, and sent values are restored', async () => {
    const first = startProgram();
    const groupId = await addHalfSent(first);
    const { undoneAt } = first.commands.group(groupId);
    expect(undoneAt).toBeNull();
    await openOlder(`UPDATE edit_groups SET undone_at = 5; UPDATE edits SET has_sent = 1 WHERE state = 'done'`);
    await expectCompletedUndo(groupId);
  });

  it('whose redo an earlier version began is redone: nothing of the undo is sent', async () => {
    const first = startProgram();
    const groupId = await addHalfSent(first);
    await first.bulk.undo(groupId);
    await openOlder(`UPDATE edit_groups SET redo_at = 5 WHERE undone_at IS NOT NULL`);
    const next = startProgram();
    next.bulk.resume();
    expect(next.locks.isLocked('site')).toBe(true);
    await expect.poll(() => next.commands.group(groupId).redoneBy).not.toBeNull();
    expect(next.journal.store.openOf('site', '1')).toEqual([]);
    expect(next.journal.store.openOf('site', '2')).toHaveLength(1);
    expect(unfinished()).toBe(0);
  });

  it('that waits for an edit in flight is not redone, and not repeated', async () => {
    const { bulk, journal } = startProgram(['site 2']);
    const groupId = await addHalfSent({ journal });
    void bulk.undo(groupId);
    await expect(bulk.redo(groupId)).rejects.toMatchObject({ code: 'edit.cant-redo' });
    await expect(bulk.undo(groupId)).rejects.toMatchObject({ code: 'edit.cant-undo' });
  });

  it('whose stored command is damaged is completed all the same: nothing of its group is sent', async () => {
    const first = startProgram(['site 2']);
    const groupId = await addHalfSent(first);
    void first.bulk.undo(groupId);
    queue.database.exec(`UPDATE bulk_commands SET numbers = '[[1,9]]'`);
    await expectCompletedUndo(groupId);
  });

  it('that was complete stays so when the command of another one is damaged', async () => {
    const first = startProgram();
    const edits = ['1', '2'].map((entityId) => ({ entityId, name: 'Talk', ops: [titleOp('Mine')] }));
    const { id } = await first.journal.add({ siteId: 'site', label: '', change: null, undoes: null, edits });
    expect(await first.bulk.undo(id)).toMatchObject({ dropped: 2, group: null });
    const { undoneAt } = first.commands.group(id);
    queue.database.exec(`INSERT INTO bulk_commands (part, name, numbers, parameters, done, given_at)
      VALUES ('edits', 'drop', '[[', '', 0, 1)`);
    const next = startProgram();
    next.bulk.resume();
    await expect.poll(() => unfinished()).toBe(0);
    expect(next.commands.group(id)).toMatchObject({ undoneAt, undoneBy: null });
    expect((await next.bulk.redo(id))?.items).toBe(2);
  });

  it('that a fault of the program ended is not redone before the next start completes it', async () => {
    const { bulk, journal, commands } = startProgram();
    const groupId = await addHalfSent({ journal });
    const { dropRecords } = commands;
    commands.dropRecords = () => {
      throw new Error('a fault');
    };
    await expect(bulk.undo(groupId)).rejects.toThrow('a fault');
    commands.dropRecords = dropRecords;
    await expect(bulk.redo(groupId)).rejects.toMatchObject({ code: 'edit.cant-redo' });
  });

  it('of a group that does not exist is removed by the next start', async () => {
    const { journal, bulk } = startProgram();
    journal.store.commands.begin({ name: 'undo', numbers: [], parameters: '99' }, 1);
    bulk.resume();
    await expect.poll(() => unfinished()).toBe(0);
  });

  it('restores what the library had accepted, without reporting it as dropped', async () => {
    const first = startProgram();
    const edits = ['1', '2'].map((entityId) => ({ entityId, name: 'Talk', ops: [titleOp('Mine')] }));
    const { id } = await first.journal.add({ siteId: 'site', label: '', change: null, undoes: null, edits });
    const [before] = first.journal.store.openOf('site', '1');
    if (before === undefined) throw new Error('no edit');
    first.journal.record([{ before, after: { ...before, ops: [{ ...titleOp('Mine'), isAccepted: true }] } }]);
    const next = startProgram();
    expect(await next.bulk.undo(id)).toMatchObject({ dropped: 1, restoring: 1 });
    expect(next.journal.store.openOf('site', '1').flatMap(({ ops }) => ops)).toMatchObject([
      { op: { kind: 'set-field', field: 'title', base: 'Mine', mine: 'Talk' }, outcome: null },
    ]);
    expect(next.journal.store.openOf('site', '2')).toEqual([]);
  });

  it('drops an edit that was refused although the library had accepted it', async () => {
    const { journal, bulk } = startProgram();
    const edits = [{ entityId: '1', name: 'Talk', ops: [titleOp('Mine')] }];
    const { id } = await journal.add({ siteId: 'site', label: '', change: null, undoes: null, edits });
    const [before] = journal.store.openOf('site', '1');
    if (before === undefined) throw new Error('no edit');
    const ops = [{ ...titleOp('Mine'), isAccepted: true }];
    journal.record([{ before, after: { ...before, ops, state: 'refused' } }]);
    expect(await bulk.undo(id)).toMatchObject({ dropped: 1, restoring: 0 });
  });

  it('of a deletion that the library had accepted, and that was interrupted, ends at the next start without an error', async () => {
    const first = startProgram(['site 1']);
    const deletion: StoredOp = { op: { kind: 'delete', v: 1, base: '' }, outcome: null };
    const edits = [{ entityId: '1', name: 'Talk', ops: [deletion] }];
    const { id, seq } = await first.journal.add({ siteId: 'site', label: '', change: null, undoes: null, edits });
    void first.bulk.undo(id);
    const [before] = first.journal.store.openOf('site', '1');
    if (before === undefined) throw new Error('no edit');
    first.journal.record([{ before, after: { ...before, ops: [{ ...deletion, isAccepted: true }] } }]);
    const events: string[] = [];
    const note = (event: string) => events.push(event);
    const logger = { ...silentLogger, info: note, warn: note, error: (event: string) => note(`error ${event}`) };
    const next = startProgram([], logger);
    expect(next.journal.store.isUndoUnfinished(seq)).toBe(true);
    next.bulk.resume();
    await expect.poll(() => events).toEqual(['command.impossible']);
    expect(next.journal.store.isUndoUnfinished(seq)).toBe(false);
    expect(next.commands.group(id).undoneAt).toBeNull();
  });

  it('can be redone as a whole when two runs of the program dropped its edits', async () => {
    const first = startProgram(['site 2']);
    const edits = ['1', '2'].map((entityId) => ({ entityId, name: 'Talk', ops: [titleOp('Mine')] }));
    const { id } = await first.journal.add({ siteId: 'site', label: '', change: null, undoes: null, edits });
    void first.bulk.undo(id);
    expect(first.commands.group(id).undoneAt).not.toBeNull();
    const next = startProgram();
    next.bulk.resume();
    await expect.poll(() => [...next.journal.openEntities()]).toEqual([]);
    const redone = await vi.waitFor(() => next.bulk.redo(id));
    expect(redone?.items).toBe(2);
  });
});

/** Stores an edit of a title whose request got no answer. Returns the id of the group. */
async function addUnanswered(
  { journal }: ReturnType<typeof startProgram>,
  op: StoredOp['op'] = titleOp('Mine').op,
): Promise<string> {
  const edits = [{ entityId: '1', name: 'Talk', ops: [{ op, outcome: null }] }];
  const { id, seq } = await journal.add({ siteId: 'site', label: '', change: null, undoes: null, edits });
  const before = journal.store.openOf('site', '1').find(({ groupSeq }) => groupSeq === seq);
  if (before === undefined) throw new Error('no edit');
  journal.record([{ before, after: { ...before, sentAt: 1 } }]);
  return id;
}

const openOps = ({ journal }: ReturnType<typeof startProgram>) =>
  journal.store.openOf('site', '1').flatMap(({ ops }) => ops ?? []);

describe('an edit whose request got no answer', () => {
  const publication = { status: 'draft', publishOn: null };
  it.each<[StoredOp['op'], Partial<StoredOp['op']>, StoredOp['otherBases']]>([
    [
      { kind: 'set-field', v: 1, field: 'title', base: 'Talk', mine: 'Mine' },
      { kind: 'set-field', base: 'Mine', mine: 'Talk' },
      ['Mine'],
    ],
    [{ kind: 'move-collection', v: 1, base: '1', mine: '2' }, { kind: 'move-collection', base: '2', mine: '1' }, ['2']],
    [{ kind: 'add-tag', v: 1, tag: 'x' }, { kind: 'remove-tag' }, [true]],
    [{ kind: 'remove-tag', v: 1, tag: 'x' }, { kind: 'add-tag' }, [false]],
    [
      { kind: 'publish', v: 1, base: publication, when: 'now' },
      { kind: 'unpublish', base: { status: 'published', publishOn: null } },
      [{ status: 'published', publishOn: null }],
    ],
    [
      { kind: 'set-podcast-field', v: 1, field: 'directory_author_name', base: null, mine: 'Ada' },
      { kind: 'set-podcast-field', base: 'Ada', mine: null },
      ['Ada'],
    ],
    [{ kind: 'move-to-parent', v: 1, base: '1', mine: '2' }, { kind: 'move-to-parent', base: '2', mine: '1' }, ['2']],
  ])('is undone by an opposite edit of what the library may have: $kind', async (op, inverse, otherBases) => {
    const program = startProgram();
    const id = await addUnanswered(program, op);
    expect(await program.bulk.undo(id)).toMatchObject({ dropped: 0, restoring: 1 });
    expect(openOps(program)).toMatchObject([{ op: inverse, outcome: null, otherBases }]);
  });

  it('is applied again by a redo, whether the library had it or not', async () => {
    for (const outcome of ['sent', 'same'] as const) {
      const program = startProgram();
      const id = await addUnanswered(program);
      await program.bulk.undo(id);
      const [before] = program.journal.store.openOf('site', '1');
      if (before === undefined) throw new Error('no undo');
      const ops = (before.ops ?? []).map(({ op }) => ({ op, outcome, wrote: 'Talk' }));
      program.journal.record([{ before, after: { ...before, ops, state: 'done', endedAt: 1 } }]);
      await program.bulk.redo(id);
      expect(openOps(program)).toMatchObject([{ op: { base: 'Talk', mine: 'Mine' } }]);
      await program.bulk.drop({ groupId: null, filter: 'open' });
    }
  });

  it('gets its opposite edit at the next start when the program ended right after the undo had dropped it', async () => {
    const first = startProgram();
    const id = await addUnanswered(first);
    const { seq } = first.commands.group(id);
    const { store } = first.journal;
    const numbers = store.openOf('site', '1').map((record) => record.seq);
    const alongside = () => store.noteUndone(seq, null, 1);
    store.commands.begin({ name: 'undo', numbers, parameters: String(seq), alongside }, 1);
    first.commands.dropRecords(store.openOf('site', '1'), true);
    const next = startProgram();
    expect(next.journal.store.isUndoUnfinished(seq)).toBe(true);
    next.bulk.resume();
    await expect.poll(() => next.commands.group(id).undoneBy).not.toBeNull();
    expect(openOps(next)).toMatchObject([{ op: { base: 'Mine', mine: 'Talk' } }]);
    expect(next.journal.store.isUndoUnfinished(seq)).toBe(false);
  });

  it('leaves its value as another base of the next edit of the field when it is undone', async () => {
    const program = startProgram();
    const id = await addUnanswered(program);
    await addUnanswered(program, { kind: 'set-field', v: 1, field: 'title', base: 'Mine', mine: 'Later' });
    expect(await program.bulk.undo(id)).toMatchObject({ dropped: 1, restoring: 0, group: null });
    expect(openOps(program)).toMatchObject([{ op: { base: 'Talk', mine: 'Later' }, otherBases: ['Mine'] }]);
  });

  it('leaves its value as another base of the previous edit, which may be sent too, when it is undone', async () => {
    const program = startProgram();
    await addUnanswered(program);
    const later = await addUnanswered(program, {
      kind: 'set-field',
      v: 1,
      field: 'title',
      base: 'Mine',
      mine: 'Later',
    });
    expect(await program.bulk.undo(later)).toMatchObject({ dropped: 1, restoring: 0, group: null });
    expect(openOps(program)).toMatchObject([{ op: { base: 'Talk', mine: 'Mine' }, otherBases: ['Later'] }]);
  });

  it('that is dropped with others gives a later edit the first base, and each dropped value as another base', async () => {
    const program = startProgram();
    await addUnanswered(program);
    await addUnanswered(program, { kind: 'set-field', v: 1, field: 'title', base: 'Mine', mine: 'Second' });
    await addUnanswered(program, { kind: 'set-field', v: 1, field: 'title', base: 'Second', mine: 'Third' });
    const [one, two] = program.journal.store.openOf('site', '1');
    program.commands.drop([String(one?.seq), String(two?.seq)]);
    expect(openOps(program)).toMatchObject([{ op: { base: 'Talk', mine: 'Third' } }]);
    expect(new Set(openOps(program)[0]?.otherBases)).toEqual(new Set(['Mine', 'Second']));
  });
});

describe('two undos of the same group at the same time', () => {
  it('restore the sent values once', async () => {
    const program = startProgram();
    const groupId = await addHalfSent(program);
    const results = await Promise.allSettled([program.bulk.undo(groupId), program.bulk.undo(groupId)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(program.journal.store.openOf('site', '1')).toHaveLength(1);
  });
});
