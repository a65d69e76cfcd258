import { appError } from '../../../../shared/contract/app-error.ts';
import type { CancelEffects, UploadSelection } from '../../../../shared/contract/uploads.ts';
import { cancelEffect } from '../../../../shared/model/uploads/cancel-effects.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/uploads/upload.ts';
import type { BulkCommandStore } from '../../bulk-commands/bulk-command-store.ts';
import { type BulkCommand, BulkCommands, type Given } from '../../bulk-commands/bulk-commands.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import { mayBePublished, mayHaveLeft } from '../delivery/planner.ts';
import type { Transfers } from '../delivery/transfers.ts';
import { applies, blocksStarts, COMMAND_NAMES, type CommandName, statesFor } from '../journal/command-kinds.ts';
import type { CommandRows } from '../journal/command-rows.ts';
import type { UploadJournal } from '../journal/upload-journal.ts';

/** Rows per transaction. */
const SLICE_ROWS = 100;
/** The number of ids or rows that one query reads. */
const LOOKED_UP = 1000;

export interface CommandTools {
  /** The commands that are not complete. */
  commands: BulkCommandStore;
  commandRows: CommandRows;
  journal: UploadJournal;
  transfers: Transfers;
  clock: Clock;
  logger: Logger;
  scheduler: Pick<Scheduler, 'add'>;
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

/** Executes the user's commands about uploads, one after the other, see `BulkCommands`. */
export class UploadCommands {
  readonly #tools: CommandTools;
  readonly #effects: CommandEffects;
  readonly #bulk: BulkCommands<CommandName>;

  constructor(tools: CommandTools, effects: CommandEffects) {
    this.#tools = tools;
    this.#effects = effects;
    const work = {
      lane: 'command',
      names: COMMAND_NAMES,
      sliceRows: tools.sliceRows ?? SLICE_ROWS,
      othersTurn: () => this.#othersTurn(),
      begin: (command: BulkCommand<CommandName>) => this.#stopThoseAtWork(command),
      apply: (given: Given<CommandName>, numbers: readonly number[], alongside?: () => void) =>
        this.#apply(given, tools.commandRows.rows(numbers), alongside),
      onDidTurn: () => effects.wake(),
    };
    this.#bulk = tools.scheduler.add((lane) => new BulkCommands({ ...tools, store: tools.commands }, work, lane));
  }

  /** Resolves when no command writes any more. The progress of an unfinished one is stored. */
  stop(): Promise<void> {
    return this.#bulk.stop();
  }

  /** Whether no upload may start now. True until the unfinished commands were read, because one of them may be a pause. */
  get blocksStarts(): boolean {
    return this.#bulk.pending?.some(({ name }) => blocksStarts(name)) ?? true;
  }

  get isUnderWay(): boolean {
    return this.#bulk.isUnderWay;
  }

  /**
   * Executes a command. Returns the number of changed rows; if `stop` interrupts the command, of those changed so far.
   * `onChanged` is called with the ids of each slice.
   */
  async give(
    name: CommandName,
    selection: UploadSelection,
    onChanged?: Given<CommandName>['onChanged'],
  ): Promise<number> {
    const { changed } = await this.#bulk.give(name, () => this.#numbersOf(name, selection), onChanged);
    return changed;
  }

  /** Returns the number of selected uploads by the effect that a cancel would have on them now. */
  async effectsOfCancel(selection: UploadSelection): Promise<CancelEffects> {
    const effects: CancelEffects = { waiting: 0, sending: 0, delivered: 0, kept: 0 };
    for await (const upload of this.#rowsOf('cancel', selection)) {
      const effect = cancelEffect(upload, this.#tools.transfers.get(upload.id) !== undefined);
      if (effect !== null) effects[effect] += 1;
    }
    return effects;
  }

  /** Returns the ids of the selected uploads that satisfy `wanted`, of those that a retry would change. */
  async ofRetry(selection: UploadSelection, wanted: (upload: Upload) => boolean): Promise<string[]> {
    const ids: string[] = [];
    for await (const upload of this.#rowsOf('retry', selection)) if (wanted(upload)) ids.push(upload.id);
    return ids;
  }

  /** Reads the rows of a command before it is given; other work has its turn meanwhile. */
  async *#rowsOf(name: CommandName, selection: UploadSelection): AsyncIterable<Upload> {
    const numbers = await this.#numbersOf(name, selection);
    for (let from = 0; from < numbers.length; from += LOOKED_UP) {
      if (from > 0) await this.#othersTurn();
      yield* this.#tools.commandRows.rows(numbers.slice(from, from + LOOKED_UP));
    }
  }

  #othersTurn(): Promise<void> {
    return new Promise((resolve) => void this.#tools.clock.schedule(0, resolve));
  }

  /** Applies a command that stops uploads to running ones first: they would continue until their slice is reached. */
  #stopThoseAtWork(command: BulkCommand<CommandName>): number {
    const { commandRows } = this.#tools;
    if (!blocksStarts(command.name)) return 0;
    const left = new Set(command.numbers.slice(command.done));
    const atWork = commandRows.ofIds(this.#effects.atWork()).filter((number) => left.has(number));
    return this.#apply(command, commandRows.rows(atWork));
  }

  /** Applies a command to one slice and returns the number of changed rows. `alongside` is part of the transaction. */
  #apply({ name, changed, onChanged }: Given<CommandName>, rows: readonly Upload[], alongside?: () => void): number {
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
    onChanged?.(chosen.map(({ id }) => id));
    // After the first changed slice, uploads may start while the other rows are processed, unless the command stops uploads.
    if (changed === 0 && chosen.length > 0 && !blocksStarts(name)) this.#effects.wake();
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
    const { commandRows } = this.#tools;
    if (selection.kind === 'ids') {
      const numbers = new Set<number>();
      for (let from = 0; from < selection.ids.length; from += LOOKED_UP) {
        if (from > 0) await this.#othersTurn();
        for (const number of commandRows.ofIds(selection.ids.slice(from, from + LOOKED_UP))) numbers.add(number);
      }
      return ascending(numbers);
    }
    const batchId = selection.kind === 'all' ? undefined : selection.batchId;
    const where = batchId === undefined ? 'all' : { batchId };
    const states = selection.kind === 'failed' ? (['failed'] as const) : statesFor(name, batchId !== undefined);
    const afterwards = name === 'retry' ? commandRows.withFailedFollowUps(where) : [];
    const areCleared = name === 'undo-clear';
    return ascending(new Set([...commandRows.inStates(where, states, areCleared), ...afterwards]));
  }
}

function ascending(numbers: ReadonlySet<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}
