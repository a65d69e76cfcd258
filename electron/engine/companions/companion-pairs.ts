import { basename, dirname, join } from 'node:path';
import type { AppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../shared/contract/errors/error-catalog.ts';
import type { UnclearPair } from '../../../shared/contract/upload-files.ts';
import type { ItemFields } from '../../../shared/item/fields.ts';
import { compareDetails, mergeDetails } from '../../../shared/model/details/details-fields.ts';
import {
  type CompanionKind,
  companionKindOf,
  type DoubtfulCompanion,
  type Pairing,
  pairFiles,
} from '../../../shared/model/pairing/pair-files.ts';
import type { SidecarName } from '../../../shared/model/uploads/sidecars.ts';
import type { FileFacts, Files } from '../ports/files.ts';
import { shownName } from '../ports/system/byte-paths.ts';
import { CompanionFiles } from './companion-files.ts';
import type { EarlierUploads } from './earlier-uploads.ts';
import type { LateTarget } from './late-file.ts';
import { type LateAnswer, LatePairs } from './late-pairs.ts';
import { pairUnclear, unreadable } from './pair-problems.ts';

/** Captions or a thumbnail that belong to a recording. */
export interface Sidecar extends SidecarName {
  path: string;
  facts: FileFacts;
}

/** The recordings of sidecars that the user chose, by the paths of the sidecars; null: none, the file is an item of its own. */
export type ChosenPairs = ReadonlyMap<string, string | null>;

/** A file with details. `facts`: as they were when it was read. */
interface DetailsSource {
  path: string;
  fileName: string;
  facts: FileFacts;
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
  readonly #reads: CompanionFiles;
  /** Files that were returned themselves: they are not sent with a recording that is read later. */
  readonly #returned = new Set<string>();
  readonly #added: ReadonlySet<string>;
  readonly #chosen: ChosenPairs;
  /** The chosen sidecars by recording. */
  readonly #chosenOf: ReadonlyMap<string | null, string[]>;
  readonly #folders = new Map<string, Promise<FolderPairs>>();
  /** The sidecars by recording. Cached, because the check of each sidecar needs the whole list of its recording. */
  readonly #sidecars = new Map<string, Promise<Sidecar[]>>();
  /** Finds the earlier uploads to which files belong; null: files are not added to earlier uploads. */
  readonly #late: LatePairs | null;

  constructor(
    files: Files,
    added: Iterable<string>,
    chosen: ChosenPairs = new Map(),
    earlier: EarlierUploads | null = null,
  ) {
    this.#files = files;
    this.#reads = new CompanionFiles(files);
    const isAdded = (path: string) => this.#isAdded(path);
    const namesFor = (path: string) => this.#namesFor(path);
    const contentsOf = (path: string) => this.#reads.contentsOf(path);
    this.#late = earlier === null ? null : new LatePairs({ files, earlier, isAdded, namesFor, contentsOf });
    this.#added = new Set(added);
    this.#chosen = chosen;
    this.#chosenOf = Map.groupBy(chosen.keys(), (path) => chosen.get(path) ?? null);
  }

  /** Stores the names in a folder that the caller has listed, so that it is not listed again. */
  noteFolder(folder: string, names: readonly string[]): void {
    this.#folders.set(folder, Promise.resolve(pairsOf(names)));
  }

  /** Returns whether a file has companions or can be one. Any other file is sent alone. */
  async mayBePaired(path: string): Promise<boolean> {
    if (companionKindOf(path) !== null || this.#chosen.has(path) || this.#chosenOf.has(path)) return true;
    const { sidecarsOf, detailsOf } = await this.#folder(dirname(path));
    const name = basename(path);
    return (sidecarsOf.get(name)?.length ?? 0) + (detailsOf.get(name)?.length ?? 0) > 0;
  }

  /** Supplies the facts of a file that can be sent, when it was read for another reason. */
  noteFit(path: string, facts: FileFacts): void {
    this.#reads.noteFit(path, facts);
  }

  /** Records that a file is returned itself, as an upload or with an error. */
  noteReturned(path: string): void {
    this.#returned.add(path);
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
      if (this.#returned.has(sidecar)) continue;
      if (kind === 'thumbnail' && found.some((each) => each.kind === kind)) continue;
      const facts = await this.#reads.fit(sidecar);
      if (facts !== null) found.push({ kind, path: sidecar, fileName: shownName(basename(sidecar)), facts });
    }
    return found;
  }

  /** Returns the values that the files beside a recording give to it; null: none. JSON comes before XML, and XML before text. */
  async detailsOf(path: string): Promise<FoundDetails | null> {
    const folder = dirname(path);
    const byName = ((await this.#folder(folder)).detailsOf.get(basename(path)) ?? []).map((name) => join(folder, name));
    const chosen = (this.#chosenOf.get(path) ?? []).filter((each) => companionKindOf(each) === 'details');
    const paths = [...byName.filter((each) => !this.#chosen.has(each)), ...chosen];
    const found: (DetailsSource & { fields: Partial<ItemFields> })[] = [];
    for (const each of paths.sort(compareDetails)) {
      const read = this.#returned.has(each) ? null : await this.#reads.contentsOf(each);
      if (read?.details.kind !== 'details') continue;
      found.push({ path: each, fileName: shownName(basename(each)), facts: read.facts, fields: read.details.fields });
    }
    return found.length === 0 ? null : { fields: mergeDetails(found), sources: found };
  }

  /** Returns whether this file is a sidecar of a recording that is added, too. */
  async isAttached(path: string): Promise<boolean> {
    const recording = await this.#recordingOf(path);
    if (recording === null || !(await this.#hasAddedRecording(path))) return false;
    if (companionKindOf(path) === 'details') return (await this.#reads.contentsOf(path))?.details.kind === 'details';
    return (await this.of(recording)).some((sidecar) => sidecar.path === path);
  }

  /**
   * Returns the temporary error, such as a disk that does not respond, because of which it is not known whether this file belongs
   * to an added recording: the file, or the recording, could not be read. null: it is known. Call it after `isAttached` and
   * `unclear`, which read the files.
   */
  async readError(path: string): Promise<AppError | null> {
    if (this.#chosen.get(path) === null) return null;
    const recording = await this.#recordingOf(path);
    const folder = dirname(path);
    const doubtful = (await this.#folder(folder)).doubtful.get(basename(path))?.candidates ?? [];
    const named = recording === null ? doubtful.map((name) => join(folder, name)) : [recording];
    const added = named.filter((each) => this.#isAdded(each));
    if (added.length === 0) return null;
    const errors = [path, ...added].map((each) => this.#reads.errorOf(each));
    return errors.find((error) => error !== null && isTemporary(error)) ?? null;
  }

  /**
   * Returns the companions of a recording that could not be read and that were not added themselves. Call it after `of` and
   * `detailsOf`, which read them.
   */
  async unreadableOf(recording: string): Promise<{ path: string; error: AppError }[]> {
    const folder = dirname(recording);
    const { sidecarsOf, detailsOf } = await this.#folder(folder);
    const name = basename(recording);
    const names = [...(sidecarsOf.get(name) ?? []).map(({ fileName }) => fileName), ...(detailsOf.get(name) ?? [])];
    const paths = [...names.map((each) => join(folder, each)), ...(this.#chosenOf.get(recording) ?? [])];
    return [...new Set(paths)].flatMap((path) => {
      const error = this.#reads.errorOf(path);
      return error === null || this.#isAdded(path) ? [] : [{ path, error }];
    });
  }

  async #hasAddedRecording(path: string): Promise<boolean> {
    const recording = await this.#recordingOf(path);
    return recording !== null && this.#isAdded(recording) && (await this.#reads.fit(recording)) !== null;
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
      const details = (await this.#reads.contentsOf(path))?.details;
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
      if (this.#isAdded(recording) && (await this.#reads.fit(recording)) !== null) fit.push(recording);
    }
    return fit;
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

  #addedNames(folder: string): string[] {
    return [...this.#added].filter((path) => dirname(path) === folder).map((path) => basename(path));
  }

  #folder(folder: string): Promise<FolderPairs> {
    let pairs = this.#folders.get(folder);
    if (!pairs) {
      // In a folder that can't be listed, only files that were added themselves are known.
      pairs = this.#files.list(folder).then(pairsOf, () => pairsOf(this.#addedNames(folder)));
      this.#folders.set(folder, pairs);
    }
    return pairs;
  }
}

function isTemporary({ code }: AppError): boolean {
  const disposition = dispositionOf(code);
  return disposition === 'retry' || disposition === 'wait-disk';
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
