import { beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../electron/engine/ports/logger.ts';
import type { Job, JobKind, Lane } from '../../../../electron/engine/scheduler/job-kind.ts';
import { DONE, type JobResult } from '../../../../electron/engine/scheduler/job-result.ts';
import { Scheduler, STORE_REST_MS } from '../../../../electron/engine/scheduler/scheduler.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

/** Creates an error of the database with this result code of SQLite. */
const databaseFault = (errcode: number) => Object.assign(new Error('the database failed'), { errcode });
const BUSY = 5;
const IO_ERROR = 10;
const FULL = 13;
const CANT_OPEN = 14;

/** A kind whose jobs the test makes due with `add` and ends with `end`. */
class TestKind implements JobKind {
  readonly name: string;
  readonly lane: Lane;
  waiting: { id: string; dueAt: number }[] = [];
  started: string[] = [];
  recorded: { id: string; kind: string }[] = [];
  startCalls = 0;
  dueCalls = 0;
  maxSlots = 2;
  /** Errors that the next calls throw. */
  faults: { due?: unknown; start?: unknown; run?: unknown; record?: unknown } = {};
  readonly #clock: ManualClock;
  readonly #ends = new Map<string, (result: JobResult) => void>();

  constructor(name: string, clock: ManualClock, lane: Lane) {
    this.name = name;
    this.#clock = clock;
    this.lane = lane;
  }

  add(id: string, inMs = 0): void {
    this.waiting.push({ id, dueAt: this.#clock.monotonic() + inMs });
  }

  end(id: string, result: JobResult = DONE): void {
    this.#ends.get(id)?.(result);
  }

  slots(): number {
    return this.maxSlots;
  }

  start(): void {
    this.startCalls += 1;
    this.#throw('start');
  }

  due(free: number): Job[] {
    this.dueCalls += 1;
    this.#throw('due');
    const now = this.#clock.monotonic();
    const due = this.waiting.filter(({ id, dueAt }) => dueAt <= now && !this.lane.has(id)).slice(0, free);
    this.waiting = this.waiting.filter((each) => !due.includes(each));
    return due;
  }

  nextInMs(): number | null {
    const now = this.#clock.monotonic();
    const later = this.waiting.map(({ dueAt }) => dueAt - now).filter((inMs) => inMs > 0);
    return later.length === 0 ? null : Math.min(...later);
  }

  async run({ id }: Job, signal: AbortSignal): Promise<JobResult> {
    this.started.push(id);
    this.#throw('run');
    return new Promise((resolve, reject) => {
      this.#ends.set(id, resolve);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }

  record({ id }: Job, { kind }: JobResult): void {
    this.#throw('record');
    this.recorded.push({ id, kind });
  }

  #throw(where: keyof TestKind['faults']): void {
    const fault = this.faults[where];
    delete this.faults[where];
    if (fault !== undefined) throw fault;
  }
}

let clock: ManualClock;
let scheduler: Scheduler;
let kind: TestKind;

beforeEach(() => {
  clock = new ManualClock();
  scheduler = new Scheduler({ clock, logger: silentLogger });
  kind = scheduler.add((lane) => new TestKind('test', clock, lane));
});

const microtasks = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('the scheduler', () => {
  it('starts nothing before it is started', () => {
    kind.add('a');
    scheduler.wake();
    expect(kind.started).toEqual([]);
    scheduler.start();
    expect(kind.started).toEqual(['a']);
  });

  it('starts only the named kinds, then kinds that are named later, and all of them after a complete start', () => {
    const [other, third] = ['other', 'third'].map((name) => scheduler.add((lane) => new TestKind(name, clock, lane)));
    for (const each of [kind, other, third]) each?.add('due');
    scheduler.startOnly(['test']);
    scheduler.wake();
    clock.advance(60_000);
    expect([kind, other, third].map((each) => each?.startCalls)).toEqual([1, 0, 0]);
    scheduler.startOnly(['other']);
    expect([kind, other, third].map((each) => each?.started)).toEqual([['due'], ['due'], []]);
    scheduler.start();
    // All kinds run: a later request for some of them ends none.
    scheduler.startOnly(['test']);
    expect(third?.started).toEqual(['due']);
    third?.add('again');
    third?.lane.wake();
    expect(third?.started).toEqual(['due', 'again']);
  });

  it('runs as many jobs in parallel as the kind has slots, and the next job when a slot is free', async () => {
    for (const id of ['a', 'b', 'c']) kind.add(id);
    scheduler.start();
    expect(kind.started).toEqual(['a', 'b']);
    kind.end('a');
    await microtasks();
    expect(kind.started).toEqual(['a', 'b', 'c']);
    expect(kind.lane.ids()).toEqual(['b', 'c']);
  });

  it('starts a job when it is due, with one timer for all kinds', () => {
    const other = scheduler.add((lane) => new TestKind('other', clock, lane));
    kind.add('late', 5000);
    other.add('soon', 1000);
    scheduler.start();
    clock.advance(999);
    expect([...kind.started, ...other.started]).toEqual([]);
    clock.advance(1);
    expect(other.started).toEqual(['soon']);
    clock.advance(4000);
    expect(kind.started).toEqual(['late']);
  });

  it('calls only the lanes that were woken or have a due job', () => {
    const other = scheduler.add((lane) => new TestKind('other', clock, lane));
    scheduler.start();
    const calls = other.dueCalls;
    kind.lane.wake();
    kind.lane.wakeIn(0);
    clock.advance(0);
    expect(other.dueCalls).toBe(calls);
  });

  it('starts nothing inside a tick when a lane is woken there, and calls that lane right after it', () => {
    const nested = scheduler.add((lane) => new TestKind('nested', clock, lane));
    scheduler.onDidTick.on(() => {
      if (nested.started.length === 0 && nested.waiting.length === 0) {
        nested.add('n');
        nested.lane.wake();
        expect(nested.started).toEqual([]);
      }
    });
    scheduler.start();
    clock.advance(0);
    expect(nested.started).toEqual(['n']);
  });

  it('keeps the slot until the result is recorded', async () => {
    kind.maxSlots = 1;
    kind.add('a');
    kind.add('b');
    scheduler.start();
    kind.faults.record = databaseFault(FULL);
    kind.end('a');
    await microtasks();
    expect(kind.recorded).toEqual([]);
    expect(kind.started).toEqual(['a']);
    clock.advance(STORE_REST_MS);
    await microtasks();
    expect(kind.recorded).toEqual([{ id: 'a', kind: 'release' }]);
    expect(kind.started).toEqual(['a', 'b']);
  });

  it('releases a job whose run had a database error after the rest period of the database', async () => {
    kind.faults.run = databaseFault(BUSY);
    kind.add('a');
    scheduler.start();
    await microtasks();
    expect(kind.lane.has('a')).toBe(true);
    clock.advance(STORE_REST_MS);
    await microtasks();
    expect(kind.recorded).toEqual([{ id: 'a', kind: 'release' }]);
    expect(kind.lane.has('a')).toBe(false);
  });

  it('ends a job after one more attempt when a programming error prevents recording its result', async () => {
    kind.add('a');
    scheduler.start();
    kind.faults.record = new Error('a fault of the program');
    kind.end('a');
    await microtasks();
    expect(kind.lane.has('a')).toBe(true);
    kind.faults.record = new Error('the same fault');
    clock.advance(STORE_REST_MS);
    await microtasks();
    expect(kind.lane.has('a')).toBe(false);
    expect(kind.recorded).toEqual([]);
  });

  it('calls a kind again whose rows could not be read, and calls the other kinds in the meantime', () => {
    const other = scheduler.add((lane) => new TestKind('other', clock, lane));
    kind.faults.due = databaseFault(IO_ERROR);
    kind.add('a');
    other.add('b');
    scheduler.start();
    expect([...kind.started, ...other.started]).toEqual(['b']);
    clock.advance(STORE_REST_MS);
    expect(kind.started).toEqual(['a']);
  });

  it('runs nothing of a kind before its start has succeeded', () => {
    kind.faults.start = databaseFault(CANT_OPEN);
    kind.add('a');
    scheduler.start();
    expect(kind.started).toEqual([]);
    clock.advance(STORE_REST_MS);
    expect(kind.startCalls).toBe(2);
    expect(kind.started).toEqual(['a']);
    scheduler.wake();
    expect(kind.startCalls).toBe(2);
  });

  it('reports a clock that was set back until the report is stored', () => {
    const reports: string[] = [];
    let fault: Error | null = databaseFault(FULL);
    let wall = 0;
    const stepped = {
      now: () => clock.now() + wall,
      monotonic: () => clock.monotonic(),
      schedule: clock.schedule.bind(clock),
    };
    const own = new Scheduler({ clock: stepped, logger: silentLogger });
    own.onDidSetBack.on(() => {
      const thrown = fault;
      fault = null;
      if (thrown) throw thrown;
      reports.push('stored');
    });
    own.start();
    wall = -86_400_000;
    own.wake();
    expect(reports).toEqual([]);
    own.wake();
    expect(reports).toEqual(['stored']);
    own.wake();
    expect(reports).toEqual(['stored']);
  });

  it('ends every job when it stops, records no results, and starts nothing afterwards', async () => {
    kind.add('a');
    kind.add('b');
    scheduler.start();
    await scheduler.stop();
    expect(kind.lane.size).toBe(0);
    expect(kind.recorded).toEqual([]);
    kind.add('c');
    scheduler.wake();
    clock.advance(60_000);
    expect(kind.started).toEqual(['a', 'b']);
  });
});
