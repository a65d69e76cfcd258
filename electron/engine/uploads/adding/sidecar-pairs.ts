import { basename, dirname, join } from 'node:path';
import type { UnclearPair } from '../../../../shared/contract/upload-files.ts';
import {
  companionKindOf,
  type DoubtfulCompanion,
  type Pairing,
  pairFiles,
} from '../../../../shared/model/pairing/pair-files.ts';
import type { SidecarName } from '../../../../shared/model/sidecars.ts';
import { shownName } from '../../ports/byte-paths.ts';
import type { Files } from '../../ports/files.ts';

/** Captions or a thumbnail that belong to a recording. */
export interface Sidecar extends SidecarName {
  path: string;
}

/** The recordings of sidecars that the user chose, by the paths of the sidecars; null: none, it is an item of its own. */
export type ChosenPairs = ReadonlyMap<string, string | null>;

/** The recording of each sidecar in a folder, by name. */
interface FolderPairs {
  sidecarsOf: ReadonlyMap<string, SidecarName[]>;
  recordingOf: ReadonlyMap<string, string>;
  doubtful: ReadonlyMap<string, DoubtfulCompanion>;
}

/**
 * Pairs sidecars with recordings among the added paths.
 *
 * A recording is uploaded with the sidecars in its folder. A sidecar that was added itself is then not a separate
 * upload; one whose recording was not added, or can't be sent, is. The choice of the user comes before the names.
 */
export class SidecarPairs {
  readonly #files: Files;
  readonly #added: ReadonlySet<string>;
  readonly #chosen: ChosenPairs;
  /** The chosen sidecars by recording. */
  readonly #chosenOf: ReadonlyMap<string | null, string[]>;
  readonly #folders = new Map<string, Promise<FolderPairs>>();

  constructor(files: Files, added: Iterable<string>, chosen: ChosenPairs = new Map()) {
    this.#files = files;
    this.#added = new Set(added);
    this.#chosen = chosen;
    this.#chosenOf = Map.groupBy(chosen.keys(), (path) => chosen.get(path) ?? null);
  }

  /** Supplies the names of a folder that was listed anyway. */
  noteFolder(folder: string, names: readonly string[]): void {
    this.#folders.set(folder, Promise.resolve(pairsOf(names)));
  }

  /** Returns the sidecars of a recording. Empty files and folders with such names are ignored. */
  async of(path: string): Promise<Sidecar[]> {
    const { sidecarsOf } = await this.#folder(dirname(path));
    const byName = (sidecarsOf.get(basename(path)) ?? []).map(({ kind, fileName }) => ({
      ...{ kind, path: join(dirname(path), fileName) },
    }));
    const chosen = (this.#chosenOf.get(path) ?? []).flatMap((sidecar) => {
      const kind = kindOf(sidecar);
      return kind === null ? [] : [{ kind, path: sidecar }];
    });
    // An item has one thumbnail: the chosen one.
    const hasThumbnail = chosen.some(({ kind }) => kind === 'thumbnail');
    const others = byName.filter(
      (each) => !this.#chosen.has(each.path) && !(hasThumbnail && each.kind === 'thumbnail'),
    );
    const found: Sidecar[] = [];
    for (const { kind, path: sidecar } of [...others, ...chosen]) {
      if (kind === 'thumbnail' && found.some((each) => each.kind === kind)) continue;
      if (await this.#isFit(sidecar)) found.push({ kind, path: sidecar, fileName: shownName(basename(sidecar)) });
    }
    return found;
  }

  /** Returns whether this file is a sidecar of a recording that is added, too. */
  async isAttached(path: string): Promise<boolean> {
    const recording = await this.#recordingOf(path);
    if (recording === null || !this.#isAdded(recording) || !(await this.#isFit(recording))) return false;
    return (await this.of(recording)).some((sidecar) => sidecar.path === path);
  }

  /**
   * Returns why it is unclear where this file belongs; null when its name or the user decides. Only recordings that are added,
   * too, can be its recording. A file whose chosen recording can't take it is unclear again.
   */
  async unclear(path: string): Promise<UnclearPair | null> {
    const kind = kindOf(path);
    const chosen = this.#chosen.get(path);
    if (chosen === null || kind === null) return null;
    const doubtful = (await this.#folder(dirname(path))).doubtful.get(basename(path));
    const candidates = (doubtful?.candidates ?? []).map((name) => join(dirname(path), name));
    const fit: string[] = [];
    for (const each of candidates) if (this.#isAdded(each) && (await this.#isFit(each))) fit.push(each);
    if (chosen === undefined && fit.length === 0) return null;
    const doubt = chosen === undefined ? (doubtful?.doubt ?? 'several') : 'taken';
    const named = fit.length > 0 || chosen === undefined ? fit : [chosen];
    return { kind, doubt, candidates: named.map((each) => ({ path: each, fileName: shownName(basename(each)) })) };
  }

  async #recordingOf(path: string): Promise<string | null> {
    const chosen = this.#chosen.get(path);
    if (chosen !== undefined) return chosen;
    const name = (await this.#folder(dirname(path))).recordingOf.get(basename(path));
    return name === undefined ? null : join(dirname(path), name);
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

/** null: such a file is never a sidecar. */
function kindOf(path: string): SidecarName['kind'] | null {
  const kind = companionKindOf(path);
  return kind === 'details' ? null : kind;
}

function pairsOf(names: readonly string[]): FolderPairs {
  const { pairs, doubtful }: Pairing = pairFiles(names);
  const sidecarsOf = new Map<string, SidecarName[]>();
  const recordingOf = new Map<string, string>();
  for (const [recording, companions] of pairs) {
    const sidecars = companions.flatMap(({ kind, fileName }) => (kind === 'details' ? [] : [{ kind, fileName }]));
    sidecarsOf.set(recording, sidecars);
    for (const { fileName } of sidecars) recordingOf.set(fileName, recording);
  }
  // A second picture with the name of a recording is an item of its own.
  const unclear = doubtful.filter(({ kind, doubt }) => kind !== 'details' && doubt !== 'taken');
  return { sidecarsOf, recordingOf, doubtful: new Map(unclear.map((each) => [each.fileName, each])) };
}
