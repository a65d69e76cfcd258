import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BulkCommandStore } from '../../../../electron/engine/bulk-commands/bulk-command-store.ts';
import { BulkCommands, type BulkWork } from '../../../../electron/engine/bulk-commands/bulk-commands.ts';
import { silentLogger } from '../../../../electron/engine/ports/logger.ts';
import { Scheduler, STORE_REST_MS } from '../../../../electron/engine/scheduler/scheduler.ts';
import type { Database } from '../../../../electron/engine/store/database.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { emptyDatabase } from '../../../helpers/data/empty-database.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

type Name = 'mark' | 'erase' | 'gather';
const NAMES = ['mark', 'erase', 'gather'] as const;
const SLICE = 2;

let database: Database;
beforeEach(async () => {
  database = await emptyDatabase();
  database.exec('CREATE TABLE marks (number INTEGER NOT NULL, name TEXT NOT NULL)');
});
afterEach(() => database.close());

/** The processed rows, in the order of the slices. */
const marks = () => database.prepare('SELECT number, name FROM marks ORDER BY rowid').all();
const numbersOf = (name: Name) => marks().flatMap((row) => (row.name === name ? [row.number] : []));
const stored = () => database.prepare('SELECT count(*) AS n FROM bulk_commands').get()?.n;
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** A process whose commands note the rows that they process. A test kills it by giving it no further turn. */
class Process {
  readonly clock = new ManualClock();
  readonly log: string[] = [];
  readonly holds: string[] = [];
  readonly bulk: BulkCommands<Name, string>;
  readonly scheduler: Scheduler;
  /** Errors of the next slices. */
  readonly faults: Error[] = [];

  constructor(work: Partial<BulkWork<Name, string>> = {}) {
    const note = (event: string) => void this.log.push(event);
    const logger = { ...silentLogger, warn: note, info: note, error: note };
    const tools = { store: new BulkCommandStore(database, 'edits'), clock: this.clock, logger };
    this.scheduler = new Scheduler(tools);
    const add = database.prepare('INSERT INTO marks (number, name) VALUES ($number, $name)');
    const whole: BulkWork<Name, string> = {
      lane: 'bulk',
      names: NAMES,
      sliceRows: SLICE,
      othersTurn: () => new Promise((resolve) => void this.clock.schedule(0, resolve)),
      apply: ({ name }, numbers, alongside) => {
        const fault = this.faults.shift();
        return database.transaction(() => {
          for (const number of numbers) add.run({ number, name });
          if (fault !== undefined) throw fault;
          alongside?.();
          return numbers.length;
        });
      },
      hold: (numbers) => {
        this.holds.push(numbers.join());
        return () => void this.holds.splice(this.holds.indexOf(numbers.join()), 1);
      },
      ...work,
    };
    this.bulk = this.scheduler.add((lane) => new BulkCommands(tools, whole, lane));
    this.scheduler.start();
  }

  /** Executes a command beside others, as the caller of `begin` and `execute` does. */
  execute(name: Name, numbers: readonly number[]) {
    return this.bulk.execute(this.bulk.begin({ name, numbers }));
  }

  async pass(slices: number, ms = 0): Promise<void> {
    for (let slice = 0; slice < slices; slice += 1) {
      await settled();
      this.clock.advance(ms);
    }
    await settled();
  }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const full = () => Object.assign(new Error('database or disk is full'), { errcode: 13 });
const select = (last: number) => async () => upTo(last);

describe('a command about many rows', () => {
  it('is stored before its first slice, and removed with its last one', async () => {
    const process = new Process();
    const command = process.bulk.begin({ name: 'mark', numbers: upTo(4) });
    expect([stored(), marks()]).toEqual([1, []]);
    const executed = process.bulk.execute(command);
    expect([stored(), numbersOf('mark')]).toEqual([1, [1, 2]]);
    await process.pass(1);
    expect([stored(), numbersOf('mark')]).toEqual([0, upTo(4)]);
    expect(await executed).toEqual({ changed: 4, outcome: null });
    expect(process.bulk.pending).toEqual([]);
  });

  it('processes its last rows first if its part wants that, also after a kill', async () => {
    void new Process({ isLastFirst: true }).execute('mark', upTo(5));
    const next = new Process({ isLastFirst: true });
    await next.pass(3);
    expect(numbersOf('mark')).toEqual([4, 5, 2, 3, 1]);
  });

  it('lets others have their turn between two slices', async () => {
    const process = new Process();
    void process.bulk.give('mark', select(5), undefined);
    await settled();
    expect(numbersOf('mark')).toEqual([1, 2]);
    await process.pass(1);
    expect(numbersOf('mark')).toEqual([1, 2, 3, 4]);
  });

  it('waits for the previous command that was given, and chooses its rows only then', async () => {
    const process = new Process();
    void process.bulk.give('mark', select(5), undefined);
    const rows: unknown[] = [];
    void process.bulk.give('erase', async () => [rows.push(...numbersOf('mark'))], undefined);
    await process.pass(3);
    expect(rows).toEqual(upTo(5));
    expect(numbersOf('erase')).toEqual([5]);
  });

  it('is executed beside others when it does not wait for its turn', async () => {
    const process = new Process();
    void process.execute('mark', upTo(4));
    void process.execute('erase', upTo(4));
    expect([numbersOf('mark'), numbersOf('erase')]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('that is being executed is not executed a second time by a command that waits for its turn', async () => {
    const process = new Process();
    void process.execute('mark', upTo(5));
    expect(process.bulk.due(1)).toEqual([]);
    await process.bulk.give('erase', select(1), undefined);
    await process.pass(3);
    expect([numbersOf('mark'), numbersOf('erase')]).toEqual([upTo(5), [1]]);
  });

  it('holds other work on its rows until its last slice', async () => {
    const process = new Process();
    void process.execute('mark', upTo(4));
    expect(process.holds).toEqual(['1,2,3,4']);
    await process.pass(1);
    expect(process.holds).toEqual([]);
  });

  it('holds nothing when it could not be stored', () => {
    const process = new Process();
    const alongside = () => {
      throw full();
    };
    expect(() => process.bulk.begin({ name: 'mark', numbers: upTo(4), alongside })).toThrow('full');
    expect([process.holds, process.bulk.pending, stored()]).toEqual([[], [], 0]);
  });

  it('of no more rows than a slice is one transaction, and is not stored', async () => {
    const process = new Process();
    database.exec("CREATE TRIGGER none BEFORE INSERT ON bulk_commands BEGIN SELECT raise(ABORT, 'stored'); END");
    expect(await process.bulk.give('mark', select(2), undefined)).toEqual({ changed: 2, outcome: null });
  });
});

describe('a process that ends during a command', () => {
  it('leaves the rest to the next process, which processes each row once and holds other work at once', async () => {
    const first = new Process();
    void first.execute('mark', upTo(7));
    await first.pass(1);
    const next = new Process();
    next.bulk.resume();
    expect(next.holds).toEqual([upTo(7).join()]);
    await next.pass(5);
    expect([numbersOf('mark'), next.holds, stored()]).toEqual([upTo(7), [], 0]);
  });

  it('leaves several commands, which are continued in their order, before any other', async () => {
    const first = new Process();
    void first.execute('mark', upTo(3));
    void first.execute('erase', upTo(3));
    const next = new Process();
    void next.bulk.give('mark', async () => [9], undefined);
    await next.pass(4);
    expect(
      marks()
        .map(({ number, name }) => `${name} ${number}`)
        .slice(4),
    ).toEqual(['mark 3', 'erase 3', 'mark 9']);
  });

  it('leaves a damaged command, which is removed with an entry in the log and without an effect', async () => {
    const first = new Process();
    void first.execute('mark', upTo(3));
    void first.execute('erase', upTo(3));
    database.exec(`UPDATE bulk_commands SET numbers = '[[1,9]]' WHERE name = 'mark'`);
    const next = new Process();
    await next.pass(3);
    expect([numbersOf('mark'), numbersOf('erase'), stored()]).toEqual([[1, 2], upTo(3), 0]);
    expect(next.log).toEqual(['command.damaged']);
  });

  it('leaves a command without any row, which is removed', async () => {
    new Process().bulk.begin({ name: 'mark', numbers: [] });
    await new Process().pass(1);
    expect(stored()).toBe(0);
  });

  it('holds the rows of each command once, also when the database fails while the commands are read', async () => {
    const first = new Process();
    for (const last of [3, 5]) first.bulk.begin({ name: 'mark', numbers: upTo(last) });
    const held: number[] = [];
    let isFull = true;
    const next = new Process({
      hold(numbers) {
        if (numbers.length === 5 && isFull) throw full();
        held.push(numbers.length);
        return () => {};
      },
    });
    expect(held).toEqual([3]);
    isFull = false;
    next.bulk.resume();
    expect(held).toEqual([3, 5]);
  });

  it('begins no slice after it was stopped, and has nothing due', async () => {
    const process = new Process();
    const given = process.bulk.give('mark', select(6), undefined);
    await settled();
    const stopped = process.bulk.stop();
    await process.pass(2);
    await stopped;
    expect(await given).toEqual({ changed: 2, outcome: null });
    // A due job would do nothing and be due again at once.
    expect([numbersOf('mark'), stored(), process.bulk.due(1)]).toEqual([[1, 2], 1, []]);
  });
});

describe('a process that stops', () => {
  it('begins no other command that the last process left', async () => {
    const first = new Process();
    for (const name of ['mark', 'erase'] as const) first.bulk.begin({ name, numbers: upTo(3) });
    const next = new Process();
    await settled();
    expect(next.bulk.due(1)).toEqual([]);
    const stopped = next.bulk.stop();
    await next.pass(3);
    await stopped;
    expect([numbersOf('mark'), numbersOf('erase'), stored()]).toEqual([[1, 2], [], 2]);
  });

  it('completes no command whose slices are not all processed', async () => {
    const finished: string[] = [];
    const process = new Process({ finish: { gather: async () => String(finished.push('gather')) } });
    const executed = process.execute('gather', upTo(3));
    void process.bulk.stop();
    await process.pass(1);
    expect(await executed).toEqual({ changed: 2, outcome: null });
    expect([finished, stored()]).toEqual([[], 1]);
  });
});

describe('a database that can’t be written', () => {
  it('fails the call, keeps other work on hold, and is tried again after its rest', async () => {
    const process = new Process();
    const executed = process.execute('mark', upTo(5));
    process.faults.push(full());
    const refused = expect(executed).rejects.toThrow('full');
    await process.pass(1);
    await refused;
    expect([numbersOf('mark'), process.holds, process.bulk.due(0)]).toEqual([[1, 2], [upTo(5).join()], []]);
    await process.pass(1, STORE_REST_MS - 1);
    expect(numbersOf('mark')).toEqual([1, 2]);
    await process.pass(1, 1);
    await process.pass(2);
    expect([numbersOf('mark'), process.holds, stored()]).toEqual([upTo(5), [], 0]);
  });

  it('is not tried again for a fault of the program: other work continues, and the next process tries', async () => {
    const process = new Process();
    const executed = process.execute('mark', upTo(5));
    process.faults.push(new Error('a fault'));
    const failed = expect(executed).rejects.toThrow('a fault');
    await process.pass(1);
    await failed;
    expect([process.holds, process.bulk.pending, stored()]).toEqual([[], [], 1]);
    await process.pass(2, STORE_REST_MS);
    expect(numbersOf('mark')).toEqual([1, 2]);
    const next = new Process();
    next.faults.push(new Error('a fault'));
    // A command that the last process left must not fail the command of a caller.
    await next.bulk.give('erase', select(1), undefined);
    expect([next.log, numbersOf('erase')]).toEqual([['command.fault'], [1]]);
  });
});

describe('a command that is completed after its slices', () => {
  /** Collects what is still to be completed; `end` completes it. */
  const gathering = () => {
    const finishing: (() => void)[] = [];
    const gather = (_: unknown, end: () => void) =>
      new Promise<string>((resolve) => {
        finishing.push(() => {
          end();
          resolve('gathered');
        });
      });
    return { finishing, finish: { gather } };
  };

  it('stays stored until then, holds nothing, and lets other commands be executed', async () => {
    const { finishing, finish } = gathering();
    const process = new Process({ finish });
    const executed = process.execute('gather', upTo(3));
    await process.pass(2);
    expect([numbersOf('gather'), stored(), process.holds]).toEqual([upTo(3), 1, []]);
    void process.execute('mark', upTo(1));
    expect(numbersOf('mark')).toEqual([1]);
    finishing[0]?.();
    expect(await executed).toEqual({ changed: 3, outcome: 'gathered' });
  });

  it('is completed by the next process after a kill, without another slice', async () => {
    const first = new Process(gathering());
    void first.execute('gather', upTo(3));
    await first.pass(2);
    const { finishing, finish } = gathering();
    const next = new Process({ finish });
    await next.pass(2);
    expect([numbersOf('gather'), finishing.length]).toEqual([upTo(3), 1]);
    finishing[0]?.();
    await next.pass(1);
    expect([stored(), next.bulk.pending]).toEqual([0, []]);
  });

  it('is not completed twice when the user repeats it while a command before it is continued', async () => {
    const first = new Process(gathering());
    void first.execute('mark', upTo(5));
    void first.execute('gather', upTo(1));
    const { finishing, finish } = gathering();
    const next = new Process({ finish });
    await settled();
    expect(numbersOf('mark')).toEqual([1, 2, 3, 4]);
    const again = next.bulk.pending?.[1];
    if (again === undefined) throw new Error('no command');
    const executed = next.bulk.execute(again);
    await settled();
    expect(next.bulk.isRunning(again)).toBe(true);
    finishing[0]?.();
    expect(await executed).toEqual({ changed: 0, outcome: 'gathered' });
    await next.pass(2);
    expect([numbersOf('mark'), finishing.length, stored(), next.bulk.pending]).toEqual([upTo(5), 1, 0, []]);
  });

  it('does not hold up the end of the program while it waits for other work', async () => {
    new Process().bulk.begin({ name: 'gather', numbers: upTo(3) });
    const { finishing, finish } = gathering();
    const next = new Process({ finish });
    await next.pass(2);
    expect(finishing.length).toBe(1);
    void next.bulk.stop();
    let isStopped = false;
    void next.scheduler.stop().then(() => {
      isStopped = true;
    });
    await next.pass(1);
    expect([isStopped, stored()]).toEqual([true, 1]);
  });

  it('ends when it has become impossible, which is no fault of the program', async () => {
    void new Process().bulk.begin({ name: 'gather', numbers: upTo(1) });
    const gather = async (_: unknown, end: () => void) => {
      end();
      throw appError('edit.cant-undo');
    };
    const next = new Process({ finish: { gather } });
    await next.pass(1);
    expect([next.log, stored(), next.bulk.pending]).toEqual([['command.impossible'], 0, []]);
  });
});
