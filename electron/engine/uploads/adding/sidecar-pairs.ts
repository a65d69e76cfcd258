import { basename, dirname, join } from 'node:path';
import { pairSidecars, type SidecarName } from '../../../../shared/model/sidecars.ts';
import { shownName } from '../../ports/byte-paths.ts';
import type { Files } from '../../ports/files.ts';

/** Captions or a thumbnail that belong to a recording. */
export interface Sidecar extends SidecarName {
  path: string;
}

/** The recording of each sidecar in a folder, by name. */
interface FolderPairs {
  sidecarsOf: ReadonlyMap<string, SidecarName[]>;
  recordingOf: ReadonlyMap<string, string>;
}

/**
 * Pairs sidecars with recordings among the added paths.
 *
 * A recording is uploaded with the sidecars in its folder. A sidecar that was added itself is then not a separate
 * upload; one whose recording was not added, or can't be sent, is.
 */
export class SidecarPairs {
  readonly #files: Files;
  readonly #added: ReadonlySet<string>;
  readonly #folders = new Map<string, Promise<FolderPairs>>();

  constructor(files: Files, added: Iterable<string>) {
    this.#files = files;
    this.#added = new Set(added);
  }

  /** Supplies the names of a folder that was listed anyway. */
  noteFolder(folder: string, names: readonly string[]): void {
    this.#folders.set(folder, Promise.resolve(pairsOf(names)));
  }

  /** Returns the sidecars of a recording. Empty files and folders with such names are ignored. */
  async of(path: string): Promise<Sidecar[]> {
    const { sidecarsOf } = await this.#folder(dirname(path));
    const found: Sidecar[] = [];
    for (const mate of sidecarsOf.get(basename(path)) ?? []) {
      const sidecar = { ...mate, fileName: shownName(mate.fileName), path: join(dirname(path), mate.fileName) };
      if (await this.#isFit(sidecar.path)) found.push(sidecar);
    }
    return found;
  }

  /** Returns whether this file is a sidecar of a recording that is added, too. */
  async isAttached(path: string): Promise<boolean> {
    const recording = (await this.#folder(dirname(path))).recordingOf.get(basename(path));
    if (recording === undefined) return false;
    const recordingPath = join(dirname(path), recording);
    return this.#isAdded(recordingPath) && (await this.#isFit(recordingPath)) && this.#isFit(path);
  }

  #isAdded(path: string): boolean {
    for (let at = path, above = dirname(at); ; at = above, above = dirname(at)) {
      if (this.#added.has(at)) return true;
      if (above === at) return false;
    }
  }

  async #isFit(path: string): Promise<boolean> {
    try {
      const facts = await this.#files.facts(path);
      if (facts.kind !== 'file' || facts.sizeBytes === 0) return false;
      await this.#files.assertReadable(path);
      return true;
    } catch {
      // The reason is reported when it is added as a separate file.
      return false;
    }
  }

  #folder(folder: string): Promise<FolderPairs> {
    let pairs = this.#folders.get(folder);
    if (!pairs) {
      // A folder that can't be listed has no visible pairs.
      pairs = this.#files.list(folder).then(pairsOf, () => pairsOf([]));
      this.#folders.set(folder, pairs);
    }
    return pairs;
  }
}

function pairsOf(names: readonly string[]): FolderPairs {
  const sidecarsOf = pairSidecars(names);
  const recordingOf = new Map<string, string>();
  for (const [recording, mates] of sidecarsOf) for (const { fileName } of mates) recordingOf.set(fileName, recording);
  return { sidecarsOf, recordingOf };
}
