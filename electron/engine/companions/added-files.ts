import { basename, dirname, join } from 'node:path';
import { type AppError, toAppError } from '../../../shared/contract/app-error.ts';
import type { DetailsResult } from '../../../shared/model/details/details-fields.ts';
import { type DoubtfulCompanion, type Pairing, pairFiles } from '../../../shared/model/pairing/pair-files.ts';
import { readDetailsFile } from '../details/read-details.ts';
import type { FileFacts, Files } from '../ports/files.ts';

/** The contents of a file with details. `facts`: as they were before it was read. */
export interface ReadDetails {
  details: DetailsResult;
  facts: FileFacts;
}

/** The added paths, and what was read of the files in them and beside them: each is read once. */
export class AddedFiles {
  readonly #files: Files;
  readonly #added: ReadonlySet<string>;
  readonly #folders = new Map<string, Promise<Pairing>>();
  /** The facts of files that can be sent, by path; null: the file can't be sent. */
  readonly #fits = new Map<string, Promise<FileFacts | null>>();
  /** The contents of files with details; null: they can't be read. */
  readonly #contents = new Map<string, Promise<ReadDetails | null>>();
  readonly #errors = new Map<string, AppError>();

  constructor(files: Files, added: Iterable<string>) {
    this.#files = files;
    this.#added = new Set(added);
  }

  /** Returns whether a path was added, itself or in a folder. */
  isAdded(path: string): boolean {
    for (let at = path, above = dirname(at); ; at = above, above = dirname(at)) {
      if (this.#added.has(at)) return true;
      if (above === at) return false;
    }
  }

  /** Stores the names in a folder that the caller has listed, so that it is not listed again. */
  noteFolder(folder: string, names: readonly string[]): void {
    this.#folders.set(folder, Promise.resolve(pairFiles(names)));
  }

  /** Returns what belongs together in a folder. */
  pairing(folder: string): Promise<Pairing> {
    // In a folder that can't be listed, only files that were added themselves are known.
    const addedNames = () => [...this.#added].filter((path) => dirname(path) === folder).map((path) => basename(path));
    return once(this.#folders, folder, () => this.#files.list(folder).then(pairFiles, () => pairFiles(addedNames())));
  }

  /** Returns the recording of a file by its name, and, without one, those to which the file may belong; paths. */
  async recordingsFor(path: string): Promise<{ owner: string | null; doubtful: DoubtfulCompanion | null }> {
    const folder = dirname(path);
    const { recordingOf, doubtful } = await this.pairing(folder);
    const owner = recordingOf.get(basename(path));
    if (owner !== undefined) return { owner: join(folder, owner), doubtful: null };
    const found = doubtful.get(basename(path));
    if (found === undefined) return { owner: null, doubtful: null };
    return { owner: null, doubtful: { ...found, candidates: found.candidates.map((name) => join(folder, name)) } };
  }

  /** Returns the facts of a readable file with contents; null for any other path. */
  fit(path: string): Promise<FileFacts | null> {
    return once(this.#fits, path, () => this.#ifSendable(path).catch((error) => this.#keep(path, error)));
  }

  /** Supplies the facts of a file that can be sent, when it was read for another reason. */
  noteFit(path: string, facts: FileFacts): void {
    once(this.#fits, path, async () => facts);
  }

  /** Returns the contents of a file with details; null when they can't be read. */
  contentsOf(path: string): Promise<ReadDetails | null> {
    return once(this.#contents, path, () => this.#read(path).catch((error) => this.#keep(path, error)));
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

/** Returns the value of a key, which is read at the first call. */
function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}
