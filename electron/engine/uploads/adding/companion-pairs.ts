import { basename, dirname, join } from 'node:path';
import type { AppError } from '../../../../shared/contract/app-error.ts';
import type { UnclearPair } from '../../../../shared/contract/upload-files.ts';
import { compareDetails, type DetailsResult } from '../../../../shared/model/details/details-fields.ts';
import type { ItemFields } from '../../../../shared/model/item-fields.ts';
import {
  type CompanionKind,
  companionKindOf,
  type DoubtfulCompanion,
  type Pairing,
  pairFiles,
} from '../../../../shared/model/pairing/pair-files.ts';
import { fingerprintOf } from '../../../../shared/model/uploads/follow-ups.ts';
import type { SidecarName } from '../../../../shared/model/uploads/sidecars.ts';
import { readDetailsFile } from '../../details/read-details.ts';
import type { Files } from '../../ports/files.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import type { EarlierUploads } from './earlier-uploads.ts';
import type { LateTarget } from './late-file.ts';
import { type LateAnswer, LatePairs } from './late-pairs.ts';
import { pairUnclear, unreadable } from './pair-problems.ts';

/** Captions or a thumbnail that belong to a recording. */
export interface Sidecar extends SidecarName {
  path: string;
}

/** The recordings of sidecars that the user chose, by the paths of the sidecars; null: none, the file is an item of its own. */
export type ChosenPairs = ReadonlyMap<string, string | null>;

/** A file with details as it was when it was read. `fingerprint`: see `fingerprintOf`. */
interface DetailsSource {
  path: string;
  fileName: string;
  fingerprint: string;
}

/** The values that files beside a recording give to it. */
export interface FoundDetails {
  fields: Partial<ItemFields>;
  sources: DetailsSource[];
}

/** The pairs of recordings and the files that belong to them in one folder. Keys and values are file names. */
interface FolderPairs {
  sidecarsOf: ReadonlyMap<string, SidecarName[]>;
  /** The files with details, by recording. */
  detailsOf: ReadonlyMap<string, string[]>;
  recordingOf: ReadonlyMap<string, string>;
  doubtful: ReadonlyMap<string, DoubtfulCompanion>;
}

/**
 * Pairs sidecars with recordings among the added paths.
 *
 * A recording is uploaded with the sidecars in its folder, and they are not separate uploads, even if they were added too. A
 * sidecar is a separate upload when its recording was not added or can't be sent. The user's choice has precedence over the
 * names.
 */
export class CompanionPairs {
  readonly #files: Files;
  readonly #added: ReadonlySet<string>;
  readonly #chosen: ChosenPairs;
  /** The chosen sidecars by recording. */
  readonly #chosenOf: ReadonlyMap<string | null, string[]>;
  readonly #folders = new Map<string, Promise<FolderPairs>>();
  /** The sidecars by recording. Cached, because the check of each sidecar needs the whole list of its recording. */
  readonly #sidecars = new Map<string, Promise<Sidecar[]>>();
  /** Whether a file can be sent, by path. */
  readonly #fits = new Map<string, Promise<boolean>>();
  /** The contents of files with details; null: they can't be read. */
  readonly #contents = new Map<string, Promise<ReadDetails | null>>();
  /** Finds the earlier uploads to which files belong; null: files are not added to earlier uploads. */
  readonly #late: LatePairs | null;

  constructor(
    files: Files,
    added: Iterable<string>,
    chosen: ChosenPairs = new Map(),
    earlier: EarlierUploads | null = null,
  ) {
    this.#files = files;
    const isAdded = (path: string) => this.#isAdded(path);
    const namesFor = (path: string) => this.#namesFor(path);
    const contentsOf = (path: string) => this.#contentsOf(path);
    this.#late = earlier === null ? null : new LatePairs({ files, earlier, isAdded, namesFor, contentsOf });
    this.#added = new Set(added);
    this.#chosen = chosen;
    this.#chosenOf = Map.groupBy(chosen.keys(), (path) => chosen.get(path) ?? null);
  }

  /** Stores the names in a folder that the caller has listed, so that it is not listed again. */
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
      const kind = companionKindOf(sidecar);
      return kind === null || kind === 'details' ? [] : [{ kind, path: sidecar }];
    });
    // An item has one thumbnail. The user's choice has precedence over the names.
    const hasThumbnail = chosen.some(({ kind }) => kind === 'thumbnail');
    const others = byName.filter(
      (each) => !this.#chosen.has(each.path) && !(hasThumbnail && each.kind === 'thumbnail'),
    );
    const candidates = [...others, ...chosen];
    if (candidates.length === 0) return [];
    let sidecars = this.#sidecars.get(path);
    if (sidecars === undefined) {
      sidecars = this.#fitting(candidates);
      this.#sidecars.set(path, sidecars);
    }
    return sidecars;
  }

  async #fitting(candidates: readonly { kind: SidecarName['kind']; path: string }[]): Promise<Sidecar[]> {
    const found: Sidecar[] = [];
    for (const { kind, path: sidecar } of candidates) {
      if (kind === 'thumbnail' && found.some((each) => each.kind === kind)) continue;
      if (await this.#isFit(sidecar)) found.push({ kind, path: sidecar, fileName: shownName(basename(sidecar)) });
    }
    return found;
  }

  /** Returns the values that the files beside a recording give to it; null: none. JSON comes before XML, and XML before text. */
  async detailsOf(path: string): Promise<FoundDetails | null> {
    const folder = dirname(path);
    const byName = ((await this.#folder(folder)).detailsOf.get(basename(path)) ?? []).map((name) => join(folder, name));
    const chosen = (this.#chosenOf.get(path) ?? []).filter((each) => companionKindOf(each) === 'details');
    const paths = [...byName.filter((each) => !this.#chosen.has(each)), ...chosen];
    const found: FoundDetails = { fields: {}, sources: [] };
    for (const each of paths.sort(compareDetails)) {
      const read = await this.#contentsOf(each);
      if (read?.details.kind !== 'details') continue;
      found.fields = { ...read.details.fields, ...found.fields };
      found.sources.push({ path: each, fileName: shownName(basename(each)), fingerprint: read.fingerprint });
    }
    return found.sources.length === 0 ? null : found;
  }

  /** Returns whether this file is a sidecar of a recording that is added, too. */
  async isAttached(path: string): Promise<boolean> {
    const recording = await this.#recordingOf(path);
    if (recording === null || !(await this.#hasAddedRecording(path))) return false;
    if (companionKindOf(path) === 'details') return (await this.#contentsOf(path))?.details.kind === 'details';
    return (await this.of(recording)).some((sidecar) => sidecar.path === path);
  }

  async #hasAddedRecording(path: string): Promise<boolean> {
    const recording = await this.#recordingOf(path);
    return recording !== null && this.#isAdded(recording) && this.#isFit(recording);
  }

  /** Returns the earlier upload to which this file certainly belongs; null: there is none, or the user decides. */
  async lateTarget(path: string): Promise<LateTarget | null> {
    const answer = await this.#lateAnswer(path);
    return answer !== null && 'target' in answer ? answer.target : null;
  }

  async #lateAnswer(path: string): Promise<LateAnswer> {
    return this.#late === null || this.#chosen.has(path) ? null : this.#late.answer(path);
  }

  async #namesFor(path: string) {
    const { recordingOf, doubtful } = await this.#folder(dirname(path));
    const name = basename(path);
    const owner = recordingOf.get(name) ?? null;
    return { owner, doubtful: owner === null ? (doubtful.get(name) ?? null) : null };
  }

  /**
   * Returns why it is unclear to which recording this file belongs; null when its name, its contents or the user decide. Only
   * recordings that are added, too, or were uploaded before, can be its recording. A file whose chosen recording can't accept it
   * is unclear again.
   */
  async unclear(path: string): Promise<{ pair: UnclearPair; error: AppError } | null> {
    const kind = companionKindOf(path);
    const chosen = this.#chosen.get(path);
    if (chosen === null || kind === null) return null;
    const candidates = await this.#candidatesOf(path);
    const late = await this.#lateAnswer(path);
    if (kind === 'details') {
      if (candidates.length === 0 && late === null && !(await this.#hasAddedRecording(path))) return null;
      const details = (await this.#contentsOf(path))?.details;
      if (details?.kind === 'problem') return unreadable(path, details);
      if (details?.kind !== 'details') return null;
    }
    const earlier = late === null || 'target' in late ? null : late;
    if (chosen === undefined && candidates.length === 0 && earlier === null) return null;
    const byName = (await this.#folder(dirname(path))).doubtful.get(basename(path))?.doubt;
    const named = candidates.length > 0 || chosen === undefined ? candidates : [chosen];
    const pair: UnclearPair = {
      ...{ kind, doubt: chosen === undefined ? (byName ?? earlier?.doubt ?? 'several') : 'taken' },
      candidates: [
        ...named.map((each) => ({ path: each, fileName: shownName(basename(each)) })),
        ...(earlier?.candidates ?? []),
      ],
      ...(earlier?.fields === undefined ? {} : { fields: earlier.fields }),
    };
    return { pair, error: pairUnclear(path, pair) };
  }

  /** Returns the added recordings to which a file may belong by its name. */
  async #candidatesOf(path: string): Promise<string[]> {
    const doubtful = (await this.#folder(dirname(path))).doubtful.get(basename(path));
    const fit: string[] = [];
    for (const name of doubtful?.candidates ?? []) {
      const recording = join(dirname(path), name);
      if (this.#isAdded(recording) && (await this.#isFit(recording))) fit.push(recording);
    }
    return fit;
  }

  #contentsOf(path: string): Promise<ReadDetails | null> {
    let contents = this.#contents.get(path);
    if (contents === undefined) {
      // The error is reported when the file is added as a separate upload.
      contents = readWithFingerprint(this.#files, path).catch(() => null);
      this.#contents.set(path, contents);
    }
    return contents;
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

  #isFit(path: string): Promise<boolean> {
    let isFit = this.#fits.get(path);
    if (isFit === undefined) {
      isFit = this.#canBeSent(path);
      this.#fits.set(path, isFit);
    }
    return isFit;
  }

  async #canBeSent(path: string): Promise<boolean> {
    try {
      const facts = await this.#files.facts(path);
      if (facts.kind !== 'file' || facts.sizeBytes === 0) return false;
      await this.#files.assertReadable(path);
      return true;
    } catch {
      // The error is reported when the file is added as a separate upload.
      return false;
    }
  }

  #folder(folder: string): Promise<FolderPairs> {
    let pairs = this.#folders.get(folder);
    if (!pairs) {
      // A folder that can't be listed has no pairs.
      pairs = this.#files.list(folder).then(pairsOf, () => pairsOf([]));
      this.#folders.set(folder, pairs);
    }
    return pairs;
  }
}

interface ReadDetails {
  details: DetailsResult;
  fingerprint: string;
}

async function readWithFingerprint(files: Files, path: string): Promise<ReadDetails> {
  // The facts are read first: a file that changes while it is read then does not match its fingerprint.
  const fingerprint = fingerprintOf(await files.facts(path));
  return { details: await readDetailsFile(files, path), fingerprint };
}

function pairsOf(names: readonly string[]): FolderPairs {
  const { pairs, doubtful }: Pairing = pairFiles(names);
  const sidecarsOf = new Map<string, SidecarName[]>();
  const detailsOf = new Map<string, string[]>();
  const recordingOf = new Map<string, string>();
  const isDetails = ({ kind }: { kind: CompanionKind }) => kind === 'details';
  for (const [recording, companions] of pairs) {
    sidecarsOf.set(
      recording,
      companions.flatMap(({ kind, fileName }) => (kind === 'details' ? [] : [{ kind, fileName }])),
    );
    detailsOf.set(
      recording,
      companions.filter(isDetails).map(({ fileName }) => fileName),
    );
    for (const { fileName } of companions) recordingOf.set(fileName, recording);
  }
  // `taken`: the recording already has a thumbnail by its name. A second picture with its name is an item of its own.
  const unclear = doubtful.filter(({ doubt }) => doubt !== 'taken');
  return { sidecarsOf, detailsOf, recordingOf, doubtful: new Map(unclear.map((each) => [each.fileName, each])) };
}
