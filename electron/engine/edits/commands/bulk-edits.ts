import { setImmediate as nextTurn } from 'node:timers/promises';
import { appError } from '../../../../shared/contract/app-error.ts';
import type { EditRowsRef } from '../../../../shared/contract/edits.ts';
import { type BulkCommand, BulkCommands } from '../../bulk-commands/bulk-commands.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Scheduler } from '../../scheduler/scheduler.ts';
import type { EditNumbers } from '../journal/edit-numbers.ts';
import type { GroupRecord } from '../journal/edit-row.ts';
import type { EditCommands, EditCommandTools } from './edit-commands.ts';
import { SLICE_ROWS } from './slice-rows.ts';
import { type UndoOutcome, UndoResults } from './undo-results.ts';

export interface BulkEditTools extends EditCommandTools {
  numbers: EditNumbers;
  logger: Logger;
  scheduler: Pick<Scheduler, 'add'>;
  /** Overrides the usual number, for tests with many slices of few edits. */
  sliceRows?: number;
}

/** The name of the lane. */
export const EDIT_COMMAND_LANE = 'edit-command';

/**
 * The parameters of an undo and a redo are the number of their group. All three drop edits slice by slice; an undo and a redo then
 * add the group that is their result.
 */
const NAMES = ['drop', 'undo', 'redo'] as const;
type Name = (typeof NAMES)[number];

/** What an undo or a redo has come to when the program stops before its result. */
const NO_OUTCOME: UndoOutcome = { group: null, dropped: 0, restoring: 0, notUndoable: 0 };

/**
 * Drops edits that the user selected, and undoes and redoes groups, see `BulkCommands`. Until the edits of a command are dropped,
 * no edit of their libraries is sent.
 */
export class BulkEdits {
  readonly #commands: EditCommands;
  readonly #tools: BulkEditTools;
  readonly #sliceRows: number;
  readonly #bulk: BulkCommands<Name, UndoOutcome>;

  constructor(commands: EditCommands, tools: BulkEditTools) {
    this.#commands = commands;
    this.#tools = tools;
    this.#sliceRows = tools.sliceRows ?? SLICE_ROWS;
    const { journal, locks, numbers } = tools;
    const results = new UndoResults(commands, tools);
    this.#bulk = tools.scheduler.add(
      (lane) =>
        new BulkCommands(
          { ...tools, store: journal.store.commands },
          {
            lane: EDIT_COMMAND_LANE,
            names: NAMES,
            sliceRows: this.#sliceRows,
            // An edit that stays gets the base of each dropped edit before it in turn, and in the end the base of the first.
            isLastFirst: true,
            othersTurn: () => nextTurn(),
            hold(rows) {
              const releases = numbers.siteIdsOf(rows).map((siteId) => locks.lock(siteId));
              return () => {
                for (const release of releases) release();
              };
            },
            restore: () => this.#restoreUndos(),
            apply: ({ name }, rows, alongside) => this.#drop(rows, name !== 'drop', alongside),
            finish: {
              undo: ({ parameters }, end) => results.ofUndo(Number(parameters), end),
              redo: ({ parameters }, end) => results.ofRedo(Number(parameters), end),
            },
          },
          lane,
        ),
    );
  }

  /**
   * Drops open edits, see `edits.drop`. Returns their number; at a stop, the number so far. A few are dropped in one transaction.
   * If the database can't be written, the caller gets the error, and the rest is dropped later, before anything of the libraries
   * is sent.
   */
  async drop(ref: EditRowsRef): Promise<number> {
    const rows = this.#commands.numbersOf(ref, this.#tools.numbers);
    if (rows.length <= this.#sliceRows) return this.#drop(rows, false);
    return (await this.#bulk.execute(this.#bulk.begin({ name: 'drop', numbers: rows }))).changed;
  }

  /**
   * Undoes a group, see `edits.undo`. Waits for its items in flight. Returns the group that restores sent values, and the edits
   * that could not be undone. A second call completes an undo that a full disk interrupted.
   */
  async undo(groupId: string): Promise<UndoOutcome> {
    const { journal, numbers, clock } = this.#tools;
    const { seq, undoneAt, undoneBy } = this.#commands.group(groupId);
    const begun = this.#begun('undo', seq);
    if (begun === null ? undoneAt !== null : this.#bulk.isRunning(begun))
      throw appError('edit.cant-undo', { details: { groupId, undoneBy } });
    const command =
      begun ??
      this.#bulk.begin({
        name: 'undo',
        numbers: numbers.openNumbers(seq, 'open'),
        parameters: String(seq),
        alongside: () => journal.store.noteUndone(seq, null, clock.now()),
      });
    const { changed, outcome } = await this.#bulk.execute(command);
    const result = outcome ?? NO_OUTCOME;
    return { ...result, dropped: changed + result.dropped };
  }

  /**
   * Applies an undone group again, see `edits.redo`: the edits that the undo dropped, and the inverse of those that it sent. An
   * undo that is not sent yet is dropped instead. Returns the new group; null when nothing is left to do.
   */
  async redo(groupId: string): Promise<GroupRecord | null> {
    const { seq, undoneAt, undoneBy, redoneBy } = this.#commands.group(groupId);
    const begun = this.#begun('redo', seq);
    const isUndone = undoneAt !== null && redoneBy === null && !this.#tools.journal.store.isUndoUnfinished(seq);
    if (!isUndone || (begun !== null && this.#bulk.isRunning(begun)))
      throw appError('edit.cant-redo', { details: { groupId } });
    const undone = undoneBy === null ? [] : this.#tools.numbers.openNumbers(this.#commands.group(undoneBy).seq, 'open');
    const command = begun ?? this.#bulk.begin({ name: 'redo', numbers: undone, parameters: String(seq) });
    return (await this.#bulk.execute(command)).outcome?.group ?? null;
  }

  /** Continues commands that a crash interrupted. No edit of their libraries is sent before their edits are dropped. */
  resume(): void {
    this.#bulk.resume();
  }

  /** Stops after the current slice. The next start continues. */
  stop(): void {
    void this.#bulk.stop();
  }

  /**
   * Stores the undo of each undone group again whose command may have been damaged: the rest of the group would be sent. One that was
   * complete finds nothing to do.
   */
  #restoreUndos(): void {
    const { journal, numbers, clock } = this.#tools;
    for (const seq of journal.store.undoneAlone()) {
      const parameters = String(seq);
      if (NAMES.some((name) => journal.store.commands.has(name, parameters))) continue;
      journal.store.commands.begin(
        { name: 'undo', numbers: numbers.openNumbers(seq, 'open'), parameters },
        clock.now(),
      );
    }
  }

  #begun(name: Name, groupSeq: number): BulkCommand<Name> | null {
    const parameters = String(groupSeq);
    return this.#bulk.pending?.find((each) => each.name === name && each.parameters === parameters) ?? null;
  }

  #drop(rows: readonly number[], isUndo: boolean, alongside?: () => void): number {
    const { store } = this.#tools.journal;
    return this.#commands.dropRecords(
      rows.flatMap((seq) => store.get(seq) ?? []),
      isUndo,
      alongside,
    );
  }
}
