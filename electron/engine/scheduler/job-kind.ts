import type { JobResult } from './job-result.ts';

/** One run of work. Two jobs of one kind with the same `id` never run at the same time. */
export interface Job {
  readonly id: string;
}

/**
 * A kind of background work. It decides which jobs are due and runs them; the scheduler calls it at the right time and handles
 * slots, database errors and the stop.
 */
export interface JobKind<J extends Job = Job> {
  /** The name of the lane: in the log, for `startOnly`, and in `onDidEnd`. */
  readonly name: string;
  /** How many jobs of the kind may run at the same time; read before each `due`. */
  slots(): number;
  /**
   * Prepares the kind, for example from the rows of the previous process. Called before the first `due`; after a database
   * error it is called again, until it succeeds.
   */
  start?(): void;
  /**
   * Returns the jobs to start now: at most `free`, and none that is running. Called when the lane was woken or its time has
   * come, also with `free` 0.
   */
  due(free: number): readonly J[];
  /** Returns the milliseconds until another job becomes due without a `wake`; null when none does. Called after each `due`. */
  nextInMs(): number | null;
  /** Runs a job until it ends. Throws only for bugs and for database errors. */
  run(job: J, signal: AbortSignal): Promise<JobResult>;
  /**
   * Records how a job ended; its slot is free after that. If `run` or `record` throws, the scheduler calls `record` with
   * `release` after the rest period of the database (`STORE_REST_MS`).
   */
  record?(job: J, result: JobResult): void;
}

/** The scheduler's interface for a kind: its running jobs, and functions that make the scheduler call its `due`. */
export interface Lane {
  /**
   * Makes the scheduler call the kind now. During a tick: in the same tick if the tick has not reached the lane yet,
   * otherwise in the next one.
   */
  wake(): void;
  /** Makes the timer call the kind in `inMs` or earlier, never before this returns: safe while an event is recorded. */
  wakeIn(inMs: number): void;
  /** Whether a job with this id is running. */
  has(id: string): boolean;
  /** The ids of the running jobs. */
  ids(): string[];
  /** The number of running jobs. */
  readonly size: number;
}
