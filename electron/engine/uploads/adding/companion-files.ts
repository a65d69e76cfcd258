import { type AppError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { DetailsResult } from '../../../../shared/model/details/details-fields.ts';
import { fingerprintOf } from '../../../../shared/model/uploads/follow-ups.ts';
import { readDetailsFile } from '../../details/read-details.ts';
import type { Files } from '../../ports/files.ts';

/** The contents of a file with details. `fingerprint`: see `fingerprintOf`. */
export interface ReadDetails {
  details: DetailsResult;
  fingerprint: string;
}

/** Reads recordings and the files beside them, each once, and remembers why one could not be read. */
export class CompanionFiles {
  readonly #files: Files;
  /** Whether a file can be sent, by path. */
  readonly #fits = new Map<string, Promise<boolean>>();
  /** The contents of files with details; null: they can't be read. */
  readonly #contents = new Map<string, Promise<ReadDetails | null>>();
  readonly #errors = new Map<string, AppError>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Returns whether this is a readable file with contents. */
  isFit(path: string): Promise<boolean> {
    let isFit = this.#fits.get(path);
    if (isFit === undefined) {
      isFit = this.#canBeSent(path).catch((error) => this.#keep(path, error) ?? false);
      this.#fits.set(path, isFit);
    }
    return isFit;
  }

  /** Supplies that a file can be sent, when it was read for another reason. */
  noteFit(path: string): void {
    if (!this.#fits.has(path)) this.#fits.set(path, Promise.resolve(true));
  }

  /** Returns the contents of a file with details; null when they can't be read. */
  contentsOf(path: string): Promise<ReadDetails | null> {
    let contents = this.#contents.get(path);
    if (contents === undefined) {
      contents = this.#read(path).catch((error) => this.#keep(path, error));
      this.#contents.set(path, contents);
    }
    return contents;
  }

  /** Returns why a call of `isFit` or `contentsOf` could not read this file; null when it could, or was not called. */
  errorOf(path: string): AppError | null {
    return this.#errors.get(path) ?? null;
  }

  #keep(path: string, thrown: unknown): null {
    this.#errors.set(path, toAppError(thrown));
    return null;
  }

  async #canBeSent(path: string): Promise<boolean> {
    const facts = await this.#files.facts(path);
    if (facts.kind !== 'file' || facts.sizeBytes === 0) return false;
    await this.#files.assertReadable(path);
    return true;
  }

  async #read(path: string): Promise<ReadDetails> {
    // The facts are read first: a file that changes while it is read then does not match its fingerprint.
    const fingerprint = fingerprintOf(await this.#files.facts(path));
    return { details: await readDetailsFile(this.#files, path), fingerprint };
  }
}
