import type { StepResult } from './step-result.ts';

/** One unit of work. No two jobs of one kind with the same `id` run at a time. */
export interface Job {
  readonly id: string;
}

/**
 * A kind of background work: which jobs are due, and how one of them runs. The kind makes these decisions; the
 * scheduler is responsible for time, slots, database errors and the stop.
 */
export interface JobKind<J extends Job = Job> {
  /** The name in the log. */
  readonly name: string;
  /** How many jobs may run at once at this moment. */
  slots(): number;
  /**
   * Called once before anything else, and again until it does not throw: continues the work of the previous process.
   * Nothing of the kind runs before.
   */
  start?(): void;
  /**
   * Returns the jobs to start now: at most `free`, and none that is running. Called whenever the lane was woken or is
   * due, even when no slot is free.
   */
  due(free: number): readonly J[];
  /** Returns the milliseconds until a job becomes due by time; null when none does. Called after each `due`. */
  nextInMs(): number | null;
  /** Runs a job. Throws only for bugs and for database errors. */
  run(job: J, signal: AbortSignal): Promise<StepResult>;
  /**
   * Records how a job ended. The job keeps its slot until that is stored. After a database error, here or in `run`, the
   * scheduler calls this again with `release` after the database's rest period.
   */
  record?(job: J, result: StepResult): void;
}

/** A kind's connection to the scheduler: its running jobs, and functions that make the scheduler call it. */
export interface Lane {
  /**
   * Wakes the kind: it is called now. A lane woken during a tick is called in the same tick if its turn is still to come,
   * otherwise in the next one.
   */
  wake(): void;
  /** Makes the timer call the kind in `inMs` at the latest. May be called while an event is recorded. */
  wakeIn(inMs: number): void;
  has(id: string): boolean;
  ids(): string[];
  /** The number of running jobs. */
  readonly size: number;
}
