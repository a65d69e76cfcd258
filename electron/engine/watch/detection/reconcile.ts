import { basename } from 'node:path';
import { appError } from '../../../../shared/contract/app-error.ts';
import { companionKindOf } from '../../../../shared/model/pairing/pair-files.ts';
import { applyRules, type FolderRules } from '../../../../shared/model/watch/apply-rules.ts';
import type { WatchedFileFacts } from '../../../../shared/model/watch/watched-file.ts';
import { foldersOf, nameOf } from '../../../../shared/model/watch/watched-file.ts';
import type { Clock } from '../../ports/clock.ts';
import { hasFileNumber } from '../../ports/file-identity.ts';
import type { FolderEntry } from '../../ports/folder-walker.ts';
import { decideReadiness } from '../readiness/decide-readiness.ts';
import { observe, type ReadinessHistory } from '../readiness/observations.ts';
import type { CompanionRows } from '../rows/companion-rows.ts';
import type { WatchedFileStore } from '../rows/file-store.ts';
import type { FolderRecord, FolderStore } from '../rows/folder-store.ts';
import { type NewWatchedFile, sameChangeTime, sameFingerprint, type WatchedFile } from '../rows/watched-file.ts';
import type { SweptFolders } from './known-listings.ts';

export interface ReconcileTools {
  folders: FolderStore;
  files: WatchedFileStore;
  companionRows: CompanionRows;
  clock: Clock;
  /** Returns whether files below a path keep their `ctime` at every mount. Others would be compared again at each. */
  keepsChangeTimes(root: string): boolean;
  /** Returns whether the upload has ended without its file in the library: then a changed file starts again. */
  isAbandoned(uploadId: string): boolean;
  /** Rows have become due that a sweep did not find new or changed. */
  onDue(): void;
  /** Called when the file of an upload has another path, relative to the root of its folder. */
  onMoved(uploadId: string, folderId: string, path: string): void;
}

/** The number of rows that are read in one step when a sweep ends. */
const PAGE_ROWS = 1000;

/** Updates the rows of a folder to the result of a listing. Each batch is one transaction of a few milliseconds. */
export class Reconciler {
  readonly #tools: ReconcileTools;
  /** Uploads whose file got another spelling in the transaction that runs. */
  readonly #respelledUploads: { uploadId: string; path: string }[] = [];

  constructor(tools: ReconcileTools) {
    this.#tools = tools;
  }

  /**
   * Notes entries that a sweep or an event found. Returns the paths of files that are new or changed and may have to be uploaded.
   * `seen` collects the numbers of the rows that were known.
   */
  note(
    folderId: string,
    listed: readonly FolderEntry[],
    by: 'sweep' | 'event',
    seen: Set<number> = new Set(),
  ): string[] {
    const { folders, files, keepsChangeTimes } = this.#tools;
    const folder = folders.get(folderId);
    if (folder === null || listed.length === 0) return [];
    const entries = keepsChangeTimes(folder.root) ? listed : listed.map((entry) => ({ ...entry, ctimeMs: null }));
    const compared = files.comparedFacts(
      folderId,
      entries.map(({ path }) => path),
    );
    const changes = entries.filter((entry) => {
      const facts = compared.get(entry.path);
      if (facts === undefined) return true;
      seen.add(facts.seq);
      return (
        facts.isGone || facts.kind !== entry.kind || !sameFingerprint(facts, entry) || !sameChangeTime(facts, entry)
      );
    });
    if (changes.length === 0) return [];
    const changedPaths = changes.map(({ path }) => path).filter((path) => compared.has(path));
    const known = files.byPaths(folderId, changedPaths);
    const found: string[] = [];
    let { numbered } = folder;
    files.transaction(() => {
      for (const entry of changes) {
        const row = known.get(entry.path) ?? this.#respelled(folderId, entry, seen);
        if (row === undefined) {
          numbered += 1;
          const file = this.#newFile(folder, entry, numbered, by === 'sweep' && isExisting(folder, entry));
          files.insert(file);
          if (file.state === 'settling') found.push(entry.path);
        } else if (this.#change(folder, row, entry)) found.push(entry.path);
      }
      if (numbered !== folder.numbered) folders.change(folderId, { numbered });
    });
    for (const { uploadId, path } of this.#respelledUploads.splice(0)) this.#tools.onMoved(uploadId, folderId, path);
    return found;
  }

  /**
   * Notes that an event named these files although their listed properties are unchanged. Returns whether the next poll of one of
   * them was far away, and is due now.
   */
  touched(folderId: string, paths: readonly string[]): boolean {
    return paths.length > 0 && this.#tools.files.makeIdleDue(folderId, paths, this.#tools.clock.monotonic());
  }

  /** Returns the highest row number before a sweep: rows that are added during the sweep do not count as missed. */
  mark(): number {
    return this.#tools.files.lastSeq();
  }

  /**
   * Notes that a complete sweep did not find the rows up to `mark` that are not in `seen`, nor in an unchanged folder. The
   * contents of folders that could not be listed are unknown. Pauses between pages by `turn`.
   */
  async finish(
    folderId: string,
    { seen, swept, mark }: { seen: ReadonlySet<number>; swept: SweptFolders; mark: number },
    turn: () => Promise<void>,
  ): Promise<void> {
    const { files } = this.#tools;
    const { unchanged, unlisted } = swept;
    const isUnknown = (path: string) => unlisted.some((folder) => folder === '' || path.startsWith(`${folder}/`));
    const isFound = ({ seq, path }: { seq: number; path: string }) =>
      seen.has(seq) || unchanged.has(foldersOf(path).join('/'));
    for (let after = ''; ; ) {
      const rows = files.present(folderId, after, PAGE_ROWS);
      const missing = rows.filter((row) => row.seq <= mark && !isFound(row) && !isUnknown(row.path));
      if (missing.length > 0) {
        const left: WatchedFile[] = [];
        files.transaction(() => {
          for (const { seq } of missing) {
            const row = files.get(seq);
            if (row === null) continue;
            this.gone(row);
            if ((row.state === 'queued' || row.state === 'done') && hasFileNumber(row.fileId)) left.push(row);
          }
        });
        // An upload finds its file by the number of its device, which may be another one after a new mount.
        for (const row of left) {
          const moved = files.movedUpload(folderId, row);
          if (moved !== null) this.#tools.onMoved(moved.uploadId, folderId, moved.path);
        }
      }
      if (rows.length < PAGE_ROWS) return;
      after = rows.at(-1)?.path ?? after;
      await turn();
    }
  }

  /** Notes that the file is not at its path any more. Part of a transaction. */
  gone(row: WatchedFile): void {
    const { files, companionRows, clock } = this.#tools;
    // The fields from a details file stay valid after the file is moved.
    const isPart =
      row.uploadId !== null && (row.state === 'done' || (row.state === 'attached' && row.described !== null));
    if (row.state === 'queued' || isPart) {
      files.save({ ...row, dueAt: row.state === 'done' ? null : row.dueAt, goneAt: clock.now() });
      return;
    }
    // When the file appears under another name, or returns, it still counts as an existing file.
    if (row.state === 'done') this.#remember(row);
    files.remove(row);
    companionRows.release(row.folderId, row.path, { dueAt: clock.monotonic(), now: clock.now() });
  }

  /**
   * Returns the row of a file whose path got other capitals, or accents in another form, with the new path. A disk that doesn't
   * distinguish them still finds the file by its old path, so it would have two rows. That it is the same file is the disk's
   * answer: it has the same number.
   */
  #respelled(folderId: string, entry: FolderEntry, seen: Set<number>): WatchedFile | undefined {
    const { files } = this.#tools;
    if (!hasFileNumber(entry.fileId)) return undefined;
    const spelled = folded(entry.path);
    const row = files.ofFile(folderId, entry.fileId, entry.path).find(({ path }) => folded(path) === spelled);
    // A refused file, such as captions without a recording, is decided about again by its new name: it is a new row.
    if (row === undefined || (row.state === 'refused' && row.uploadId === null)) return undefined;
    seen.add(row.seq);
    files.save({ ...row, path: entry.path });
    if (row.uploadId !== null) this.#respelledUploads.push({ uploadId: row.uploadId, path: entry.path });
    return { ...row, path: entry.path };
  }

  #newFile(folder: FolderRecord, entry: FolderEntry, number: number, isExisting: boolean): NewWatchedFile {
    const { clock, files } = this.#tools;
    const now = clock.now();
    const base: NewWatchedFile = {
      folderId: folder.id,
      path: entry.path,
      kind: entry.kind,
      fileId: entry.fileId,
      sizeBytes: entry.sizeBytes,
      mtimeMs: entry.mtimeMs,
      ctimeMs: entry.ctimeMs,
      number,
      isExisting,
      isForced: false,
      state: 'settling',
      history: null,
      dueAt: null,
      readyAt: null,
      firstSeenAt: now,
      unchangedSince: now,
      edgeHash: null,
      reason: null,
      outcome: null,
      described: null,
      uploadId: null,
      handledAt: null,
      goneAt: null,
    };
    // A folder that was just added has no contents to compare with.
    const isNew = folder.baseline === 'begun';
    if (!isNew && entry.kind === 'file' && this.#isHandled(folder.id, entry)) return { ...base, state: 'done' };
    const renamed = isNew ? null : files.openElsewhere(folder.id, entry, entry.path);
    return this.#judged(folder, base, entry, historyOf(renamed));
  }

  /** Returns whether the change may have to be uploaded. Part of a transaction. */
  #change(folder: FolderRecord, row: WatchedFile, entry: FolderEntry): boolean {
    const { files, clock } = this.#tools;
    const { fileId, sizeBytes, mtimeMs, kind, ctimeMs } = entry;
    if (kind === row.kind && sameFingerprint(row, entry)) {
      this.#touched(row, entry);
      return false;
    }
    // The volume was mounted again with other file numbers, the file was copied back with its time, or it is another one: its ends
    // decide. Those of a file that existed before the folder was watched were never read.
    if (row.state === 'done' && kind === row.kind && sizeBytes === row.sizeBytes && mtimeMs === row.mtimeMs) {
      if (row.edgeHash === null) files.save({ ...row, fileId, ctimeMs, goneAt: null });
      else {
        files.save({ ...row, goneAt: null, dueAt: clock.monotonic() });
        this.#tools.onDue();
      }
      return false;
    }
    const isStillQueued = row.state === 'queued' && row.uploadId !== null && !this.#tools.isAbandoned(row.uploadId);
    // The upload follows the changes of its file; when it is complete, the sent file is compared with the present one.
    if (isStillQueued) {
      files.save({ ...row, fileId, sizeBytes, mtimeMs, goneAt: null });
      return false;
    }
    if (row.state === 'done' && row.uploadId === null) this.#remember(row);
    const now = clock.now();
    const base: WatchedFile = {
      ...row,
      kind,
      fileId,
      sizeBytes,
      mtimeMs,
      ctimeMs,
      state: 'settling',
      dueAt: null,
      readyAt: null,
      unchangedSince: now,
      edgeHash: null,
      reason: null,
      outcome: null,
      uploadId: null,
      handledAt: null,
      isForced: false,
      isExisting: row.isExisting && row.state === 'settling',
      goneAt: null,
    };
    if (kind === 'file' && this.#isHandled(folder.id, entry)) {
      files.save({ ...base, state: 'done', history: null });
      return false;
    }
    const isOpen = row.state === 'settling' || row.state === 'waiting' || row.state === 'incomplete';
    const after = this.#judged(folder, base, entry, isOpen ? historyOf(row) : null);
    files.save({ ...after, seq: row.seq });
    return after.state === 'settling';
  }

  /**
   * Notes a file whose fingerprint is unchanged. When its `ctime` changed, it was renamed, linked or given other permissions, or
   * written by a program that restores the time: its ends decide. Part of a transaction.
   */
  #touched(row: WatchedFile, entry: FolderEntry): void {
    const { files, clock } = this.#tools;
    if (sameChangeTime(row, entry) || row.state === 'queued') {
      // A queued file is compared when its upload has ended.
      if (row.goneAt !== null) files.save({ ...row, goneAt: null });
    } else if (row.state === 'done' && row.edgeHash !== null && row.ctimeMs !== null) {
      files.save({ ...row, goneAt: null, dueAt: clock.monotonic() });
      this.#tools.onDue();
    } else files.save({ ...row, goneAt: null, ctimeMs: entry.ctimeMs });
  }

  /** Returns a row as its name and kind require: a file that these exclude is not polled; everything else settles first. */
  #judged<T extends NewWatchedFile>(
    folder: FolderRecord,
    file: T,
    entry: FolderEntry,
    before: ReadinessHistory | null,
  ): T {
    const { clock } = this.#tools;
    if (entry.kind === 'link') return { ...file, state: 'refused', reason: appError('watch.is-link').toData() };
    const outcome = applyRules(rulesOf(folder), ruleFactsOf(file), clock.now());
    if (outcome.kind === 'skip' && (entry.kind === 'other' || !mayBecomeWanted(file.path, outcome.clause.kind))) {
      const reason = entry.kind === 'other' ? appError('file.not-regular').toData() : null;
      const state = outcome.clause.kind === 'existing' ? 'done' : 'refused';
      return { ...file, state, outcome, reason, history: null };
    }
    const atMs = clock.monotonic();
    const { sizeBytes, mtimeMs, fileId, blocks } = entry;
    const history = observe(before, { atMs, file: { sizeBytes, mtimeMs, fileId, blocks } });
    const readiness = decideReadiness(history, atMs);
    const isSettling = readiness.kind === 'settling';
    return {
      ...file,
      history: JSON.stringify(history),
      dueAt: isSettling ? readiness.nextCheckAtMs : atMs,
      readyAt: isSettling && readiness.remainingMs !== null ? Math.round(clock.now() + readiness.remainingMs) : null,
      reason: appError(sizeBytes === 0 ? 'watch.empty' : 'watch.settling').toData(),
    };
  }

  #isHandled(folderId: string, entry: FolderEntry): boolean {
    const { files } = this.#tools;
    if (files.contents.byFile(folderId, entry) !== null) return true;
    const elsewhere = files.handledElsewhere(folderId, entry);
    return elsewhere !== null && elsewhere.path !== entry.path;
  }

  #remember(row: WatchedFile): void {
    const { folderId, path, fileId, sizeBytes, mtimeMs, edgeHash, uploadId } = row;
    this.#tools.files.contents.add({
      folderId,
      path,
      fileId,
      sizeBytes,
      mtimeMs,
      edgeHash,
      uploadId,
      at: this.#tools.clock.now(),
    });
  }
}

/**
 * Returns whether a sweep found a file that existed before the folder was watched. A first sweep that a crash interrupted may
 * find files that arrived meanwhile: those with a later time are new. The clock of a share may be wrong, so a sweep without an
 * interruption does not compare times.
 */
function isExisting({ baseline, addedAt }: FolderRecord, { mtimeMs }: FolderEntry): boolean {
  return baseline === 'begun' || (baseline === 'interrupted' && mtimeMs <= addedAt);
}

/** Returns the rules of a folder in the form in which they are applied. */
export function rulesOf({ rules, root }: Pick<FolderRecord, 'rules' | 'root'>): FolderRules {
  return { ...rules, folderName: basename(root) };
}

/** Returns the facts of a file that the rules use. */
export function ruleFactsOf(file: NewWatchedFile, recording: WatchedFileFacts | null = null): WatchedFileFacts {
  return {
    path: file.path,
    kind: file.kind === 'file' ? 'file' : 'other',
    sizeBytes: file.sizeBytes,
    mtimeMs: file.mtimeMs,
    firstSeenMs: file.firstSeenAt,
    unchangedSinceMs: file.unchangedSince,
    number: file.number,
    isExisting: file.isExisting,
    isHandled: false,
    recording,
  };
}

export function historyOf(file: Pick<WatchedFile, 'history'> | null): ReadinessHistory | null {
  if (file === null || file.history === null) return null;
  try {
    return JSON.parse(file.history) as ReadinessHistory;
  } catch {
    // A damaged byte: the file is observed from the start.
    return null;
  }
}

/** Returns a path without differences in capitals and in the form of accents. */
function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * Returns whether a skipped file can be wanted later: its size decides, and may grow; or it may be uploaded with a recording; or
 * it is read when it is complete.
 */
function mayBecomeWanted(path: string, clause: string): boolean {
  if (clause === 'ignored' || clause === 'not-a-file' || clause === 'existing') return false;
  return clause === 'min-size' || clause === 'manifest' || companionKindOf(nameOf(path)) !== null;
}
