import { toAppError } from '../../../shared/contract/app-error.ts';
import { abortable } from '../common/abortable.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import type { Job, JobKind, Lane } from '../scheduler/job-kind.ts';
import { DONE, type JobResult } from '../scheduler/job-result.ts';
import { STORE_REST_MS } from '../scheduler/scheduler.ts';
import { sqliteCodeOf } from '../store/database.ts';
import type { BulkCommandStore, NewCommand, StoredCommand } from './bulk-command-store.ts';

/** A command in the hands of this process. */
export interface Given<Name extends string> {
  readonly name: Name;
  /** The number of rows that this process has changed. */
  changed: number;
  /** Called with the ids of the changed rows of each slice; only in the process that got the command. */
  onChanged?: (ids: readonly string[]) => void;
}

/** A command that is stored until it is complete. */
export interface BulkCommand<Name extends string> extends Given<Name>, StoredCommand<Name> {}

/** What a part of the engine does with its commands. */
export interface BulkWork<Name extends string, Outcome> {
  /** The name of its lane. */
  lane: string;
  names: readonly Name[];
  /** Rows per transaction: few enough not to block other work noticeably. */
  sliceRows: number;
  /** Whether the rows with the highest numbers are processed first. */
  isLastFirst?: boolean;
  /** Resolves when other work of the process had its turn. */
  othersTurn(): Promise<void>;
  /**
   * Stops other work on the rows of a command until the returned function is called: from the moment when the command is stored or
   * read until all its slices are processed.
   */
  hold?(numbers: readonly number[]): () => void;
  /** Called before the first slice in this process. Returns the number of changed rows. */
  begin?(command: BulkCommand<Name>): number;
  /** Changes one slice in one transaction, which includes `alongside`. Returns the number of changed rows. */
  apply(command: Given<Name>, numbers: readonly number[], alongside?: () => void): number;
  /**
   * By name: completes a command whose slices are all processed. Calls `end` in its last transaction. Other commands are completed
   * by the transaction of their last slice.
   */
  finish?: Partial<Record<Name, (command: BulkCommand<Name>, end: () => void) => Promise<Outcome>>>;
  /** Called after damaged commands were removed: stores commands again whose effect shows that they were begun. */
  restore?(): void;
  /** Called when a command has ended or failed. */
  onDidTurn?(): void;
}

/** `outcome`: of `BulkWork.finish`; null without one, and when the process stopped before. */
export interface Finished<Outcome> {
  changed: number;
  outcome: Outcome | null;
}

interface BulkTools {
  store: BulkCommandStore;
  clock: Clock;
  logger: Logger;
}

/**
 * Executes the user's commands about many rows of one part of the engine.
 *
 * A command and its rows are stored first. Then it is executed in slices: each is a transaction that also stores the progress, and
 * other work runs between them. So whatever ends the process, the next process completes the command and processes each row once.
 * When the database can't be written, the caller gets the error, and the rest is done later. While the program stops, no slice
 * begins.
 */
export class BulkCommands<Name extends string, Outcome = never> implements JobKind {
  readonly name: string;
  readonly #tools: BulkTools;
  readonly #work: BulkWork<Name, Outcome>;
  readonly #lane: Lane;
  /** The stored commands that are not complete; null until they were read. */
  #pending: BulkCommand<Name>[] | null = null;
  readonly #running = new Set<number>();
  readonly #holds = new Map<number, () => void>();
  #turn: Promise<unknown> = Promise.resolve();
  #underWay = 0;
  #isStopped = false;

  constructor(tools: BulkTools, work: BulkWork<Name, Outcome>, lane: Lane) {
    this.name = work.lane;
    this.#tools = tools;
    this.#work = work;
    this.#lane = lane;
  }

  slots(): number {
    return 1;
  }

  start(): void {
    this.#read();
  }

  /**
   * Returns a job for the commands that the last process, or a database fault, left unfinished. After `stop` it returns none,
   * because a job would do nothing and be due again at once.
   */
  due(free: number): Job[] {
    if (this.#isStopped) return [];
    const isLeft = this.#read().some(({ id }) => !this.#running.has(id));
    return this.#underWay === 0 && isLeft && free > 0 ? [{ id: 'unfinished' }] : [];
  }

  nextInMs(): null {
    return null;
  }

  /** `signal`: ends the job with the program, also while a command waits for other work, which does not end then. */
  async run(_job: Job, signal: AbortSignal): Promise<JobResult> {
    await abortable(
      this.#inTurn(async () => {}),
      signal,
    );
    return DONE;
  }

  /** Resolves when no command in turn writes any more. The progress of an unfinished one is stored. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#turn;
  }

  /** The commands that are not complete; null until those of the last process were read. */
  get pending(): readonly BulkCommand<Name>[] | null {
    return this.#pending;
  }

  get isUnderWay(): boolean {
    return this.#underWay > 0;
  }

  /** Whether this process executes a command at this moment. */
  isRunning(command: BulkCommand<Name>): boolean {
    return this.#running.has(command.id);
  }

  /**
   * Continues the commands of the last process. Before this returns, they are read, and the work on their rows is on hold. Throws
   * database errors of the read; later ones are logged, and the rest is done later.
   */
  resume(): void {
    if (this.#read().length > 0) this.#inTurn(async () => {}).catch(() => {});
  }

  /**
   * Executes a command after all commands before it. `select` chooses its rows when its turn comes. One about no more rows than one
   * slice is one transaction, and is not stored.
   */
  give(
    name: Name,
    select: () => Promise<readonly number[]>,
    onChanged: Given<Name>['onChanged'],
  ): Promise<Finished<Outcome>> {
    return this.#inTurn(async () => {
      const numbers = await select();
      const given = { name, changed: 0, ...(onChanged === undefined ? {} : { onChanged }) };
      if (numbers.length > this.#work.sliceRows) return this.execute(this.begin({ name, numbers }, given));
      return { changed: this.#work.apply(given, numbers), outcome: null };
    });
  }

  /** Stores a command; `execute` executes it. */
  begin(command: NewCommand<Name>, given: Given<Name> = { name: command.name, changed: 0 }): BulkCommand<Name> {
    const pending = this.#read();
    const { store, clock } = this.#tools;
    const release = this.#work.hold?.(command.numbers);
    try {
      const added = { ...given, ...store.begin(command, clock.now()) };
      if (release !== undefined) this.#holds.set(added.id, release);
      pending.push(added);
      return added;
    } catch (error) {
      release?.();
      throw error;
    }
  }

  /** Executes a stored command at once, beside others; the first slice synchronously. */
  async execute(command: BulkCommand<Name>): Promise<Finished<Outcome>> {
    this.#running.add(command.id);
    try {
      const isComplete = await this.#runSlices(command);
      if (!isComplete) return { changed: command.changed, outcome: null };
      this.#release(command);
      const end = () => this.#tools.store.end(command.id);
      const outcome = (await this.#work.finish?.[command.name]?.(command, end)) ?? null;
      this.#forget(command);
      return { changed: command.changed, outcome };
    } catch (error) {
      if (sqliteCodeOf(error) !== null) this.#lane.wakeIn(STORE_REST_MS);
      // A fault of the program is not repaired by a repetition, and must not hold other work forever: the next process tries again.
      else this.#forget(command);
      throw error;
    } finally {
      this.#running.delete(command.id);
    }
  }

  /** Returns false when the program stops. */
  async #runSlices(command: BulkCommand<Name>): Promise<boolean> {
    const { store } = this.#tools;
    const { sliceRows, isLastFirst = false, apply, begin, othersTurn } = this.#work;
    const { id, name, numbers } = command;
    const isEndedByLast = this.#work.finish?.[name] === undefined;
    // An earlier version removed a command only after its last slice.
    if (isEndedByLast && command.done === numbers.length) store.end(id);
    command.changed += begin?.(command) ?? 0;
    while (command.done < numbers.length) {
      const done = Math.min(command.done + sliceRows, numbers.length);
      const slice = isLastFirst
        ? numbers.slice(numbers.length - done, numbers.length - command.done)
        : numbers.slice(command.done, done);
      const isEnd = isEndedByLast && done === numbers.length;
      command.changed += apply(command, slice, () => (isEnd ? store.end(id) : store.advance(id, done)));
      command.done = done;
      if (done === numbers.length) break;
      await othersTurn();
      if (this.#isStopped) return false;
    }
    return true;
  }

  /** Executes one command at a time. Unfinished commands come first. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    const mine = this.#turn.then(async () => {
      try {
        for (const command of [...this.#read()]) await this.#continue(command);
        return await work();
      } finally {
        this.#underWay -= 1;
        this.#work.onDidTurn?.();
      }
    });
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** Continues a command that no caller waits for: an error that a repetition can't repair is logged. */
  async #continue(command: BulkCommand<Name>): Promise<void> {
    // The user may have repeated it while others before it were continued.
    const isLeft = this.#read().includes(command) && !this.#running.has(command.id);
    if (this.#isStopped || !isLeft) return;
    try {
      await this.execute(command);
    } catch (error) {
      if (sqliteCodeOf(error) !== null) throw error;
      const data = toAppError(error).toData();
      const stack = error instanceof Error ? error.stack : undefined;
      const { logger } = this.#tools;
      if (data.code === 'internal') logger.error('command.fault', { name: command.name, error: data, stack });
      else logger.info('command.impossible', { name: command.name, error: data });
    }
  }

  #read(): BulkCommand<Name>[] {
    if (this.#pending === null) {
      const commands = this.#soundCommands();
      for (const { id, numbers } of commands) {
        // A database fault may have ended the last read after a part of the commands.
        const release = this.#holds.has(id) ? undefined : this.#work.hold?.(numbers);
        if (release !== undefined) this.#holds.set(id, release);
      }
      this.#pending = commands.map((command) => ({ ...command, changed: 0 }));
    }
    return this.#pending;
  }

  /** Reads the stored commands, and removes those that are damaged. */
  #soundCommands(): StoredCommand<Name>[] {
    const { store, logger } = this.#tools;
    const { names, restore } = this.#work;
    const { commands, damaged } = store.pending(names);
    for (const id of damaged) {
      logger.error('command.damaged', { id });
      store.end(id);
    }
    if (damaged.length === 0 || restore === undefined) return commands;
    restore();
    return store.pending(names).commands;
  }

  #release({ id }: BulkCommand<Name>): void {
    this.#holds.get(id)?.();
    this.#holds.delete(id);
  }

  #forget(command: BulkCommand<Name>): void {
    this.#release(command);
    this.#pending = this.#read().filter((each) => each !== command);
  }
}
