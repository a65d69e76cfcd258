import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EditChoice, EditRowsRef } from '../../../../shared/contract/edits.ts';
import type { AnyField } from '../../../../shared/model/edits/collection-ops.ts';
import type { EditDropStore } from '../journal/edit-drop-store.ts';
import type { EditRecord } from '../journal/edit-row.ts';
import type { EditCommands, EditCommandTools } from './edit-commands.ts';

/** Edits per turn of the event loop: a command can concern tens of thousands, and each of them is stored again. */
const SLICE_ROWS = 20;

export interface SlicedTools extends Pick<EditCommandTools, 'journal'> {
  numbers: Pick<EditDropStore, 'openAmong' | 'openNumbers'>;
  /** In place of the usual number: a test wants many slices of few edits. */
  sliceRows?: number;
}

/**
 * Retries, decides and finds edits of the user's choice in slices. Each slice is one transaction, and its edits may be sent before the next
 * one. What a stop or a crash leaves out stays as it was, refused or asking, and is shown so: unlike the rest of a drop, which must
 * not be sent, it needs no record of the command.
 */
export class SlicedCommands {
  readonly #commands: EditCommands;
  readonly #tools: SlicedTools;
  #isStopped = false;

  constructor(commands: EditCommands, tools: SlicedTools) {
    this.#commands = commands;
    this.#tools = tools;
  }

  /** Sends edits again, see `edits.retry`. Returns how many; at a stop, how many so far. */
  retry(ref: EditRowsRef): Promise<number> {
    return this.#inSlices(ref, (records) => this.#commands.retry(records, true));
  }

  /** Decides edits, see `edits.resolve`. Returns how many; at a stop, how many so far. */
  resolve(ref: EditRowsRef, field: AnyField | null, choice: EditChoice): Promise<number> {
    return this.#inSlices(ref, (records) => this.#commands.resolve(records, field, choice));
  }

  /** Returns the ids of the edits that ask the same question as one of them, see `edits.sameQuestion`. */
  async sameQuestion(rowId: string, field: AnyField): Promise<string[]> {
    const isSame = this.#commands.asksTheSameAs(rowId, field);
    const ids: string[] = [];
    if (isSame === null) return ids;
    await this.#eachSlice(this.#tools.numbers.openNumbers(null, 'attention'), (records) => {
      ids.push(...records.filter(isSame).map(({ seq }) => String(seq)));
    });
    return ids;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Each slice is read when its turn comes: an edit may have changed since the command was given. */
  async #inSlices(ref: EditRowsRef, run: (records: readonly EditRecord[]) => number): Promise<number> {
    const { numbers } = this.#tools;
    const all =
      'ids' in ref
        ? numbers.openAmong(ref.ids)
        : numbers.openNumbers(ref.groupId === null ? null : this.#commands.group(ref.groupId).seq, ref.filter);
    let count = 0;
    await this.#eachSlice(all, (records) => {
      count += run(records);
    });
    return count;
  }

  async #eachSlice(numbers: readonly number[], run: (records: readonly EditRecord[]) => void): Promise<void> {
    const { journal, sliceRows = SLICE_ROWS } = this.#tools;
    for (let at = 0; at < numbers.length; at += sliceRows) {
      if (at > 0) await nextTurn();
      if (this.#isStopped) return;
      run(numbers.slice(at, at + sliceRows).flatMap((seq) => journal.store.get(seq) ?? []));
    }
  }
}
