import { toAppError } from '../../../shared/contract/app-error.ts';
import { Emitter } from '../common/emitter.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { sqliteCodeOf } from '../store/database.ts';
import { ClockWatch } from './clock-watch.ts';
import type { Job, JobKind, Lane } from './job-kind.ts';
import { RELEASE } from './job-result.ts';

export interface SchedulerTools {
  clock: Clock;
  logger: Logger;
}

/** How long the database is not used after an error. */
export const STORE_REST_MS = 10_000;
/** The shortest delay that `JobKind.nextInMs` can request: a kind that returns 0 repeatedly does not block other work. */
const SHORTEST_WAIT_MS = 20;
/** The longest delay of the timer: a sleep of the computer is noticed within this time. */
const LONGEST_SLEEP_MS = 60_000;

/**
 * Runs background work of every kind. Each kind has a lane: its running jobs and the time of its next call. The scheduler
 * owns the timer that starts jobs, the slots, the handling of database errors, and the stop.
 *
 * A tick calls every lane that was woken or whose time has come: the kind returns the jobs to start (`JobKind.due`). When a job
 * ends, the kind records its `JobResult`, the slot becomes free, and the lane is called again. Pauses, breakers and
 * priorities are decisions of the kinds.
 */
export class Scheduler {
  /** A job ended, its result is recorded and its slot is free. */
  readonly onDidEnd = new Emitter<{ kind: string; id: string }>();
  /** A tick has ended: all due jobs that have a free slot are running. */
  readonly onDidTick = new Emitter<void>();
  /** The computer slept or its clock was set: work that waits for a connection or a time must be checked again. */
  readonly onDidJump = new Emitter<void>();
  /** The clock was set back. If a listener throws a database error, all are called again in the next tick. */
  readonly onDidSetBack = new Emitter<void>();

  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #clockWatch: ClockWatch;
  readonly #lanes: LaneState[] = [];
  readonly #stop = new AbortController();
  #isStarted = false;
  /** The names of the started kinds; null: all. */
  #onlyKinds: ReadonlySet<string> | null = null;
  #isTicking = false;
  /** The clock was set back, and not all listeners of `onDidSetBack` have succeeded yet. */
  #isSetBackOpen = false;
  #cancelTimer: () => void = () => {};

  constructor({ clock, logger }: SchedulerTools) {
    this.#clock = clock;
    this.#logger = logger;
    this.#clockWatch = new ClockWatch(clock);
  }

  /** Adds a kind, which `make` creates for its lane. A tick calls lanes in the order in which they were added. */
  add<K extends JobKind>(make: (lane: Lane) => K): K {
    const lane = new LaneState(
      () => this.#wakeNow(lane),
      (inMs) => this.#wakeIn(lane, inMs),
    );
    this.#lanes.push(lane);
    const kind = make(lane);
    lane.kind = kind;
    return kind;
  }

  get isRunning(): boolean {
    return this.#isStarted && !this.#stop.signal.aborted;
  }

  /** Starts all kinds. */
  start(): void {
    this.#isStarted = true;
    this.#onlyKinds = null;
    this.wake();
  }

  /** Starts these kinds in addition to kinds that were started before. All other kinds wait for `start`. */
  startOnly(kinds: readonly string[]): void {
    if (this.#isStarted && this.#onlyKinds === null) return;
    const before = this.#onlyKinds ?? new Set();
    if (this.#isStarted && kinds.every((kind) => before.has(kind))) return;
    this.#isStarted = true;
    this.#onlyKinds = new Set([...before, ...kinds]);
    this.wake();
  }

  /** Calls every kind now, after a change that may concern all kinds. Fast when nothing is due. */
  wake(): void {
    const now = this.#clock.monotonic();
    for (const lane of this.#lanes) lane.at = now;
    this.#tick();
  }

  /** Calls every kind like `wake`, but from the timer, never before this returns: safe while an event is recorded. */
  wakeSoon(): void {
    const now = this.#clock.monotonic();
    for (const lane of this.#lanes) lane.wakeAt(now);
    this.#planTimer();
  }

  /** Stops all jobs, and resolves when none is running. */
  async stop(): Promise<void> {
    this.#cancelTimer();
    this.#stop.abort(new Error('the scheduler was stopped'));
    await Promise.allSettled(this.#lanes.flatMap(({ works }) => [...works]));
  }

  /**
   * Runs work on the database that belongs to no job and that no caller awaits, for example of a listener. After a database
   * error, which is logged, every lane is called once the rest period is over. Returns whether the work was done.
   */
  attempt(what: string, work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (sqliteCodeOf(error) === null) throw error;
      this.#logger.error('store.unusable', { what, error: toAppError(error).toData() });
      for (const lane of this.#lanes) lane.wakeAt(this.#clock.monotonic() + STORE_REST_MS);
      this.#planTimer();
      return false;
    }
  }

  #wakeIn(lane: LaneState, inMs: number): void {
    lane.wakeAt(this.#clock.monotonic() + inMs);
    this.#planTimer();
  }

  #wakeNow(lane: LaneState): void {
    lane.at = this.#clock.monotonic();
    this.#tick();
  }

  /**
   * Calls the lanes whose time has come. A lane woken during a tick is called in the same tick if the tick has not reached
   * it yet, otherwise in the next one.
   */
  #tick(): void {
    if (!this.isRunning || this.#isTicking) return;
    this.#isTicking = true;
    try {
      this.#checkClock();
      for (const lane of this.#startedLanes()) if (lane.at <= this.#clock.monotonic()) this.#call(lane);
      this.attempt('idle', () => this.onDidTick.emit());
    } finally {
      this.#isTicking = false;
    }
    this.#planTimer();
  }

  #call(lane: LaneState): void {
    lane.at = Number.POSITIVE_INFINITY;
    try {
      if (!lane.isStarted) lane.kind.start?.();
      lane.isStarted = true;
      const free = Math.max(0, lane.kind.slots() - lane.size);
      for (const job of lane.kind.due(free)) this.#run(lane, job);
      const inMs = lane.kind.nextInMs();
      if (inMs !== null) lane.wakeAt(this.#clock.monotonic() + Math.max(inMs, SHORTEST_WAIT_MS));
    } catch (error) {
      if (sqliteCodeOf(error) === null) throw error;
      this.#logger.error('store.unusable', { what: lane.kind.name, error: toAppError(error).toData() });
      lane.wakeAt(this.#clock.monotonic() + STORE_REST_MS);
    }
  }

  #run(lane: LaneState, job: Job): void {
    lane.begin(job);
    const work = this.#runJob(lane, job).finally(() => {
      lane.end(job, work);
      if (!this.isRunning) return;
      lane.at = this.#clock.monotonic();
      // A listener that wakes lanes must not start a tick of its own: one tick calls them all.
      this.#isTicking = true;
      this.onDidEnd.emit({ kind: lane.kind.name, id: job.id });
      this.#isTicking = false;
      this.#tick();
    });
    lane.works.add(work);
  }

  /** Runs a job and records its result; after an exception it records `release`. Never rejects. */
  async #runJob({ kind }: LaneState, job: Job): Promise<void> {
    try {
      const result = await kind.run(job, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      kind.record?.(job, result);
    } catch (error) {
      this.#noteFault(kind, job, error);
      await this.#recordUntilStored(kind, job);
    }
  }

  /**
   * Records `release`, again after each database error. The job keeps its slot meanwhile: otherwise it would restart immediately,
   * in an endless loop.
   */
  async #recordUntilStored(kind: JobKind, job: Job): Promise<void> {
    for (;;) {
      await sleep(this.#clock, STORE_REST_MS, this.#stop.signal).catch(() => {});
      if (this.#stop.signal.aborted) return;
      try {
        kind.record?.(job, RELEASE);
        return;
      } catch (error) {
        this.#noteFault(kind, job, error);
        // Recording can't repair a bug: the job ends unrecorded.
        if (sqliteCodeOf(error) === null) return;
      }
    }
  }

  #noteFault({ name }: JobKind, { id }: Job, error: unknown): void {
    if (this.#stop.signal.aborted) return;
    const stack = error instanceof Error && sqliteCodeOf(error) === null ? { stack: error.stack } : {};
    this.#logger.error(`${name}.fault`, { id, error: toAppError(error).toData(), ...stack });
  }

  #startedLanes(): LaneState[] {
    const only = this.#onlyKinds;
    return only === null ? this.#lanes : this.#lanes.filter(({ kind }) => only.has(kind.name));
  }

  #checkClock(): void {
    const { wasSetBack, hasJumped } = this.#clockWatch.check();
    this.#clockWatch.expect(null);
    if (wasSetBack) this.#isSetBackOpen = true;
    if (this.#isSetBackOpen && this.attempt('clock', () => this.onDidSetBack.emit())) this.#isSetBackOpen = false;
    if (hasJumped) this.onDidJump.emit();
  }

  #planTimer(): void {
    if (!this.isRunning || this.#isTicking) return;
    this.#cancelTimer();
    const at = Math.min(...this.#startedLanes().map((lane) => lane.at));
    if (!Number.isFinite(at)) {
      this.#clockWatch.expect(null);
      return;
    }
    const inMs = Math.min(Math.max(0, at - this.#clock.monotonic()), LONGEST_SLEEP_MS);
    this.#clockWatch.expect(inMs);
    this.#cancelTimer = this.#clock.schedule(inMs, () => this.#tick());
  }
}

class LaneState implements Lane {
  kind!: JobKind;
  isStarted = false;
  /** When the kind is called next, on the monotonic clock. */
  at = Number.POSITIVE_INFINITY;
  readonly works = new Set<Promise<void>>();
  readonly #running = new Set<string>();
  readonly wake: () => void;
  readonly wakeIn: (inMs: number) => void;

  constructor(wake: () => void, wakeIn: (inMs: number) => void) {
    this.wake = wake;
    this.wakeIn = wakeIn;
  }

  wakeAt(at: number): void {
    this.at = Math.min(this.at, at);
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  ids(): string[] {
    return [...this.#running];
  }

  get size(): number {
    return this.#running.size;
  }

  begin({ id }: Job): void {
    this.#running.add(id);
  }

  end({ id }: Job, work: Promise<void>): void {
    this.#running.delete(id);
    this.works.delete(work);
  }
}
