import type { StepResult } from './step-result.ts';

/** One unit of work. No two jobs of one kind with the same `id` run at a time. */
export interface Job {
  readonly id: string;
}

/**
 * A kind of background work: which jobs are due, and how one of them runs. The kind decides; the scheduler owns time,
 * slots, database faults and the stop.
 */
export interface JobKind<J extends Job = Job> {
  /** In the log. */
  readonly name: string;
  /** How many jobs may run at once, now. */
  slots(): number;
  /**
   * Called once before anything else, and again until it does not throw: takes over what the last process left. Nothing of
   * the kind runs before.
   */
  start?(): void;
  /**
   * The jobs to start now, at most `free` of them, none that runs already. Called whenever the lane was woken or its time
   * has come, also when no slot is free.
   */
  due(free: number): readonly J[];
  /** Milliseconds until time alone makes a job due; null when none waits for a time. Called after each `due`. */
  nextInMs(): number | null;
  /** Runs a job. Throws for faults of the program and of the database only. */
  run(job: J, signal: AbortSignal): Promise<StepResult>;
  /**
   * Records how a job ended. The job keeps its slot until that is stored. A database fault, in here or in `run`, is
   * followed by another call with `release` once the database has been left alone for a while.
   */
  settle?(job: J, result: StepResult): void;
}

/** A kind's place in the scheduler: what of it runs, and the way to make the scheduler call it. */
export interface Lane {
  /** Something changed: the kind is called now, or right after the tick in progress. */
  wake(): void;
  /** The kind is called by the timer, in `inMs` at the latest. Safe inside the record of a fact. */
  wakeIn(inMs: number): void;
  has(id: string): boolean;
  ids(): string[];
  /** How many jobs run. */
  readonly size: number;
}
