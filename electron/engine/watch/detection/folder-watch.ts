import { appError } from '../../../../shared/contract/app-error.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FolderEvents, FolderHint } from '../../ports/folder-events.ts';
import type { Logger } from '../../ports/logger.ts';
import type { FolderRecord, FolderStore } from '../rows/folder-store.ts';
import { type FolderRuntime, newRuntime } from './folder-runtime.ts';

export interface FolderWatchTools {
  folders: FolderStore;
  events: FolderEvents;
  clock: Clock;
  logger: Logger;
  /** Called when a hint arrived, or a folder changed its state. Safe at any time. */
  onWork(inMs: number): void;
  onDidChange(folderId: string): void;
}

/** How long hints are collected: a program that writes a file reports many changes. */
const HINTS_WAIT_MS = 300;
/** How long after a sweep found a change its event may still be reported; later it counts as missed. */
const EVENT_GRACE_MS = 5000;
/** The number of sweeps with missed events after which a folder uses only sweeps. */
const MOST_MISSES = 2;
/** The maximum number of paths whose events are awaited. */
const MOST_SUSPECTS = 1000;

/** The state of each watched folder in this process, and its subscription to events of the system. */
export class FolderWatch {
  readonly #tools: FolderWatchTools;
  readonly #runtimes = new Map<string, FolderRuntime>();
  #isStopped = false;

  constructor(tools: FolderWatchTools) {
    this.#tools = tools;
  }

  runtime(folderId: string): FolderRuntime {
    let runtime = this.#runtimes.get(folderId);
    if (runtime === undefined) {
      runtime = newRuntime(this.#tools.clock.monotonic());
      this.#runtimes.set(folderId, runtime);
    }
    return runtime;
  }

  /** The row of a file was written. */
  wrote(folderId: string, path: string): void {
    this.#runtimes.get(folderId)?.listings.wrote(path);
  }

  /** Returns the folders of which a sweep or hints may be due: all that are not paused. */
  active(): { folder: FolderRecord; runtime: FolderRuntime }[] {
    return this.#tools.folders
      .list()
      .filter(({ isPaused }) => !isPaused)
      .map((folder) => ({ folder, runtime: this.runtime(folder.id) }));
  }

  /** Whether the files of the folder may be read now. */
  isReadable(folderId: string): boolean {
    const folder = this.#tools.folders.get(folderId);
    return folder !== null && !folder.isPaused && this.runtime(folderId).root === 'there';
  }

  /** A sweep is due now. */
  sweepSoon(folderId: string): void {
    this.runtime(folderId).sweepAt = this.#tools.clock.monotonic();
    this.#tools.onWork(0);
  }

  sweepAllSoon(): void {
    for (const { folder, runtime } of this.active()) {
      // Events from before the subscription may be missing: that is no fault of the folder.
      runtime.suspects.clear();
      runtime.sweptSince = null;
      this.sweepSoon(folder.id);
    }
  }

  /** Subscribes to events if they are useful, and otherwise ends the subscription. */
  subscribe(folder: FolderRecord): void {
    const runtime = this.runtime(folder.id);
    // A sweep that ends after the stop must not subscribe again, because then the process would not end.
    const isPossible = !this.#isStopped && runtime.root === 'there' && !runtime.isNetwork;
    if (!isPossible || folder.isPaused || folder.sweepOnly !== null) {
      // After a pause, events are tried again: the user may have raised the limit of the system meanwhile.
      if (folder.isPaused) runtime.eventsFault = null;
      void this.unsubscribe(folder.id);
      return;
    }
    if (runtime.unsubscribe !== null || runtime.eventsFault !== null) return;
    runtime.subscription += 1;
    const { subscription } = runtime;
    const isCurrent = () => runtime.subscription === subscription;
    runtime.unsubscribe = this.#tools.events.subscribe(folder.root, {
      onHint: (hint) => {
        if (isCurrent()) this.#hint(runtime, hint);
      },
      onReady: () => {
        if (!isCurrent()) return;
        runtime.eventsSince = this.#tools.clock.monotonic();
        // Finds changes between the last sweep and now.
        this.sweepSoon(folder.id);
        this.#tools.onDidChange(folder.id);
      },
      onFault: (error) => {
        if (!isCurrent()) return;
        runtime.eventsFault = error.toData();
        this.#tools.logger.warn('watch.events-lost', { folderId: folder.id, error: error.toData() });
        void this.unsubscribe(folder.id);
        this.sweepSoon(folder.id);
        this.#tools.onDidChange(folder.id);
      },
    });
  }

  async unsubscribe(folderId: string): Promise<void> {
    const runtime = this.runtime(folderId);
    const end = runtime.unsubscribe;
    runtime.unsubscribe = null;
    // Invalidates events that are still on their way.
    runtime.subscription += 1;
    runtime.eventsSince = null;
    runtime.suspects.clear();
    await end?.();
  }

  async remove(folderId: string): Promise<void> {
    await this.unsubscribe(folderId);
    this.#runtimes.delete(folderId);
  }

  /** Ends all subscriptions, and begins none from now on. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#runtimes.keys()].map((id) => this.unsubscribe(id)));
  }

  /**
   * Notes that a sweep found changes since the previous sweep: an event should have reported each of them, or should report it
   * soon.
   */
  suspect(folderId: string, paths: readonly string[]): void {
    const runtime = this.runtime(folderId);
    const { eventsSince, sweptSince } = runtime;
    // Changes before events were reported can't have been missed.
    if (eventsSince === null || sweptSince === null || eventsSince > sweptSince) return;
    const until = this.#tools.clock.monotonic() + EVENT_GRACE_MS;
    for (const path of paths.slice(0, MOST_SUSPECTS - runtime.suspects.size)) runtime.suspects.set(path, until);
    if (runtime.suspects.size > 0) this.#tools.onWork(EVENT_GRACE_MS);
  }

  /** Counts a sweep whose changes were not reported. After two of them, only sweeps find changes. */
  checkSuspects(folder: FolderRecord): void {
    const runtime = this.runtime(folder.id);
    const now = this.#tools.clock.monotonic();
    const missed = [...runtime.suspects].filter(([, until]) => until <= now).map(([path]) => path);
    if (missed.length === 0) return;
    runtime.suspects.clear();
    const misses = folder.misses + 1;
    this.#tools.logger.warn('watch.events-missed', { folderId: folder.id, misses, files: missed.length });
    const sweepOnly =
      misses < MOST_MISSES ? null : appError('watch.events-missed', { details: { path: missed[0] ?? '' } }).toData();
    const after = this.#tools.folders.change(folder.id, { misses, sweepOnly });
    if (after !== null) this.subscribe(after);
    if (sweepOnly !== null) this.sweepSoon(folder.id);
    this.#tools.onDidChange(folder.id);
  }

  #hint(runtime: FolderRuntime, hint: FolderHint): void {
    runtime.suspects.delete(hint.path);
    if (hint.isFolder) {
      for (const path of runtime.suspects.keys()) if (path.startsWith(`${hint.path}/`)) runtime.suspects.delete(path);
    }
    runtime.hints.add(hint);
    if (runtime.hintsAt !== null) return;
    runtime.hintsAt = this.#tools.clock.monotonic() + HINTS_WAIT_MS;
    this.#tools.onWork(HINTS_WAIT_MS);
  }
}
