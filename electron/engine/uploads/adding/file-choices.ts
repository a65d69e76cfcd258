import type { FileChoice } from '../../../../shared/contract/upload-files.ts';
import type { ItemFields } from '../../../../shared/model/item-fields.ts';
import { storedFields } from './stored-fields.ts';

/** What the user chose for single files of a batch, by the paths at which they are found. */
export class FileChoices {
  readonly #byPath: ReadonlyMap<string, FileChoice>;
  readonly #addsOthers: boolean;
  readonly #unseen: Set<string>;

  /** `addsOthers`: whether files without a choice are added, too. Throws `input.invalid` for a value that can't be used. */
  constructor(choices: readonly FileChoice[], addsOthers: boolean) {
    this.#byPath = new Map(choices.map((choice) => [choice.path, choice]));
    this.#addsOthers = addsOthers;
    for (const { fields } of choices) storedFields(fields ?? {});
    this.#unseen = new Set(choices.filter(({ isExcluded }) => isExcluded !== true).map(({ path }) => path));
  }

  /** Whether the file at a path is added. Notes that it was found. */
  admits(path: string): boolean {
    const choice = this.#byPath.get(path);
    this.#unseen.delete(path);
    return choice === undefined ? this.#addsOthers : choice.isExcluded !== true;
  }

  /** The values that replace those of the batch. */
  fieldsOf(path: string): Partial<ItemFields> {
    return storedFields(this.#byPath.get(path)?.fields ?? {});
  }

  /** Chosen files that were not found: each gets a row with the reason. */
  get unseen(): string[] {
    return [...this.#unseen];
  }
}
