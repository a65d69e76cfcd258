import { type AppError, toAppError } from '../../../shared/contract/app-error.ts';
import type { DetailsResult } from '../../../shared/model/details/details-fields.ts';
import { readDetailsFile } from '../details/read-details.ts';
import type { FileFacts, Files } from '../ports/files.ts';

/** The contents of a file with details. `facts`: as they were before it was read. */
export interface ReadDetails {
  details: DetailsResult;
  facts: FileFacts;
}

/** Reads recordings and the files beside them, each once, and remembers why one could not be read. */
export class CompanionFiles {
  readonly #files: Files;
  /** The facts of files that can be sent, by path; null: the file can't be sent. */
  readonly #fits = new Map<string, Promise<FileFacts | null>>();
  /** The contents of files with details; null: they can't be read. */
  readonly #contents = new Map<string, Promise<ReadDetails | null>>();
  readonly #errors = new Map<string, AppError>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Returns the facts of a readable file with contents; null for any other path. */
  fit(path: string): Promise<FileFacts | null> {
    let fit = this.#fits.get(path);
    if (fit === undefined) {
      fit = this.#ifSendable(path).catch((error) => this.#keep(path, error));
      this.#fits.set(path, fit);
    }
    return fit;
  }

  /** Supplies the facts of a file that can be sent, when it was read for another reason. */
  noteFit(path: string, facts: FileFacts): void {
    if (!this.#fits.has(path)) this.#fits.set(path, Promise.resolve(facts));
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

  /** Returns why a call of `fit` or `contentsOf` could not read this file; null when it could, or was not called. */
  errorOf(path: string): AppError | null {
    return this.#errors.get(path) ?? null;
  }

  #keep(path: string, thrown: unknown): null {
    this.#errors.set(path, toAppError(thrown));
    return null;
  }

  async #ifSendable(path: string): Promise<FileFacts | null> {
    const facts = await this.#files.facts(path);
    if (facts.kind !== 'file' || facts.sizeBytes === 0) return null;
    await this.#files.assertReadable(path);
    return facts;
  }

  async #read(path: string): Promise<ReadDetails> {
    // The facts are read first: a file that changes while it is read then does not match them.
    const facts = await this.#files.facts(path);
    return { details: await readDetailsFile(this.#files, path), facts };
  }
}
