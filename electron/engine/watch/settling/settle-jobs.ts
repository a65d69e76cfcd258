import { AppError, toAppError } from '../../../../shared/contract/app-error.ts';
import { companionKindOf } from '../../../../shared/model/pairing/pair-files.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FolderEntry, FolderWalker } from '../../ports/folder-walker.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Job, JobKind, Lane } from '../../scheduler/job-kind.ts';
import { DONE, type JobResult, RELEASE } from '../../scheduler/job-result.ts';
import type { FolderWatch } from '../detection/folder-watch.ts';
import type { Reconciler } from '../detection/reconcile.ts';
import { checkRoot, type RootTools } from '../identity/root-check.ts';
import { recordAfterUpload } from '../intake/after-upload.ts';
import type { Intake } from '../intake/intake.ts';
import type { LateCompanion, ReadyFile } from '../intake/ready-file.ts';
import type { FolderRecord, FolderStore } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import { attachedTo } from './companions.ts';
import { compareDone } from './compare-done.ts';
import { applyLateDetails, applyLateRows, type LateRowTools } from './late-arrivals.ts';
import { type Settled, type SettleFileTools, settleFile } from './settle-file.ts';

export interface SettleTools
  extends RootTools,
    Omit<SettleFileTools, 'isWanted' | 'files'>,
    Pick<LateRowTools, 'journal' | 'describe'> {
  folders: FolderStore;
  watch: FolderWatch;
  walker: FolderWalker;
  reconciler: Reconciler;
  intake: Intake;
  logger: Logger;
  clock: Clock;
  uploadOf(id: string): Upload | null;
  isOn(): boolean;
  onDidChange(folderId: string): void;
}

/** How many folders are polled at the same time: a share that does not answer does not delay the others. */
const PARALLEL = 4;
/** The maximum number of files that one job polls. */
const MOST_FILES = 200;
/** Rows per transaction. */
const CHUNK_ROWS = 50;
/** How many files of a job are polled at the same time. */
const AT_ONCE = 4;

/** The results of a poll, by what becomes of the files. */
interface Results {
  changed: { before: WatchedFile; after: WatchedFile }[];
  ready: ReadyFile[];
  late: LateCompanion[];
  manifests: { before: WatchedFile; after: WatchedFile }[];
}

/**
 * Polls files that may still be written, and queues complete ones; one job is one folder. The times in rows decide when a file is
 * polled. Events of the file system only change these times.
 */
export class SettleJobs implements JobKind {
  readonly name = 'settle';
  readonly #tools: SettleTools;
  readonly #lane: Lane;
  /** The ids of uploads that have ended since `due` was called last. */
  readonly #ended = new Set<string>();

  constructor(tools: SettleTools, lane: Lane) {
    this.#tools = tools;
    this.#lane = lane;
  }

  /** Notes that an upload has ended: its file is polled if it is in a watched folder. Safe while an event is recorded. */
  uploadEnded(uploadId: string): void {
    this.#ended.add(uploadId);
    this.#lane.wakeIn(0);
  }

  slots(): number {
    return PARALLEL;
  }

  /** Makes all files due: the times of the previous process are those of its own monotonic clock. */
  start(): void {
    this.#tools.rows.makeAllDue();
  }

  wakeIn(inMs: number): void {
    this.#lane.wakeIn(inMs);
  }

  due(free: number): Job[] {
    const { rows, watch, clock, isOn } = this.#tools;
    for (const uploadId of this.#ended) rows.makeDueAfterUpload(uploadId, clock.monotonic());
    this.#ended.clear();
    if (!isOn() || free === 0) return [];
    return rows
      .dueFolders(clock.monotonic())
      .filter((id) => watch.isReadable(id) && !this.#lane.has(id))
      .slice(0, free)
      .map((id) => ({ id }));
  }

  nextInMs(): number | null {
    const { rows, watch, clock, isOn } = this.#tools;
    if (!isOn()) return null;
    const idle = watch.active().filter(({ folder }) => watch.isReadable(folder.id) && !this.#lane.has(folder.id));
    const at = rows.nextDueAt(idle.map(({ folder }) => folder.id));
    return at === null ? null : Math.max(0, at - clock.monotonic());
  }

  async run({ id }: Job, signal: AbortSignal): Promise<JobResult> {
    const { folders, rows, walker, clock, logger, onDidChange } = this.#tools;
    const folder = folders.get(id);
    if (folder === null) return DONE;
    const due = rows.due(id, clock.monotonic(), MOST_FILES);
    const isWanted = () => !signal.aborted && this.#isCurrent(folder);
    try {
      // A mount point without its drive is empty: its files do not count as deleted.
      const check = await checkRoot(folder, this.#tools, { isListed: false });
      if (check.kind !== 'there') return this.#leave(id, RELEASE);
      const entries = await walker.entriesAt(
        folder.root,
        due.map(({ path }) => path),
      );
      const byPath = new Map(entries.map((entry) => [entry.path, entry]));
      if (
        due.some(({ path }) => !byPath.has(path)) &&
        (await checkRoot(folder, this.#tools, { isListed: false })).kind !== 'there'
      ) {
        return this.#leave(id, RELEASE);
      }
      for (let at = 0; at < due.length && isWanted(); at += CHUNK_ROWS) {
        await this.#poll(folder, due.slice(at, at + CHUNK_ROWS), byPath, isWanted);
      }
      return DONE;
    } catch (error) {
      if (signal.aborted) return RELEASE;
      if (!(error instanceof AppError)) throw error;
      logger.warn('watch.polls-ended', { folderId: id, error: toAppError(error).toData() });
      return this.#leave(id, DONE);
    } finally {
      onDidChange(id);
    }
  }

  /** Ends a job whose folder is not where it was. A sweep finds out where it is; its files wait until then. */
  #leave(folderId: string, result: JobResult): JobResult {
    const { watch } = this.#tools;
    watch.runtime(folderId).root = 'unknown';
    watch.sweepSoon(folderId);
    return result;
  }

  async #poll(
    folder: FolderRecord,
    due: readonly WatchedFile[],
    entries: ReadonlyMap<string, FolderEntry>,
    isWanted: () => boolean,
  ): Promise<void> {
    const { rows, reconciler, intake, uploadOf } = this.#tools;
    const tools: SettleFileTools = { ...this.#tools, isWanted };
    const results: Results = { changed: [], ready: [], late: [], manifests: [] };
    const { changed, ready, late, manifests } = results;
    const gone: WatchedFile[] = [];
    const pollOne = async (row: WatchedFile) => {
      const entry = entries.get(row.path);
      if (row.state === 'queued') {
        const after = recordAfterUpload(
          row,
          entry ?? null,
          row.uploadId === null ? null : uploadOf(row.uploadId),
          this.#tools,
        );
        changed.push({ before: row, after });
      } else if (entry === undefined) gone.push(row);
      else if (row.state === 'done' && !row.isForced) {
        changed.push({ before: row, after: await compareDone(row, entry, folder, this.#tools) });
      } else await this.#take(folder, row, await settleFile(row, entry, folder, tools), results);
    };
    const queue = due[Symbol.iterator]();
    const worker = async () => {
      for (const row of queue) if (isWanted()) await pollOne(row);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    // The rules or the path of the folder changed: the results are discarded, and the rows are still due.
    if (!isWanted()) return;
    rows.transaction(() => {
      for (const row of gone) this.#ifUnchanged(row, () => reconciler.gone(row));
      for (const { before, after } of changed) this.#ifUnchanged(before, () => rows.save(after));
    });
    // Companions that were polled beside their recording may be attached only now.
    const withCompanions = ready.map((each) => ({ ...each, companions: attachedTo(each.row, each.plan, this.#tools) }));
    if (ready.length > 0) intake.add(folder, withCompanions);
    if (late.length > 0) intake.attach(folder, late);
    // Files that were polled beside their manifest did not find it complete, and are queued only now.
    for (const each of manifests) await this.#applyManifest(folder, each);
  }

  /**
   * Stores the result of a poll. The values of a file about a recording that was queued before are applied first: after a crash in
   * between, the file is polled again.
   */
  async #take(folder: FolderRecord, before: WatchedFile, settled: Settled, results: Results): Promise<void> {
    const { row, ready, late, isManifest } = settled;
    if (ready !== undefined) results.ready.push(ready);
    else if (isManifest === true) results.manifests.push({ before, after: row });
    else if (late === undefined) results.changed.push({ before, after: row });
    else if (companionKindOf(before.path) !== 'details') results.late.push(late);
    else results.changed.push({ before, after: await applyLateDetails(folder, late, this.#tools) });
  }

  /** Applies the rows of a manifest, and saves it afterwards: after a crash in between, it is polled again. */
  async #applyManifest(folder: FolderRecord, { before, after }: Results['manifests'][number]): Promise<void> {
    const { rows, clock } = this.#tools;
    const againMs = await applyLateRows(folder, after, this.#tools);
    const dueAt = againMs === null ? null : clock.monotonic() + againMs;
    rows.transaction(() => this.#ifUnchanged(before, () => rows.save({ ...after, dueAt })));
  }

  /** Returns whether a record of a folder is up to date: it was not paused, and its rules and its path did not change. */
  #isCurrent({ id, rules, root }: FolderRecord): boolean {
    const now = this.#tools.folders.get(id);
    return now !== null && !now.isPaused && now.rules === rules && now.root === root;
  }

  /** Writes unless the row was removed, or the user forced its upload, while its file was read: that change is newer. */
  #ifUnchanged(row: WatchedFile, write: () => void): void {
    const stored = this.#tools.rows.get(row.seq);
    if (stored !== null && stored.isForced === row.isForced) write();
  }
}
