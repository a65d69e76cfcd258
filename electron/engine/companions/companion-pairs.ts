import { basename, dirname, join } from 'node:path';
import type { AppError } from '../../../shared/contract/app-error.ts';
import { dispositionOf } from '../../../shared/contract/errors/error-catalog.ts';
import type { UnclearPair } from '../../../shared/contract/upload-files.ts';
import type { ItemFields } from '../../../shared/item/fields.ts';
import { compareDetails } from '../../../shared/model/details/details-fields.ts';
import { type CompanionKind, companionKindOf } from '../../../shared/model/pairing/pair-files.ts';
import type { FileFacts, Files } from '../ports/files.ts';
import { shownName } from '../ports/system/byte-paths.ts';
import { AddedFiles } from './added-files.ts';
import type { EarlierUploads } from './earlier-uploads.ts';
import type { LateTarget } from './late-files.ts';
import { type LateAnswer, LatePairs } from './late-pairs.ts';
import { detailsProblem, pairUnclear } from './pair-problems.ts';

/** The recordings of companions that the user chose, by the paths of the companions; null: none, the file is an item of its own. */
export type ChosenPairs = ReadonlyMap<string, string | null>;

/** A file that belongs to a recording. `facts`: as they were when it was read. `fields`: the values in details; else none. */
export interface FoundCompanion {
  kind: CompanionKind;
  path: string;
  fileName: string;
  facts: FileFacts;
  fields: Partial<ItemFields>;
}

/** Returns the companions that are sent: captions and thumbnails. */
export function sidecarsOf(companions: readonly FoundCompanion[]): FoundCompanion[] {
  return companions.filter(({ kind }) => kind !== 'details');
}

/**
 * What becomes of an added file. `attached`: it is added with its recording. `late`: it is added to the item of an earlier upload.
 * `item`: it is an item of its own, with these companions; `unreadable`: those that could not be read and were not added
 * themselves.
 */
export type Decision =
  | { kind: 'attached' }
  | { kind: 'late'; late: LateTarget }
  | { kind: 'refused'; error: AppError; unclear?: UnclearPair }
  | { kind: 'item'; companions: FoundCompanion[]; unreadable: { path: string; error: AppError }[] };

const ALONE: Decision = { kind: 'item', companions: [], unreadable: [] };

/**
 * Pairs captions, thumbnails and files with details with recordings among the added paths.
 *
 * A recording is uploaded with the companions in its folder, and they are not separate uploads, even if they were added too. A
 * companion is a separate upload when its recording was not added or can't be sent. The user's choice has precedence over the
 * names.
 */
export class CompanionPairs {
  readonly #files: AddedFiles;
  /** Files that were returned themselves: they are not sent with a recording that is read later. */
  readonly #returned = new Set<string>();
  readonly #chosen: ChosenPairs;
  /** The chosen companions by recording. */
  readonly #chosenOf: ReadonlyMap<string | null, string[]>;
  /** The companions by recording. Cached, because the check of each companion needs the whole list of its recording. */
  readonly #companions = new Map<string, Promise<FoundCompanion[]>>();
  /** Finds the earlier uploads to which files belong; null: files are not added to earlier uploads. */
  readonly #late: LatePairs | null;

  constructor(
    files: Files,
    added: Iterable<string>,
    chosen: ChosenPairs = new Map(),
    earlier: EarlierUploads | null = null,
  ) {
    this.#files = new AddedFiles(files, added);
    this.#late = earlier === null ? null : new LatePairs({ files, earlier, added: this.#files });
    this.#chosen = chosen;
    this.#chosenOf = Map.groupBy(chosen.keys(), (path) => chosen.get(path) ?? null);
  }

  /** Stores the names in a folder that the caller has listed, so that it is not listed again. */
  noteFolder(folder: string, names: readonly string[]): void {
    this.#files.noteFolder(folder, names);
  }

  /** Decides about a file that can be sent. */
  async decide(path: string, facts: FileFacts): Promise<Decision> {
    // Most files of a large folder are such files: the other steps are omitted for them.
    const mayBePaired =
      companionKindOf(path) !== null || this.#chosen.has(path) || (await this.#namedFor(path)).length > 0;
    if (!mayBePaired) return ALONE;
    this.#files.noteFit(path, facts);
    if (await this.#isAttached(path)) return { kind: 'attached' };
    this.#returned.add(path);
    const late = this.#late === null || this.#chosen.has(path) ? null : await this.#late.answer(path);
    if (late !== null && 'target' in late) return { kind: 'late', late: late.target };
    const refused = (await this.#unclear(path, late)) ?? (await this.#readError(path));
    if (refused !== null) return { kind: 'refused', ...refused };
    return { kind: 'item', companions: await this.#companionsOf(path), unreadable: await this.#unreadableOf(path) };
  }

  /**
   * Returns the files that belong to a recording by their names or by choice: captions and thumbnails, then details by
   * precedence.
   */
  async #namedFor(recording: string): Promise<{ kind: CompanionKind; path: string }[]> {
    const folder = dirname(recording);
    const { companionsOf } = await this.#files.pairing(folder);
    const chosen = (this.#chosenOf.get(recording) ?? []).flatMap((path) => {
      const kind = companionKindOf(path);
      return kind === null ? [] : [{ kind, path }];
    });
    // An item has one thumbnail. The user's choice has precedence over the names.
    const hasThumbnail = chosen.some(({ kind }) => kind === 'thumbnail');
    const byName = (companionsOf.get(basename(recording)) ?? [])
      .map(({ kind, fileName }) => ({ kind, path: join(folder, fileName) }))
      .filter(({ kind, path }) => !this.#chosen.has(path) && !(hasThumbnail && kind === 'thumbnail'));
    const all = [...byName, ...chosen];
    const details = all.filter(({ kind }) => kind === 'details');
    return [
      ...all.filter(({ kind }) => kind !== 'details'),
      ...details.sort((one, other) => compareDetails(one.path, other.path)),
    ];
  }

  /** Returns the companions of a recording. Empty files, folders and files without details are ignored. */
  #companionsOf(recording: string): Promise<FoundCompanion[]> {
    const companions = this.#companions.get(recording) ?? this.#find(recording);
    this.#companions.set(recording, companions);
    return companions;
  }

  async #find(recording: string): Promise<FoundCompanion[]> {
    const found: FoundCompanion[] = [];
    for (const { kind, path } of await this.#namedFor(recording)) {
      if (this.#returned.has(path)) continue;
      if (kind === 'thumbnail' && found.some((each) => each.kind === kind)) continue;
      const read =
        kind === 'details' ? await this.#detailsIn(path) : { facts: await this.#files.fit(path), fields: {} };
      if (read?.facts) found.push({ kind, path, fileName: shownName(basename(path)), ...read, facts: read.facts });
    }
    return found;
  }

  async #detailsIn(path: string): Promise<Pick<FoundCompanion, 'facts' | 'fields'> | null> {
    const read = await this.#files.contentsOf(path);
    return read?.details.kind === 'details' ? { facts: read.facts, fields: read.details.fields } : null;
  }

  /** Returns whether this file is added with a recording that is added, too. */
  async #isAttached(path: string): Promise<boolean> {
    const recording = await this.#addedRecordingOf(path);
    return recording !== null && (await this.#companionsOf(recording)).some((each) => each.path === path);
  }

  /** Returns the recording of a file if it is added and can be sent; else null. */
  async #addedRecordingOf(path: string): Promise<string | null> {
    const recording = await this.#recordingOf(path);
    return recording === null ? null : ((await this.#sent([recording]))[0] ?? null);
  }

  async #recordingOf(path: string): Promise<string | null> {
    const chosen = this.#chosen.get(path);
    return chosen === undefined ? (await this.#files.recordingsFor(path)).owner : chosen;
  }

  /** Returns the recordings that are added and can be sent. */
  async #sent(recordings: readonly string[]): Promise<string[]> {
    const sent: string[] = [];
    for (const each of recordings) {
      if (this.#files.isAdded(each) && (await this.#files.fit(each)) !== null) sent.push(each);
    }
    return sent;
  }

  /**
   * Returns why it is unclear to which recording this file belongs; null when its name, its contents or the user decide. Only
   * recordings that are added, too, or were uploaded before, can be its recording. A file whose chosen recording can't accept it
   * is unclear again. `late`: the doubt about its earlier upload.
   */
  async #unclear(
    path: string,
    late: Exclude<LateAnswer, { target: unknown }>,
  ): Promise<{ unclear: UnclearPair; error: AppError } | null> {
    const kind = companionKindOf(path);
    const chosen = this.#chosen.get(path);
    if (chosen === null || kind === null) return null;
    const { doubtful } = await this.#files.recordingsFor(path);
    const candidates = await this.#sent(doubtful?.candidates ?? []);
    if (kind === 'details') {
      if (candidates.length === 0 && late === null && (await this.#addedRecordingOf(path)) === null) return null;
      const details = (await this.#files.contentsOf(path))?.details;
      if (details?.kind === 'problem') {
        const unclear: UnclearPair = { kind, doubt: 'unreadable', candidates: [] };
        return { unclear, error: detailsProblem(path, details) };
      }
      if (details?.kind !== 'details') return null;
    }
    if (chosen === undefined && candidates.length === 0 && late === null) return null;
    const named = candidates.length > 0 || chosen === undefined ? candidates : [chosen];
    const unclear: UnclearPair = {
      kind,
      doubt: chosen === undefined ? (doubtful?.doubt ?? late?.doubt ?? 'several') : 'taken',
      candidates: [
        ...named.map((each) => ({ path: each, fileName: shownName(basename(each)) })),
        ...(late?.candidates ?? []),
      ],
      ...(late?.fields === undefined ? {} : { fields: late.fields }),
    };
    return { unclear, error: pairUnclear(path, unclear) };
  }

  /**
   * Returns the temporary error, such as a disk that does not respond, because of which it is not known whether this file belongs
   * to an added recording: the file, or the recording, could not be read. null: it is known. The earlier steps read the files.
   */
  async #readError(path: string): Promise<{ error: AppError } | null> {
    if (this.#chosen.get(path) === null) return null;
    const recording = await this.#recordingOf(path);
    const doubtful = (await this.#files.recordingsFor(path)).doubtful?.candidates ?? [];
    const added = (recording === null ? doubtful : [recording]).filter((each) => this.#files.isAdded(each));
    if (added.length === 0) return null;
    const errors = [path, ...added].flatMap((each) => this.#files.errorOf(each) ?? []);
    const error = errors.find(isTemporary);
    return error === undefined ? null : { error };
  }

  /** Returns the companions of a recording that could not be read and that were not added themselves. */
  async #unreadableOf(recording: string): Promise<{ path: string; error: AppError }[]> {
    return (await this.#namedFor(recording)).flatMap(({ path }) => {
      const error = this.#files.errorOf(path);
      return error === null || this.#files.isAdded(path) ? [] : [{ path, error }];
    });
  }
}

function isTemporary({ code }: AppError): boolean {
  const disposition = dispositionOf(code);
  return disposition === 'retry' || disposition === 'wait-disk';
}
