import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BulkCommandStore } from '../../../../../electron/engine/bulk-commands/bulk-command-store.ts';
import { silentLogger } from '../../../../../electron/engine/ports/logger.ts';
import { Scheduler } from '../../../../../electron/engine/scheduler/scheduler.ts';
import { type Database, openDatabase } from '../../../../../electron/engine/store/database.ts';
import { MIGRATIONS } from '../../../../../electron/engine/store/migrations.ts';
import type { Transfers } from '../../../../../electron/engine/uploads/delivery/transfers.ts';
import { BatchStore } from '../../../../../electron/engine/uploads/journal/batch-store.ts';
import { COMMAND_NAMES, type CommandName } from '../../../../../electron/engine/uploads/journal/command-kinds.ts';
import { CommandRows } from '../../../../../electron/engine/uploads/journal/command-rows.ts';
import { FollowUpRows } from '../../../../../electron/engine/uploads/journal/follow-up-rows.ts';
import { UploadJournal } from '../../../../../electron/engine/uploads/journal/upload-journal.ts';
import { UploadStore } from '../../../../../electron/engine/uploads/journal/upload-store.ts';
import { UploadCommands } from '../../../../../electron/engine/uploads/queue/upload-commands.ts';
import { appError } from '../../../../../shared/contract/app-error.ts';
import type { UploadSelection } from '../../../../../shared/contract/uploads.ts';
import type { Upload } from '../../../../../shared/model/uploads/upload.ts';
import { aBatch, anUpload, storedRows } from '../../../../helpers/data/upload-rows.ts';
import { ManualClock } from '../../../../helpers/time/manual-clock.ts';

const SLICE = 3;
/** No transfer runs in these tests: a command finds none to hold or to stop. */
const NO_TRANSFERS = { get: () => undefined, hold: () => false, release: () => false } as unknown as Transfers;

interface Queue {
  database: Database;
  store: UploadStore;
}

let database: Database;
let store: UploadStore;

async function openQueue(version = MIGRATIONS.length): Promise<Queue> {
  const opened = await openDatabase(':memory:');
  for (const step of MIGRATIONS.slice(0, version)) opened.exec(step);
  const rows = new UploadStore(opened);
  for (const id of ['b1', 'b2']) new BatchStore(opened).add(aBatch({ id }));
  return { database: opened, store: rows };
}

beforeEach(async () => {
  ({ database, store } = await openQueue());
});
afterEach(() => database.close());

function add(count: number, of: (index: number) => Partial<Upload> = () => ({}), to: UploadStore = store): void {
  const uploads = Array.from({ length: count }, (_, index) => anUpload({ id: `u${index}`, ...of(index) }));
  to.insert(uploads, (_, index) => index);
}

/** A process that works on the rows. A test kills it by running none of its slices any more. */
class Process {
  readonly clock = new ManualClock();
  readonly journal: UploadJournal;
  readonly commands: UploadCommands;
  readonly woken: boolean[] = [];

  constructor(
    atWork: readonly string[] = [],
    queue: Queue = { database, store },
    sliceRows = SLICE,
    scheduler: Scheduler | null = null,
  ) {
    this.journal = new UploadJournal(queue.store, silentLogger, new FollowUpRows(queue.database));
    const tools = { journal: this.journal, transfers: NO_TRANSFERS, clock: this.clock, logger: silentLogger };
    const effects = {
      atWork: () => [...atWork],
      isBusy: () => false,
      cleanUp: () => {},
      keep: () => {},
      wake: () => this.woken.push(this.commands.blocksStarts),
    };
    const commands = new BulkCommandStore(queue.database, 'uploads');
    const commandRows = new CommandRows(queue.database);
    const own = scheduler ?? new Scheduler(tools);
    this.commands = new UploadCommands({ ...tools, scheduler: own, commands, commandRows, sliceRows }, effects);
    if (scheduler === null) own.start();
  }

  /** Lets this number of further slices run. */
  async pass(slices: number): Promise<void> {
    for (let slice = 0; slice < slices; slice += 1) {
      await settled();
      this.clock.advance(0);
    }
    await settled();
  }

  /** Runs a command to its end. */
  async all(name: CommandName, selection: UploadSelection): Promise<number> {
    let changed: number | null = null;
    void this.commands.give(name, selection).then((count) => {
      changed = count;
    });
    for (let turn = 0; changed === null && turn < 200; turn += 1) await this.pass(1);
    if (changed === null) throw new Error('the command does not end');
    return changed;
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

const statesOf = () => storedRows(database).map(({ state }) => state);
const pending = (of = database) => new BulkCommandStore(of, 'uploads').pending(COMMAND_NAMES).commands;
const count = (state: string) => statesOf().filter((each) => each === state).length;

describe('a bulk command', () => {
  it('runs in slices, and returns how many uploads it changed', async () => {
    add(10, (index) => ({ state: index === 4 ? 'complete' : 'queued' }));
    const process = new Process();
    const changed = process.commands.give('cancel', { kind: 'all' });
    await settled();
    expect(count('cancelled')).toBe(SLICE);
    expect(process.commands.blocksStarts).toBe(true);
    await process.pass(4);
    expect(await changed).toBe(9);
    expect(count('cancelled')).toBe(9);
    expect(pending()).toEqual([]);
    expect(process.commands.blocksStarts).toBe(false);
  });

  it('stops running uploads first', async () => {
    add(10);
    const process = new Process(['u8']);
    void process.commands.give('pause', { kind: 'batch', batchId: 'b1' });
    await settled();
    expect(store.get('u8')?.state).toBe('paused');
    expect(store.get('u7')?.state).toBe('queued');
  });

  it('lets uploads start while it resumes others, and none while it stops them', async () => {
    add(10, () => ({ state: 'paused' }));
    const process = new Process();
    await process.all('resume', { kind: 'all' });
    expect(process.woken.length).toBeGreaterThan(1);
    process.woken.length = 0;
    await process.all('pause', { kind: 'all' });
    expect(process.woken).toEqual([false]);
  });

  it('retries each upload once, also one that fails during the command', async () => {
    const error = appError('file.missing').toData();
    add(8, () => ({ state: 'failed', error }));
    const process = new Process();
    const changed = process.commands.give('retry', { kind: 'failed' });
    await settled();
    process.journal.record('u0', { kind: 'failed', error, at: 1 });
    await process.pass(5);
    expect(await changed).toBe(8);
    expect(store.get('u0')?.state).toBe('failed');
    expect(count('queued')).toBe(7);
  });

  it('waits for the previous command', async () => {
    add(9);
    const process = new Process();
    const cancelled = process.commands.give('cancel', { kind: 'all' });
    const retried = process.commands.give('retry', { kind: 'ids', ids: ['u0', 'u8'] });
    await process.pass(6);
    expect([await cancelled, await retried]).toEqual([9, 2]);
    expect(statesOf().filter((state) => state === 'queued')).toHaveLength(2);
  });

  it('is completed later when the store cannot be written', async () => {
    add(10);
    const process = new Process();
    const changed = process.commands.give('cancel', { kind: 'all' });
    await settled();
    database.exec(`CREATE TRIGGER full BEFORE UPDATE ON uploads BEGIN SELECT raise(ABORT, 'full'); END`);
    const refused = expect(changed).rejects.toThrow('full');
    await process.pass(1);
    await refused;
    expect(count('cancelled')).toBe(SLICE);
    database.exec('DROP TRIGGER full');
    process.clock.advance(10_000);
    await process.pass(5);
    expect(count('cancelled')).toBe(10);
    expect(process.journal.counts.cancelled).toBe(10);
  });
});

describe('a process that ends during a command', () => {
  it('leaves unfinished rows to the next process, which changes each row once', async () => {
    add(10);
    const first = new Process();
    void first.commands.give('cancel', { kind: 'all' });
    await first.pass(1);
    expect(count('cancelled')).toBe(2 * SLICE);

    // The user changes a row that the command has already changed: the rest of the command must not touch it, though it runs.
    const second = new Process(['u0']);
    second.journal.record('u0', { kind: 'retried' });
    await second.pass(4);
    expect(count('cancelled')).toBe(9);
    expect(store.get('u0')?.state).toBe('queued');
    expect(pending()).toEqual([]);
  });

  it('leaves unfinished rows of an undoable cancel, and of its undo, to the next process', async () => {
    const nextAttemptAt = 77;
    add(10, (index) =>
      index === 9 ? { state: 'waiting', nextAttemptAt } : { state: index % 2 ? 'paused' : 'queued' },
    );
    const before = storedRows(database);
    const ids: string[] = [];
    const first = new Process();
    void first.commands.give('cancel-waiting', { kind: 'all' }, (some) => void ids.push(...some));
    await first.pass(1);
    expect(count('cancelled')).toBe(2 * SLICE);
    const second = new Process();
    await second.pass(4);
    expect(count('cancelled')).toBe(10);
    // Only the process that received the command reports ids: those of the rows that it cancelled itself.
    expect(ids).toHaveLength(2 * SLICE);

    void second.commands.give('undo-cancel', { kind: 'all' });
    await second.pass(1);
    await new Process().pass(4);
    expect(storedRows(database)).toEqual(before);
  });

  it('leaves a clear that the next process completes, without the uploads cleared before', async () => {
    const error = appError('file.missing').toData();
    add(10, (index) => (index < 2 ? { state: 'failed', error, endedAt: 1 } : { state: 'cancelled', endedAt: 1 }));
    await new Process().all('clear', { kind: 'failed' });
    const first = new Process();
    void first.commands.give('clear-completed', { kind: 'all' });
    await first.pass(1);
    await new Process().pass(4);
    expect(storedRows(database).filter(({ clearedAt }) => clearedAt === null)).toEqual([]);
    await new Process().all('retry', { kind: 'failed' });
    expect(count('failed')).toBe(2);
    await new Process().all('undo-clear', { kind: 'all' });
    expect(storedRows(database).filter(({ clearedAt }) => clearedAt !== null)).toEqual([]);
  });

  it('of an earlier version leaves the rows behind the last processed one', async () => {
    const version = MIGRATIONS.findIndex((step) => step.includes('DROP TABLE commands'));
    const older = await openQueue(version);
    add(10, () => ({}), older.store);
    older.database.exec(
      `INSERT INTO commands (name, numbers, after_number, given_at) VALUES ('cancel', '[[2,9]]', 4, 1)`,
    );
    for (const step of MIGRATIONS.slice(version)) older.database.exec(step);
    await new Process([], older).pass(4);
    const cancelled = storedRows(older.database).flatMap(({ id, state }) => (state === 'cancelled' ? [id] : []));
    expect(cancelled).toEqual(['u4', 'u5', 'u6', 'u7', 'u8']);
    expect(pending(older.database)).toEqual([]);
    older.database.close();
  });

  it('lets no upload start before the next process has read whether the command stops uploads', () => {
    const clock = new ManualClock();
    const scheduler = new Scheduler({ clock, logger: silentLogger });
    const process = new Process([], { database, store }, SLICE, scheduler);
    expect(process.commands.blocksStarts).toBe(true);
    scheduler.start();
    expect(process.commands.blocksStarts).toBe(false);
  });

  it('never causes changes of rows that were added after the command', async () => {
    add(5);
    void new Process().commands.give('cancel', { kind: 'all' });
    await settled();
    store.insert([anUpload({ id: 'later' })], () => 100);
    await new Process().pass(4);
    expect(count('cancelled')).toBe(5);
    expect(store.get('later')?.state).toBe('queued');
  });

  it('returns the number of changed rows when it is stopped, and leaves the rest to the next process', async () => {
    add(10);
    const process = new Process();
    const changed = process.commands.give('pause', { kind: 'all' });
    await settled();
    const stopped = process.commands.stop();
    await process.pass(1);
    await stopped;
    expect(await changed).toBe(SLICE);
    expect(pending()).toHaveLength(1);
    await new Process().pass(5);
    expect(count('paused')).toBe(10);
  });

  it('leads to the same rows as an uninterrupted command', async () => {
    const kinds = fc.constantFrom<CommandName>(...COMMAND_NAMES);
    const selections = fc.constantFrom<UploadSelection>(
      { kind: 'all' },
      { kind: 'batch', batchId: 'b1' },
      { kind: 'failed' },
      { kind: 'failed', batchId: 'b2' },
      { kind: 'ids', ids: ['u1', 'u2', 'u5', 'u6', 'u9', 'nobody'] },
    );
    const commands = fc.array(fc.tuple(kinds, selections, fc.nat(5)), { minLength: 1, maxLength: 6 });
    const mixed = (index: number): Partial<Upload> => {
      const error = appError(index % 4 === 0 ? 'upload.duplicate' : 'file.missing').toData();
      return index % 2 === 0 ? { batchId: 'b2', state: 'failed', error } : { batchId: 'b1' };
    };
    await fc.assert(
      fc.asyncProperty(commands, async (given) => {
        const [cut, whole] = [await openQueue(), await openQueue()];
        for (const queue of [cut, whole]) add(12, mixed, queue.store);
        const undisturbed = new Process([], whole, 100);
        for (const [name, selection, slices] of given) {
          await undisturbed.all(name, selection);
          const first = new Process([], cut);
          void first.commands.give(name, selection);
          await first.pass(slices);
          await new Process([], cut).pass(30);
          expect(pending(cut.database)).toEqual([]);
          cut.store.forgetRecent();
          const [rows, expected] = [cut, whole].map((queue) =>
            storedRows(queue.database).map((row) => ({
              ...row,
              endedAt: row.endedAt === null,
              clearedAt: row.clearedAt === null,
            })),
          );
          expect(rows).toEqual(expected);
        }
        for (const queue of [cut, whole]) queue.database.close();
      }),
      { numRuns: 40 },
    );
  });
});
