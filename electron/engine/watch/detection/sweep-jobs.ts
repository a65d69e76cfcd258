import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FolderWalker } from '../../ports/folder-walker.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Job, JobKind, Lane } from '../../scheduler/job-kind.ts';
import { DONE, type JobResult, RELEASE } from '../../scheduler/job-result.ts';
import { checkRoot, type RootTools } from '../identity/root-check.ts';
import type { FolderRecord, FolderStore } from '../rows/folder-store.ts';
import type { FolderRuntime } from './folder-runtime.ts';
import type { FolderWatch } from './folder-watch.ts';
import type { Reconciler } from './reconcile.ts';
import { sweepIntervalMs } from './sweep-interval.ts';

export interface SweepTools extends RootTools {
  folders: FolderStore;
  watch: FolderWatch;
  walker: FolderWalker;
  reconciler: Reconciler;
  clock: Clock;
  logger: Logger;
  /** Whether this process watches folders. */
  isOn(): boolean;
  /** Files may have become due. */
  onFound(): void;
  onDidChange(folderId: string): void;
}

/** Sweeps at a time: each has a thread, and disks are slower when several read. */
const PARALLEL = 2;
/** The minimum interval at which files are read for hints that keep arriving. */
const HINTS_EVERY_MS = 1000;

/** A sweep of one folder, or a check of the paths that events named. */
interface SweepJob extends Job {
  isSweep: boolean;
}

/** Finds files in watched folders: by sweeps, and between them by the events of the system. */
export class SweepJobs implements JobKind<SweepJob> {
  readonly name = 'sweep';
  readonly #tools: SweepTools;
  readonly #lane: Lane;

  constructor(tools: SweepTools, lane: Lane) {
    this.#tools = tools;
    this.#lane = lane;
  }

  slots(): number {
    return PARALLEL;
  }

  wakeIn(inMs: number): void {
    this.#lane.wakeIn(inMs);
  }

  isRunning(folderId: string): boolean {
    return this.#lane.has(folderId);
  }

  due(free: number): SweepJob[] {
    const { watch, clock, isOn } = this.#tools;
    if (!isOn()) return [];
    const now = clock.monotonic();
    const jobs: SweepJob[] = [];
    for (const { folder, runtime } of watch.active()) {
      watch.checkSuspects(folder);
      if (this.#lane.has(folder.id)) continue;
      const isSweep = runtime.sweepAt <= now;
      if (jobs.length < free && (isSweep || (runtime.hintsAt !== null && runtime.hintsAt <= now))) {
        jobs.push({ id: folder.id, isSweep });
      }
    }
    return jobs;
  }

  nextInMs(): number | null {
    const { watch, clock, isOn } = this.#tools;
    if (!isOn()) return null;
    const times = watch
      .active()
      .flatMap(({ folder, runtime }) =>
        this.#lane.has(folder.id)
          ? [...runtime.suspects.values()]
          : [runtime.sweepAt, runtime.hintsAt ?? Number.POSITIVE_INFINITY, ...runtime.suspects.values()],
      );
    const at = Math.min(...times);
    return Number.isFinite(at) ? Math.max(0, at - clock.monotonic()) : null;
  }

  /** After a fault of the database the folder is swept again by its interval. */
  async run({ id, isSweep }: SweepJob, signal: AbortSignal): Promise<JobResult> {
    const { folders, watch, logger, clock } = this.#tools;
    const folder = folders.get(id);
    if (folder === null) return DONE;
    const runtime = watch.runtime(id);
    const startedAt = clock.monotonic();
    try {
      if (isSweep) await this.#sweep(folder, runtime, signal);
      else await this.#followHints(folder, runtime, signal);
      return DONE;
    } catch (error) {
      if (signal.aborted) return RELEASE;
      if (!(error instanceof AppError)) throw error;
      // The drive was disconnected during the sweep: the files found until then are noted, and nothing counts as deleted.
      logger.warn('watch.sweep-ended', { folderId: id, error: toAppError(error).toData() });
      await this.#check(folder, runtime);
      return DONE;
    } finally {
      runtime.isSweeping = false;
      if (isSweep) this.#planNext(id, clock.monotonic() - startedAt);
      this.#tools.onDidChange(id);
    }
  }

  async #sweep(folder: FolderRecord, runtime: FolderRuntime, signal: AbortSignal): Promise<void> {
    const { folders, watch, walker, reconciler, clock, logger } = this.#tools;
    const since = clock.monotonic();
    // A sweep that is requested from now on runs after this one, see `#planNext`.
    runtime.sweepAt = Number.POSITIVE_INFINITY;
    if (!(await this.#check(folder, runtime))) return;
    runtime.isSweeping = true;
    this.#tools.onDidChange(folder.id);
    const seen = new Set<number>();
    const listed = new Map<string, string>();
    const swept = { listed, unchanged: new Set<string>(), unlisted: [] as string[] };
    const known = runtime.listings.begin();
    const mark = reconciler.mark();
    const found: string[] = [];
    let entries = 0;
    await walker.walk(
      { root: folder.root, from: '', isDeep: true, known },
      async (batch) => {
        entries += batch.entries.length;
        swept.unlisted.push(...batch.unlisted);
        for (const path of batch.unchanged) swept.unchanged.add(path);
        for (const { folder: path, digest } of batch.listed) listed.set(path, digest);
        found.push(...reconciler.note(folder.id, batch.entries, 'sweep', seen));
        if (found.length > 0) this.#tools.onFound();
        await nextTurn();
      },
      signal,
    );
    // The drive may have been disconnected during the read: then an empty or short listing proves nothing.
    const now = folders.get(folder.id);
    if (now === null || swept.unlisted.includes('') || !(await this.#check(now, runtime))) return;
    if (!runtime.listings.isAllUnchanged(swept)) {
      await reconciler.finish(folder.id, { seen, swept, mark }, async () => {
        await nextTurn();
        signal.throwIfAborted();
      });
      runtime.listings.end(swept);
    }
    folders.change(folder.id, { lastSweepAt: clock.now(), baseline: 'done' });
    watch.suspect(folder.id, found);
    runtime.sweptSince = since;
    // After the sweep, because subscribing takes long in a large folder, and the files are known earlier without it.
    watch.subscribe(now);
    logger.debug('watch.swept', {
      folderId: folder.id,
      entries,
      unchanged: swept.unchanged.size,
      found: found.length,
      unlisted: swept.unlisted.length,
      ms: Math.round(clock.monotonic() - since),
    });
  }

  async #followHints(folder: FolderRecord, runtime: FolderRuntime, signal: AbortSignal): Promise<void> {
    const { walker, reconciler, watch, clock } = this.#tools;
    const work = runtime.hints.take();
    runtime.hintsAt = null;
    if (work.isSweep) {
      watch.sweepSoon(folder.id);
      return;
    }
    const found = (await walker.entriesAt(folder.root, work.files)).filter(Boolean);
    let isAny = reconciler.note(folder.id, found, 'event').length > 0;
    if (reconciler.touched(folder.id, work.files)) isAny = true;
    const walks = [
      ...work.folders.map((from) => ({ root: folder.root, from, isDeep: false })),
      ...work.trees.map((from) => ({ root: folder.root, from, isDeep: true })),
    ];
    for (const walk of walks) {
      const onBatch = async (batch: { entries: Parameters<typeof reconciler.note>[1] }) => {
        if (reconciler.note(folder.id, batch.entries, 'event').length > 0) isAny = true;
        await nextTurn();
      };
      await walker.walk(walk, onBatch, signal);
    }
    if (isAny) this.#tools.onFound();
    if (!runtime.hints.isEmpty) runtime.hintsAt = clock.monotonic() + HINTS_EVERY_MS;
  }

  /** Returns whether the folder is available; its state otherwise says why not. */
  async #check(folder: FolderRecord, runtime: FolderRuntime): Promise<boolean> {
    const { folders, watch } = this.#tools;
    const check = await checkRoot(folder, this.#tools);
    const was = runtime.root;
    runtime.root = check.kind;
    runtime.notice = check.kind === 'there' ? null : check.notice;
    runtime.movedTo = check.kind === 'moved' ? check.to : null;
    if (check.kind === 'there') {
      runtime.isNetwork = check.isNetwork;
      // File systems without stable numbers assign others after each mount.
      if (check.rootId !== folder.rootId) folders.change(folder.id, { rootId: check.rootId });
      if (was !== 'there') this.#tools.onFound();
      return true;
    }
    await watch.unsubscribe(folder.id);
    return false;
  }

  #planNext(folderId: string, lastedMs: number): void {
    const { folders, watch, clock } = this.#tools;
    const folder = folders.get(folderId);
    if (folder === null) return;
    const runtime = watch.runtime(folderId);
    const hasEvents = runtime.unsubscribe !== null && runtime.eventsFault === null;
    const inMs = sweepIntervalMs(folder, { isThere: runtime.root === 'there', hasEvents, lastedMs });
    // A sweep that was requested meanwhile keeps its time.
    runtime.sweepAt = Math.min(runtime.sweepAt, clock.monotonic() + inMs);
  }
}
