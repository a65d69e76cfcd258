import { appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { CancelEffects, UploadSelection } from '../../../../shared/contract/uploads.ts';
import { cancelEffect } from '../../../../shared/model/uploads/cancel-effects.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/uploads/upload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Job, JobKind, Lane } from '../../scheduler/job-kind.ts';
import { DONE, type JobResult } from '../../scheduler/job-result.ts';
import { STORE_REST_MS } from '../../scheduler/scheduler.ts';
import { mayBePublished, mayHaveLeft } from '../delivery/planner.ts';
import type { Transfers } from '../delivery/transfers.ts';
import { applies, blocksStarts, type CommandName, statesFor } from '../journal/command-kinds.ts';
import type { CommandStore, GivenCommand } from '../journal/command-store.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';

/** Rows per transaction: few enough not to block other work noticeably. */
const SLICE_ROWS = 100;
/** The number of ids or rows that one query reads. */
const LOOKED_UP = 1000;

export interface CommandTools {
  commands: CommandStore;
  journal: UploadJournal;
  transfers: Transfers;
  clock: Clock;
  logger: Logger;
  /** The number of rows of a slice; tests use a small one to get many slices. */
  sliceRows?: number;
}

/** The effects of commands on running uploads. */
export interface CommandEffects {
  /** The uploads that run in this process. */
  atWork(): string[];
  /**
   * Removes what a cancelled upload left in the library, or finds out whether it was published; called for those that may
   * have left something. `canBeUndone`: only after the time in which the cancel can be undone.
   */
  cleanUp(id: string, canBeUndone: boolean): void;
  /** Keeps what an upload has in the library, because its cancel was undone. */
  keep(id: string): void;
  isBusy(id: string): boolean;
  /** Wakes the lanes, after rows were changed. */
  wake(): void;
}

type OnChanged = (ids: readonly string[]) => void;

/**
 * Executes the user's commands about uploads, one after the other.
 *
 * A command about few rows is one transaction. One about many rows runs in slices, each a transaction; other work runs between
 * them. The command and its rows are stored first, and each slice stores the progress. So whatever ends the process, the next
 * process finishes the command and changes each row once. While the program stops, no command begins.
 */
export class UploadCommands implements JobKind {
  readonly name = 'command';
  readonly #tools: CommandTools;
  readonly #effects: CommandEffects;
  readonly #lane: Lane;
  /** The stored commands that are not complete; null until they were read. */
  #pending: GivenCommand[] | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #underWay = 0;
  #isStopped = false;

  constructor(tools: CommandTools, effects: CommandEffects, lane: Lane) {
    this.#tools = tools;
    this.#effects = effects;
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
    const isLeft = this.#underWay === 0 && this.#read().length > 0;
    return isLeft && free > 0 ? [{ id: 'unfinished' }] : [];
  }

  nextInMs(): null {
    return null;
  }

  async run(): Promise<JobResult> {
    await this.#inTurn(async () => 0);
    return DONE;
  }

  /** Resolves when no command writes any more. The progress of an unfinished one is stored. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#turn;
  }

  /** Whether no upload may start now. True until the unfinished commands were read, because one of them may be a pause. */
  get blocksStarts(): boolean {
    return this.#pending?.some(({ name }) => blocksStarts(name)) ?? true;
  }

  get isUnderWay(): boolean {
    return this.#underWay > 0;
  }

  /**
   * Executes a command. Returns the number of changed rows; if `stop` interrupts the command, of those changed so far.
   * `onChanged` is called with the ids of each slice.
   */
  give(name: CommandName, selection: UploadSelection, onChanged: OnChanged = () => {}): Promise<number> {
    return this.#inTurn(async () => this.#do(name, await this.#numbersOf(name, selection), onChanged));
  }

  /** Returns the number of selected uploads by the effect that a cancel would have on them now. */
  async effectsOfCancel(selection: UploadSelection): Promise<CancelEffects> {
    const { commands, transfers } = this.#tools;
    const effects: CancelEffects = { waiting: 0, sending: 0, delivered: 0, kept: 0 };
    const numbers = await this.#numbersOf('cancel', selection);
    for (let from = 0; from < numbers.length; from += LOOKED_UP) {
      if (from > 0) await this.#othersTurn();
      for (const upload of commands.rows(numbers.slice(from, from + LOOKED_UP))) {
        const effect = cancelEffect(upload, transfers.get(upload.id) !== undefined);
        if (effect !== null) effects[effect] += 1;
      }
    }
    return effects;
  }

  /** Returns the ids of the selected uploads that satisfy `wanted`, of those that a retry would change. */
  async ofRetry(selection: UploadSelection, wanted: (upload: Upload) => boolean): Promise<string[]> {
    const { commands } = this.#tools;
    const ids: string[] = [];
    const numbers = await this.#numbersOf('retry', selection);
    for (let from = 0; from < numbers.length; from += LOOKED_UP) {
      if (from > 0) await this.#othersTurn();
      for (const upload of commands.rows(numbers.slice(from, from + LOOKED_UP))) {
        if (wanted(upload)) ids.push(upload.id);
      }
    }
    return ids;
  }

  async #do(name: CommandName, numbers: readonly number[], onChanged: OnChanged): Promise<number> {
    const { commands, clock } = this.#tools;
    if (numbers.length > this.#sliceRows) {
      const command = commands.begin(name, numbers, clock.now());
      this.#read().push(command);
      return this.#carryOut(command, onChanged);
    }
    return this.#apply(name, commands.rows(numbers), onChanged);
  }

  async #carryOut(command: GivenCommand, onChanged: OnChanged = () => {}): Promise<number> {
    const { commands } = this.#tools;
    const { id, name, numbers } = command;
    let changed = blocksStarts(name) ? this.#stopThoseAtWork(command, onChanged) : 0;
    for (let from = numbers.findIndex((number) => number > command.after); from >= 0; ) {
      const slice = numbers.slice(from, from + this.#sliceRows);
      const after = slice.at(-1) ?? command.after;
      changed += this.#apply(name, commands.rows(slice), onChanged, () => commands.advance(id, after));
      command.after = after;
      from = from + slice.length < numbers.length ? from + slice.length : -1;
      await this.#othersTurn();
      if (this.#isStopped) return changed;
      // After the first changed slice, uploads may start while the other rows are processed, unless the command stops uploads.
      if (changed > 0 && changed <= slice.length && !blocksStarts(name)) this.#effects.wake();
    }
    commands.end(id);
    this.#pending = this.#read().filter((each) => each !== command);
    return changed;
  }

  #othersTurn(): Promise<void> {
    return new Promise((resolve) => void this.#tools.clock.schedule(0, resolve));
  }

  /** Applies a command to running uploads first: they would continue until their slice is reached. */
  #stopThoseAtWork({ name, numbers, after }: GivenCommand, onChanged: OnChanged): number {
    const { commands } = this.#tools;
    const meant = new Set(numbers);
    const atWork = commands.ofIds(this.#effects.atWork()).filter((number) => number > after && meant.has(number));
    return this.#apply(name, commands.rows(atWork), onChanged);
  }

  /** Applies a command to one slice and returns the number of changed rows. `alongside` is part of the transaction. */
  #apply(name: CommandName, rows: readonly Upload[], onChanged: OnChanged, alongside?: () => void): number {
    const { journal, transfers } = this.#tools;
    const chosen = rows.filter((upload) => applies(name, upload, transfers.get(upload.id) !== undefined));
    const facts = chosen.map((before) => ({ before, event: this.#eventOf(name, before) }));
    try {
      journal.recordMany(facts, alongside);
    } catch (error) {
      // Nothing was stored, so the transfers that `#eventOf` released are put on hold again.
      for (const { before, event } of facts)
        if (event.kind === 'resumed' && event.transferAlive) transfers.hold(before.id);
      throw error;
    }
    for (const upload of chosen) this.#takeEffect(name, upload);
    onChanged(chosen.map(({ id }) => id));
    return chosen.length;
  }

  /** Applies a stored command to running transfers and to clean-ups. */
  #takeEffect(name: CommandName, upload: Upload): void {
    const { id } = upload;
    const { transfers } = this.#tools;
    if (name === 'pause') transfers.hold(id);
    if (name === 'undo-cancel') this.#effects.keep(id);
    if (name === 'cancel') transfers.get(id)?.abort('cancelled');
    if (name !== 'cancel' && name !== 'cancel-waiting') return;
    // An upload that never started left nothing: a batch of ten thousand is cancelled without ten thousand requests.
    const isOpen = mayHaveLeft(upload) || mayBePublished(upload);
    if (this.#effects.isBusy(id) || isOpen) this.#effects.cleanUp(id, name === 'cancel-waiting');
  }

  #eventOf(name: CommandName, { id, state, error }: Upload): UploadEvent {
    const at = this.#tools.clock.now();
    switch (name) {
      case 'pause':
        return { kind: 'paused' };
      case 'resume':
        return { kind: 'resumed', transferAlive: this.#tools.transfers.release(id) };
      case 'cancel':
      case 'cancel-waiting':
        return { kind: 'cancelled', at };
      case 'undo-cancel':
        return { kind: 'cancel-undone' };
      case 'clear':
      case 'clear-completed':
        return { kind: 'cleared', at };
      case 'undo-clear':
        return { kind: 'clear-undone' };
      case 'retry':
        return { kind: state === 'complete' ? 'follow-ups-retried' : 'retried' };
      case 'skip-duplicates':
      case 'upload-duplicates': {
        const choice = name === 'skip-duplicates' ? 'skip' : 'upload';
        const skipped = appError('upload.duplicate-skipped', { details: error?.details ?? {} }).toData();
        return { kind: 'duplicate-resolved', choice, error: skipped, at };
      }
    }
  }

  async #numbersOf(name: CommandName, selection: UploadSelection): Promise<number[]> {
    const { commands } = this.#tools;
    if (selection.kind === 'ids') {
      const numbers = new Set<number>();
      for (let from = 0; from < selection.ids.length; from += LOOKED_UP) {
        if (from > 0) await this.#othersTurn();
        for (const number of commands.ofIds(selection.ids.slice(from, from + LOOKED_UP))) numbers.add(number);
      }
      return ascending(numbers);
    }
    const batchId = selection.kind === 'all' ? undefined : selection.batchId;
    const where = batchId === undefined ? 'all' : { batchId };
    const states = selection.kind === 'failed' ? (['failed'] as const) : statesFor(name, batchId !== undefined);
    const afterwards = name === 'retry' ? commands.withFailedFollowUps(where) : [];
    const areCleared = name === 'undo-clear';
    return ascending(new Set([...commands.inStates(where, states, areCleared), ...afterwards]));
  }

  /** Executes one command at a time. Unfinished commands come first. */
  #inTurn(work: () => Promise<number>): Promise<number> {
    this.#underWay += 1;
    const mine = this.#turn.then(async () => {
      try {
        for (const command of [...this.#read()]) if (!this.#isStopped) await this.#carryOut(command);
        return await work();
      } catch (error) {
        this.#tools.logger.warn('command.not-finished', { code: toAppError(error).code });
        this.#lane.wakeIn(STORE_REST_MS);
        throw error;
      } finally {
        this.#underWay -= 1;
        this.#effects.wake();
      }
    });
    this.#turn = mine.catch(() => {});
    return mine;
  }

  #read(): GivenCommand[] {
    if (this.#pending === null) {
      const { commands, logger } = this.#tools;
      const { commands: pending, unreadable } = commands.pending();
      for (const id of unreadable) {
        logger.error('command.unreadable', { id });
        commands.end(id);
      }
      this.#pending = pending;
    }
    return this.#pending;
  }

  get #sliceRows(): number {
    return this.#tools.sliceRows ?? SLICE_ROWS;
  }
}

function ascending(numbers: ReadonlySet<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}
