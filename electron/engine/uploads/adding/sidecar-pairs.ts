import { basename, dirname, join } from 'node:path';
import { pairSidecars, type SidecarName } from '../../../../shared/model/sidecars.ts';
import { shownName } from '../../ports/byte-paths.ts';
import type { Files } from '../../ports/files.ts';

/** Captions or a thumbnail that go along with a recording. */
export interface Sidecar extends SidecarName {
  path: string;
}

/** Which recording of a folder each sidecar belongs to, by name. */
interface FolderPairs {
  sidecarsOf: ReadonlyMap<string, SidecarName[]>;
  recordingOf: ReadonlyMap<string, string>;
}

/**
 * What goes along with what among the paths that a person adds.
 *
 * A recording takes along what lies beside it in its folder. A sidecar that is added as well is then no upload of its
 * own; one whose recording is not added, or can't be sent, is an upload like any other.
 */
export class SidecarPairs {
  readonly #files: Files;
  readonly #added: ReadonlySet<string>;
  readonly #folders = new Map<string, Promise<FolderPairs>>();

  constructor(files: Files, added: Iterable<string>) {
    this.#files = files;
    this.#added = new Set(added);
  }

  /** The names of a folder that was listed anyway. */
  noteFolder(folder: string, names: readonly string[]): void {
    this.#folders.set(folder, Promise.resolve(pairsOf(names)));
  }

  /** What goes along with a recording. Empty files and folders of such names do not. */
  async of(path: string): Promise<Sidecar[]> {
    const { sidecarsOf } = await this.#folder(dirname(path));
    const found: Sidecar[] = [];
    for (const mate of sidecarsOf.get(basename(path)) ?? []) {
      const sidecar = { ...mate, fileName: shownName(mate.fileName), path: join(dirname(path), mate.fileName) };
      if (await this.#isFit(sidecar.path)) found.push(sidecar);
    }
    return found;
  }

  /** Whether this file goes along with a recording that is added too. */
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
      // The reason is reported where it is added as a file of its own.
      return false;
    }
  }

  #folder(folder: string): Promise<FolderPairs> {
    let pairs = this.#folders.get(folder);
    if (!pairs) {
      // A folder that may not be listed has no pairs that anybody could see.
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
