import { setImmediate as nextTurn } from 'node:timers/promises';
import { toAppError } from '../../../../shared/contract/app-error.ts';
import type { EditRowsRef } from '../../../../shared/contract/edits.ts';
import type { Logger } from '../../ports/logger.ts';
import { STORE_REST_MS } from '../../scheduler/scheduler.ts';
import { sqliteCodeOf } from '../../store/database.ts';
import type { EditDropStore, StoredDrop } from '../journal/edit-drop-store.ts';
import type { EditCommands, EditCommandTools } from './edit-commands.ts';
import { SLICE_ROWS } from './slice-rows.ts';

export interface DropTools extends EditCommandTools {
  drops: EditDropStore;
  logger: Logger;
  /** Overrides the usual number, for tests with many slices of few edits. */
  sliceRows?: number;
}

/**
 * Drops edits that the user selected. A few are dropped in one transaction. Many are dropped in slices: their ids are stored
 * first, so that the next start completes a drop that a crash interrupts, and until all are dropped no edit of their libraries is
 * sent.
 */
export class DropCommands {
  readonly #commands: EditCommands;
  readonly #tools: DropTools;
  readonly #cancels = new Set<() => void>();
  #isStopped = false;

  constructor(commands: EditCommands, tools: DropTools) {
    this.#commands = commands;
    this.#tools = tools;
  }

  /**
   * Drops open edits, see `edits.drop`. Returns their number; at a stop, the number so far. If the database can't be written, the
   * caller gets the error, and the rest is dropped later, before anything of the libraries is sent.
   */
  async drop(ref: EditRowsRef): Promise<number> {
    const { drops, clock } = this.#tools;
    const numbers =
      'ids' in ref
        ? drops.openAmong(ref.ids)
        : drops.openNumbers(ref.groupId === null ? null : this.#commands.group(ref.groupId).seq, ref.filter);
    if (numbers.length <= this.#sliceRows) return this.#dropSlice(numbers);
    const release = this.#lock(numbers);
    let drop: StoredDrop;
    try {
      drop = drops.begin(numbers, clock.now());
    } catch (error) {
      release();
      throw error;
    }
    return this.#carryOut(drop, release);
  }

  /** Completes drops that a crash interrupted. Nothing of their libraries is sent before. */
  completeInterrupted(): void {
    const { drops, logger } = this.#tools;
    const { drops: pending, damaged } = drops.pending();
    for (const id of damaged) {
      logger.warn('edit.drop-damaged', { id });
      drops.end(id);
    }
    for (const drop of pending) this.#continue(drop, this.#lock(drop.numbers));
  }

  /** Stops after the current slice. The next start drops the rest. */
  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }

  /**
   * Drops all edits of a drop, each slice in a turn of the event loop, the first slice synchronously. The last edits come first:
   * an edit that stays then gets the base of each dropped edit before it in turn, and in the end the base of the first.
   */
  async #carryOut(drop: StoredDrop, release: () => void): Promise<number> {
    const { id, numbers } = drop;
    let dropped = 0;
    try {
      for (let end = numbers.length; end > 0; end -= this.#sliceRows) {
        if (end < numbers.length) await nextTurn();
        if (this.#isStopped) return dropped;
        dropped += this.#dropSlice(numbers.slice(Math.max(0, end - this.#sliceRows), end));
      }
      this.#tools.drops.end(id);
    } catch (error) {
      if (sqliteCodeOf(error) === null) release();
      else this.#continueLater(drop, release);
      throw error;
    }
    release();
    return dropped;
  }

  get #sliceRows(): number {
    return this.#tools.sliceRows ?? SLICE_ROWS;
  }

  #dropSlice(numbers: readonly number[]): number {
    const { store } = this.#tools.journal;
    const records = numbers.flatMap((seq) => store.get(seq) ?? []);
    return this.#commands.dropRecords(records, { isUndo: false, undone: null });
  }

  /** Continues a drop that no caller waits for: errors are logged. */
  #continue(drop: StoredDrop, release: () => void): void {
    this.#carryOut(drop, release).catch((error: unknown) => {
      this.#tools.logger.error('edit.drop-interrupted', { id: drop.id, error: toAppError(error).toData() });
    });
  }

  /** The library stays locked: what the user dropped must not be sent. */
  #continueLater(drop: StoredDrop, release: () => void): void {
    const cancel = this.#tools.clock.schedule(STORE_REST_MS, () => {
      this.#cancels.delete(cancel);
      this.#continue(drop, release);
    });
    this.#cancels.add(cancel);
  }

  /** Begins no request for the edits of these libraries until the returned function is called. */
  #lock(numbers: readonly number[]): () => void {
    const { drops, locks } = this.#tools;
    const releases = drops.siteIdsOf(numbers).map((siteId) => locks.lock(siteId));
    return () => {
      for (const release of releases) release();
    };
  }
}
