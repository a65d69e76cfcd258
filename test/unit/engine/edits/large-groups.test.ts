import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BulkEdits } from '../../../../electron/engine/edits/commands/bulk-edits.ts';
import { EditCommands } from '../../../../electron/engine/edits/commands/edit-commands.ts';
import { SlicedCommands } from '../../../../electron/engine/edits/commands/sliced-commands.ts';
import { EditJournal } from '../../../../electron/engine/edits/journal/edit-journal.ts';
import { EditNumbers } from '../../../../electron/engine/edits/journal/edit-numbers.ts';
import type { StoredOp } from '../../../../electron/engine/edits/journal/edit-row.ts';
import { EditStore, type NewEdit } from '../../../../electron/engine/edits/journal/edit-store.ts';
import { SendingLocks } from '../../../../electron/engine/edits/replay/sending-locks.ts';
import type { Clock } from '../../../../electron/engine/ports/clock.ts';
import { silentLogger } from '../../../../electron/engine/ports/logger.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { nodeRandom } from '../../../../electron/engine/ports/system/node-random.ts';
import { Scheduler, STORE_REST_MS } from '../../../../electron/engine/scheduler/scheduler.ts';
import { openQueueStore } from '../../../../electron/engine/store/open-queue-store.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const MANY = 2000;
/** The error of SQLite for a write on a full disk. */
const FULL = Object.assign(new Error('database or disk is full'), { errcode: 13 });

let dir: string;
let queue: Awaited<ReturnType<typeof openQueueStore>>;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-large-groups-'));
  queue = await openQueueStore(dir, nodeClock);
});
afterEach(() => {
  queue.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Creates the parts that change edits, as a start of the program does, with the database of `queue`. */
function startProgram(clock: Clock = nodeClock) {
  const journal = new EditJournal(new EditStore(queue.database), { clock, random: nodeRandom });
  const locks = new SendingLocks();
  const isRunning = () => false;
  const tools = {
    journal,
    clock,
    locks,
    isRunning,
    whenNotRunning: () => Promise.resolve(),
    wake: () => {},
    onUnanswered: () => {},
    shownItem: () => null,
  };
  const commands = new EditCommands(tools);
  const numbers = new EditNumbers(queue.database);
  const scheduler = new Scheduler({ clock, logger: silentLogger });
  return {
    journal,
    locks,
    commands,
    numbers,
    scheduler,
    sliced: new SlicedCommands(commands, { journal, numbers }),
    bulk: new BulkEdits(commands, { ...tools, numbers, scheduler, logger: silentLogger }),
  };
}

type Program = ReturnType<typeof startProgram>;

/** Simulates a kill: the next slice of the process finds a closed database. Returns the next run of the program. */
async function restart(): Promise<Program> {
  queue.close();
  queue = await openQueueStore(dir, nodeClock);
  return startProgram();
}

/** The number of commands that are not complete. */
const unfinished = () => queue.database.prepare('SELECT count(*) AS n FROM bulk_commands').get()?.n;

const titleOp = (base: string, mine: string): StoredOp => ({
  op: { kind: 'set-field', v: 1, field: 'title', base, mine },
  outcome: null,
});

function add({ journal }: Program, edits: readonly NewEdit[], siteId = 'site') {
  return journal.add({ siteId, label: '', change: null, undoes: null, edits });
}

const titlesOf = (base: string, mine: string, count = MANY): NewEdit[] =>
  Array.from({ length: count }, (_, index) => ({ entityId: String(index), name: 'Talk', ops: [titleOp(base, mine)] }));

/** Records that the library has every edit of a group. */
function recordSent({ journal }: Program, groupSeq: number): void {
  const records = journal.store.byGroup(groupSeq);
  const sent = (stored: StoredOp): StoredOp => ({ ...stored, outcome: 'sent', wrote: 'Mine' });
  journal.record(
    records.map((before) => ({
      before,
      after: { ...before, ops: before.ops?.map(sent) ?? null, state: 'done' as const, endedAt: 1 },
    })),
  );
}

/** Calls `watch` in every turn of the event loop until the work has ended. */
async function watching<T>(work: Promise<T>, watch: () => void): Promise<T> {
  let isOver = false;
  const watched = (async () => {
    while (!isOver) {
      watch();
      await nextTurn();
    }
  })();
  try {
    return await work;
  } finally {
    isOver = true;
    await watched;
  }
}

async function whenReleased({ locks }: Program, siteId = 'site'): Promise<void> {
  expect(locks.isLocked(siteId)).toBe(true);
  await new Promise<void>((resolve) => {
    locks.onDidUnlock.on((released) => {
      if (released === siteId) resolve();
    });
  });
}

describe('the drop of thousands of edits', () => {
  it.each([
    ['drop', ({ bulk }: Program, groupId: string) => bulk.drop({ groupId, filter: 'open' })],
    ['undo', async ({ bulk }: Program, groupId: string) => (await bulk.undo(groupId)).dropped],
  ] as const)(
    'by a command “%s” lets the process do other work between small slices; until its end, nothing is sent',
    async (_, give) => {
      const program = startProgram();
      const { id, seq } = await add(program, titlesOf('Talk', 'Mine'));
      const held: number[] = [];
      const changed = await watching(give(program, id), () => {
        const { pending } = program.journal.totals();
        if (program.locks.isLocked('site')) held.push(pending);
        else expect([0, MANY]).toContain(pending);
      });
      expect(changed).toBe(MANY);
      expect(new Set(held).size).toBeGreaterThan(MANY / 25);
      expect(program.journal.countsOf(seq)).toMatchObject({ dropped: MANY, pending: 0 });
      expect(program.locks.isLocked('site')).toBe(false);
      expect(unfinished()).toBe(0);
    },
  );

  it('is completed by the next start, which sends nothing of the account before and drops no other edit', async () => {
    const program = startProgram();
    const { id } = await add(program, titlesOf('Talk', 'Mine'));
    await add(program, titlesOf('Talk', 'Other', 1), 'other site');
    void program.bulk.drop({ groupId: id, filter: 'open' }).catch(() => {});
    await vi.waitUntil(() => program.journal.totals().pending < MANY, { interval: 0 });
    const next = await restart();
    const left = next.journal.totals().pending;
    expect([left > 1, left < MANY]).toEqual([true, true]);
    next.bulk.resume();
    expect(next.locks.isLocked('other site')).toBe(false);
    await whenReleased(next);
    expect(next.journal.totals().pending).toBe(1);
    expect(next.journal.store.openOf('other site', '0')).toHaveLength(1);
    // The interrupted work is completed once: a third start has nothing to complete.
    const third = await restart();
    third.bulk.resume();
    expect(third.locks.isLocked('site')).toBe(false);
  });

  it('is stored only when it needs more than one slice', async () => {
    const program = startProgram();
    await add(program, titlesOf('Talk', 'Mine', 21));
    queue.database.exec(`CREATE TRIGGER none BEFORE INSERT ON bulk_commands BEGIN SELECT raise(ABORT, 'stored'); END`);
    await expect(program.bulk.drop({ groupId: null, filter: 'open' })).rejects.toThrow('stored');
    expect([program.journal.totals().pending, program.locks.isLocked('site')]).toEqual([21, false]);
    const ids = Array.from({ length: 20 }, (_, index) => String(index + 1));
    expect(await program.bulk.drop({ ids })).toBe(20);
  });

  it('keeps the base of a later edit of the same item when another slice drops that edit', async () => {
    const program = startProgram();
    await add(program, titlesOf('Talk', 'First', 100));
    const { seq } = await add(program, titlesOf('First', 'Second', 100));
    expect(await program.bulk.drop({ groupId: null, filter: 'open' })).toBe(200);
    const bases = program.journal.store.byGroup(seq).map(({ ops }) => ops?.[0]?.op);
    expect(new Set(bases.map((op) => (op?.kind === 'set-field' ? op.base : null)))).toEqual(new Set(['First']));
  });

  it('gives a later edit of the same value, which stays, the base of the first of several dropped ones', async () => {
    const program = startProgram();
    await add(program, titlesOf('Talk', 'First', 100));
    await add(program, titlesOf('First', 'Second', 100));
    const { seq } = await add(program, titlesOf('Second', 'Third', 100));
    const stays = new Set(program.journal.store.byGroup(seq).map((each) => each.seq));
    const ids = Array.from({ length: 300 }, (_, index) => index + 1).filter((each) => !stays.has(each));
    expect(await program.bulk.drop({ ids: ids.map(String) })).toBe(200);
    const bases = program.journal.store.byGroup(seq).map(({ ops }) => ops?.[0]?.op);
    expect(new Set(bases.map((op) => (op?.kind === 'set-field' ? op.base : null)))).toEqual(new Set(['Talk']));
  });

  it('reports a full disk, sends nothing meanwhile, and drops the rest once the disk can be written', async () => {
    const clock = new ManualClock();
    const program = startProgram(clock);
    program.scheduler.start();
    const { id } = await add(program, titlesOf('Talk', 'Mine', 100));
    const save = vi.spyOn(program.journal.store, 'save');
    save.mockImplementationOnce(() => {
      throw FULL;
    });
    await expect(program.bulk.drop({ groupId: id, filter: 'open' })).rejects.toThrow(FULL.message);
    expect(program.journal.totals().pending).toBe(100);
    expect(program.locks.isLocked('site')).toBe(true);
    clock.advance(STORE_REST_MS);
    await whenReleased(program);
    expect(program.journal.totals().pending).toBe(0);
  });

  it('drops nothing at the next start when the stored numbers of its edits were damaged', async () => {
    const program = startProgram();
    const { seq } = await add(program, titlesOf('Talk', 'Mine', 100));
    const { first, last } = program.journal.store.rangeOfGroup(seq) ?? { first: 0, last: 0 };
    program.journal.store.commands.begin({ name: 'drop', numbers: [first] }, 1);
    const damaged = JSON.stringify([[first, last]]);
    queue.database.prepare('UPDATE bulk_commands SET numbers = $damaged').run({ damaged });
    const next = await restart();
    next.bulk.resume();
    expect(next.locks.isLocked('site')).toBe(false);
    expect(next.journal.totals().pending).toBe(100);
    expect(unfinished()).toBe(0);
  });
});

describe('the redo of thousands of edits', () => {
  /** Adds a group that was sent, and its undo that is not sent yet. */
  async function addUndone(program: Program, count = MANY): Promise<{ id: string; undoSeq: number }> {
    const { id, seq } = await add(program, titlesOf('Talk', 'Mine', count));
    recordSent(program, seq);
    const { group } = await program.bulk.undo(id);
    return { id, undoSeq: group?.seq ?? 0 };
  }

  it('is completed by the next start when a crash interrupts it: nothing of the undo is sent', async () => {
    const program = startProgram();
    const { id, undoSeq } = await addUndone(program);
    void program.bulk.redo(id).catch(() => {});
    await vi.waitUntil(() => program.journal.totals().pending < MANY, { interval: 0 });
    const next = await restart();
    expect(next.journal.totals().pending).toBeGreaterThan(0);
    next.bulk.resume();
    await whenReleased(next);
    expect(next.journal.countsOf(undoSeq)).toMatchObject({ dropped: MANY, pending: 0 });
    await expect.poll(() => next.commands.group(id).undoneAt).toBeNull();
    expect(unfinished()).toBe(0);
  });

  it('stores its group once when it is called twice', async () => {
    const program = startProgram();
    const { id, seq } = await add(program, titlesOf('Talk', 'Mine', 200));
    await program.bulk.undo(id);
    const first = program.bulk.redo(id);
    await expect(program.bulk.redo(id)).rejects.toMatchObject({ code: 'edit.cant-redo' });
    await expect(program.bulk.undo(id)).rejects.toMatchObject({ code: 'edit.cant-undo' });
    expect((await first)?.items).toBe(200);
    expect(program.journal.totals().pending).toBe(200);
    expect(unfinished()).toBe(0);
    expect(program.journal.store.groupBySeq(seq)?.redoneBy).not.toBeNull();
  });

  it('lets the process do other work while it reads the groups', async () => {
    const program = startProgram();
    const { id, undoSeq } = await addUndone(program);
    recordSent(program, undoSeq);
    let turns = 0;
    const group = await watching(program.bulk.redo(id), () => {
      turns += 1;
    });
    expect(group?.items).toBe(MANY);
    // The redo reads two groups in slices of 20 edits, and stores a third in slices of 50.
    expect(turns).toBeGreaterThan((2 * MANY) / 25);
  });
});

describe('the search for thousands of edits with the same question', () => {
  it('lets the process do other work between small slices, and finds each of them', async () => {
    const program = startProgram();
    const { seq } = await add(program, titlesOf('Talk', 'Mine'));
    await add(program, titlesOf('Talk', 'Mine', 1), 'other site');
    const records = program.journal.store.byGroup(seq);
    const asking = (stored: StoredOp): StoredOp => ({ ...stored, asks: true, theirs: 'Theirs' });
    program.journal.record(
      records.map((before) => ({
        before,
        after: { ...before, ops: before.ops?.map(asking) ?? null, state: 'conflict' as const },
      })),
    );
    let turns = 0;
    const ids = await watching(program.sliced.sameQuestion(String(records[0]?.seq), 'title'), () => {
      turns += 1;
    });
    expect(ids).toEqual(records.map((record) => String(record.seq)));
    expect(turns).toBeGreaterThan(MANY / 25);
  });
});

/** Makes the second slice of the next large group fail, as on a disk that has room for the first one only. */
function failAtSecondSlice(store: EditStore): void {
  const addEdits = store.addEdits.bind(store);
  let slices = 0;
  store.addEdits = (...input) => {
    if (input[2].length > 1) slices += 1;
    if (slices === 2) {
      slices = Number.NaN;
      throw new Error('the disk is full');
    }
    addEdits(...input);
  };
}

describe('a new deletion of an item whose earlier deletion waits for a decision', () => {
  it('drops the earlier deletion, and keeps the other open edits of the item', async () => {
    const program = startProgram();
    const { journal, commands } = program;
    await add(program, titlesOf('Talk', 'Mine', 1));
    const deletion: StoredOp = { op: { kind: 'delete', v: 1, base: 'seen' }, outcome: null };
    const { seq } = await add(program, [{ entityId: '0', name: 'Talk', ops: [deletion] }]);
    const before = journal.openOf('site', '0').find(({ groupSeq }) => groupSeq === seq);
    if (before === undefined) throw new Error('no deletion');
    const asking = [{ ...deletion, asks: true, theirs: null }];
    journal.record([{ before, after: { ...before, ops: asking, state: 'conflict' } }]);
    commands.dropBlocked('site', ['0']);
    expect(journal.openOf('site', '0').map(({ ops }) => ops?.[0]?.op.kind)).toEqual(['set-field']);
  });
});

describe('a group that is stored in slices', () => {
  const sendable = ({ journal }: Program, id: string) => journal.openOf('site', id, 'media').length;

  it('is not sent before it is completely stored, while an earlier edit of the same item is', async () => {
    const program = startProgram();
    await add(program, titlesOf('Talk', 'First', 1));
    const seen = new Set<number>();
    await watching(add(program, titlesOf('First', 'Second')), () => {
      if (program.journal.totals().pending === 1) seen.add(sendable(program, '0'));
    });
    expect([...seen]).toEqual([1]);
    expect(sendable(program, '0')).toBe(2);
  });

  it('has all its edits in its counts, also when one of them is rebased meanwhile', async () => {
    const program = startProgram();
    const { journal } = program;
    const rebased = new Set<number>();
    const { seq } = await watching(add(program, titlesOf('First', 'Second')), () => {
      const [before] = journal.openOrStoringOf('site', '0');
      if (before === undefined || before.ops === null || rebased.size > 0) return;
      rebased.add(before.seq);
      journal.record([{ before, after: { ...before, ops: [titleOp('Written', 'Second')] } }]);
    });
    expect(rebased.size).toBe(1);
    expect(journal.countsOf(seq).pending).toBe(MANY);
    expect(journal.totals().pending).toBe(MANY);
    expect(journal.store.groupBySeq(seq)?.endedAt).toBeNull();
  });

  it('does not delay an urgent edit of another item', async () => {
    const program = startProgram();
    const { journal } = program;
    const large = add(program, titlesOf('Talk', 'Mine'));
    for (const entityId of ['0', 'other']) {
      const edits = [{ entityId, name: 'Talk', ops: [titleOp('Talk', 'Urgent')] }];
      await journal.add({ siteId: 'site', label: '', change: null, undoes: null, edits }, { isUrgent: true });
    }
    expect(journal.urgentEntities().map(({ entityId }) => entityId)).toEqual(['other']);
    await large;
  });

  it('of collections is shown only when it is completely stored', async () => {
    const program = startProgram();
    const { store } = program.journal;
    const seen = new Set<number>();
    const deletions = titlesOf('', '').map((edit) => ({ ...edit, entityKind: 'collection' as const }));
    await watching(add(program, deletions), () => seen.add(store.openOfCollections('site').length));
    expect([...seen].filter((count) => count !== 0 && count !== MANY)).toEqual([]);
    expect(store.openOfCollections('site')).toHaveLength(MANY);
  });

  it('waits for the disk when it begins and when it is complete, not for each slice', async () => {
    let isDurable = true;
    let durable = 0;
    const counting = {
      ...queue.database,
      setDurable(wanted: boolean) {
        isDurable = wanted;
        queue.database.setDurable(wanted);
      },
      transaction<T>(work: () => T): T {
        if (isDurable) durable += 1;
        return queue.database.transaction(work);
      },
    };
    const journal = new EditJournal(new EditStore(counting), { clock: nodeClock, random: nodeRandom });
    durable = 0;
    await journal.add({ siteId: 'site', label: '', change: null, undoes: null, edits: titlesOf('Talk', 'Mine') });
    expect(durable).toBe(2);
    expect((await restart()).journal.totals().pending).toBe(MANY);
  });

  it('reports the edits that waited for it as changed when the disk has no room for the group', async () => {
    const program = startProgram();
    const { journal } = program;
    failAtSecondSlice(journal.store);
    const failing = add(program, titlesOf('Talk', 'Mine'));
    const { seq } = await add(program, titlesOf('Talk', 'Behind', 1));
    expect(sendable(program, '0')).toBe(0);
    const changed: unknown[] = [];
    journal.onDidChange.on((changes) => changed.push(...changes));
    await expect(failing).rejects.toThrow('the disk is full');
    expect(changed).toEqual([{ groupSeq: seq, siteId: 'site', entityKind: 'media', entityId: '0' }]);
    expect(sendable(program, '0')).toBe(1);
  });

  it('is neither listed nor sent when the disk has no room for all of it, and delays no other edit', async () => {
    const program = startProgram();
    const { store } = program.journal;
    failAtSecondSlice(store);
    const failing = add(program, titlesOf('Talk', 'Mine'));
    await expect(failing).rejects.toThrow('the disk is full');
    expect(store.openOf('site', '0')).toEqual([]);
    expect(store.page({ groupSeq: null, filter: 'open', entityId: null }, 0, 10).total).toBe(0);
    expect(program.numbers.openNumbers(null, 'open')).toEqual([]);
    expect([sendable(program, '0'), program.journal.totals().pending]).toEqual([0, 0]);
    await add(program, titlesOf('Talk', 'Other', 1));
    expect(program.journal.openEntity('site', '0')).not.toBeNull();
    expect(sendable(program, '0')).toBe(1);
    const next = await restart();
    expect(next.journal.store.openOf('site', '0')).toHaveLength(1);
  });
});
