import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { EditChoice, EditRowsRef } from '../../../../shared/contract/edits.ts';
import type { AnyField } from '../../../../shared/model/edits/collection-ops.ts';
import type { EditNumbers } from '../journal/edit-numbers.ts';
import type { EditRecord } from '../journal/edit-row.ts';
import type { EditCommands, EditCommandTools } from './edit-commands.ts';
import { inSlices } from './slice-rows.ts';

export interface SlicedTools extends Pick<EditCommandTools, 'journal'> {
  numbers: Pick<EditNumbers, 'openAmong' | 'openNumbers'>;
  /** Overrides the usual number, for tests with many slices of few edits. */
  sliceRows?: number;
}

/**
 * Retries, decides and finds edits that the user selected in slices. Each slice is one transaction, and its edits may be sent
 * before the next slice. Edits that a stop or a crash omits stay refused or undecided, and are shown as such: unlike the rest of
 * a drop, which must not be sent, they need no record of the command.
 */
export class SlicedCommands {
  readonly #commands: EditCommands;
  readonly #tools: SlicedTools;
  #isStopped = false;

  constructor(commands: EditCommands, tools: SlicedTools) {
    this.#commands = commands;
    this.#tools = tools;
  }

  /** Sends edits again, see `edits.retry`. Returns their number; at a stop, the number so far. */
  retry(ref: EditRowsRef): Promise<number> {
    return this.#inSlices(ref, (records) => this.#commands.retry(records, true));
  }

  /** Decides edits, see `edits.resolve`. Returns their number; at a stop, the number so far. */
  resolve(ref: EditRowsRef, field: AnyField | null, choice: EditChoice): Promise<number> {
    return this.#inSlices(ref, (records) => this.#commands.resolve(records, field, choice));
  }

  /** Refuses all edits of a site that would be sent without a decision, see `EditCommands.refuse`. Returns their number. */
  async refuseAll(siteId: string, error: AppErrorData): Promise<number> {
    let count = 0;
    await this.#eachSlice(this.#tools.numbers.openNumbers(null, 'pending'), (records) => {
      count += this.#commands.refuse(
        records.filter((record) => record.siteId === siteId),
        error,
      );
    });
    return count;
  }

  /** Returns the ids of the edits with the same question as one of them, see `edits.sameQuestion`. */
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

  async #inSlices(ref: EditRowsRef, run: (records: readonly EditRecord[]) => number): Promise<number> {
    let count = 0;
    await this.#eachSlice(this.#commands.numbersOf(ref, this.#tools.numbers), (records) => {
      count += run(records);
    });
    return count;
  }

  async #eachSlice(numbers: readonly number[], run: (records: readonly EditRecord[]) => void): Promise<void> {
    const { journal, sliceRows } = this.#tools;
    for await (const records of inSlices(numbers, journal.store, sliceRows)) {
      if (this.#isStopped) return;
      run(records);
    }
  }
}
