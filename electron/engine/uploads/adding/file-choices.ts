import type { PublishChoice } from '../../../../shared/contract/upload-choices.ts';
import type { FileChoice } from '../../../../shared/contract/upload-files.ts';
import type { ItemFields } from '../../../../shared/item/fields.ts';
import type { ChosenPairs } from '../../companions/companion-pairs.ts';
import { storedFields } from './stored-fields.ts';

/** The user's choices for single files of a batch, by the paths at which they are found. */
export class FileChoices {
  readonly #byPath: ReadonlyMap<string, FileChoice>;
  readonly #addsOthers: boolean;
  readonly #unseen: Set<string>;

  /** `addsOthers`: whether files without a choice are added, too. Throws `input.invalid` for a value that can't be used. */
  constructor(choices: readonly FileChoice[], addsOthers: boolean) {
    this.#byPath = new Map(choices.map((choice) => [choice.path, choice]));
    this.#addsOthers = addsOthers;
    for (const { fields } of choices) storedFields(fields ?? {});
    const isOwn = ({ isExcluded, belongsTo }: FileChoice) => isExcluded !== true && typeof belongsTo !== 'string';
    this.#unseen = new Set(choices.filter(isOwn).map(({ path }) => path));
  }

  /** Returns whether the file at a path is added. Notes that it was found. */
  admits(path: string): boolean {
    const choice = this.#byPath.get(path);
    this.#unseen.delete(path);
    return choice === undefined ? this.#addsOthers : choice.isExcluded !== true;
  }

  /** Notes that a file was found as a sidecar: it is added only with its recording, not as an item of its own. */
  noteAttached(path: string): void {
    this.#unseen.delete(path);
  }

  /** Returns the values that replace the values of the batch. */
  fieldsOf(path: string): Partial<ItemFields> {
    return storedFields(this.#byPath.get(path)?.fields ?? {});
  }

  /** Returns the publication that replaces that of the batch; null: none. */
  publishOf(path: string): PublishChoice | null {
    return this.#byPath.get(path)?.publish ?? null;
  }

  /** The chosen recordings by the paths of their sidecars; null: the file is an item of its own. */
  get pairs(): ChosenPairs {
    return new Map(
      [...this.#byPath.values()].flatMap(({ path, belongsTo }) =>
        belongsTo === undefined ? [] : [[path, belongsTo] as const],
      ),
    );
  }

  /** The ids of the chosen earlier uploads, by the paths of the captions, thumbnails and details that are added to them. */
  get earlier(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#byPath.values()].flatMap(({ path, addsTo }) => (addsTo === undefined ? [] : [[path, addsTo] as const])),
    );
  }

  /** The chosen recordings by the paths of their sidecars, without the files that are items of their own. */
  get recordings(): Map<string, string> {
    return new Map([...this.pairs].flatMap(([path, recording]) => (recording === null ? [] : [[path, recording]])));
  }

  /** The chosen files that were not found: each gets a row with the reason. */
  get unseen(): string[] {
    return [...this.#unseen];
  }
}
