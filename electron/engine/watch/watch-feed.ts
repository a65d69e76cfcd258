import { basename } from 'node:path';
import { type AppErrorData, appError } from '../../../shared/contract/app-error.ts';
import type { WatchChange, WatchedFileRow, WatchedFolder, WatchVerdict } from '../../../shared/contract/watch.ts';
import type { WatchRules } from '../../../shared/contract/watch-rules.ts';
import type { RuleOutcome } from '../../../shared/model/watch/apply-rules.ts';
import { nameOf } from '../../../shared/model/watch/watched-file.ts';
import { WATCHED_STATES } from '../../../shared/model/watch/watched-states.ts';
import { Emitter } from '../common/emitter.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { shownName } from '../ports/system/byte-paths.ts';
import { whenStoreWorks } from '../scheduler/when-store-works.ts';
import type { UploadStore } from '../uploads/journal/upload-store.ts';
import type { FolderWatch } from './detection/folder-watch.ts';
import type { FolderTally, WatchedFileStore } from './rows/file-store.ts';
import type { FolderRecord, FolderStore } from './rows/folder-store.ts';
import type { WatchedFile } from './rows/watched-file.ts';
import type { ShownStates } from './shown-states.ts';

export interface WatchFeedTools {
  folders: FolderStore;
  files: WatchedFileStore;
  uploads: UploadStore;
  watch: FolderWatch;
  clock: Clock;
  logger: Logger;
  shownStates: ShownStates;
  isOn(): boolean;
}

/** The minimum interval between two announcements. */
const INTERVAL_MS = 500;

/** Watched folders and their files as a screen shows them. */
export class WatchFeed {
  readonly onDidChange = new Emitter<WatchChange>();
  readonly #tools: WatchFeedTools;
  readonly #changed = new Set<string>();
  #cancelTick: (() => void) | null = null;
  #cancelRetry: (() => void) | null = null;
  #isDisposed = false;

  constructor(tools: WatchFeedTools) {
    this.#tools = tools;
  }

  /** Notes that a folder or its files changed; it is announced with the next tick. */
  touch(folderId: string): void {
    // Jobs that a stop ends still report their folder.
    if (this.#isDisposed) return;
    this.#changed.add(folderId);
    this.#cancelTick ??= this.#tools.clock.schedule(INTERVAL_MS, () => this.#tick());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cancelTick?.();
    this.#cancelRetry?.();
  }

  folders(): WatchedFolder[] {
    const tally = this.#tools.files.tally();
    return this.#tools.folders.list().map((folder) => this.#shown(folder, tally.get(folder.id)));
  }

  folder(id: string): WatchedFolder {
    const folder = this.#tools.folders.get(id);
    if (folder === null) throw appError('watch.unknown-folder', { details: { folderId: id } });
    return this.#shown(folder, this.#tools.files.tally().get(id));
  }

  row(file: WatchedFile): WatchedFileRow {
    const upload = file.uploadId === null ? null : this.#tools.uploads.get(file.uploadId);
    const rules = this.#tools.folders.get(file.folderId)?.rules ?? null;
    return {
      id: String(file.seq),
      folderId: file.folderId,
      path: file.path,
      fileName: shownName(nameOf(file.path)),
      sizeBytes: file.sizeBytes,
      state: file.state,
      reason: file.reason,
      readyAt: file.readyAt,
      verdict: file.outcome === null ? null : watchVerdictOf(file.outcome, rules),
      uploadId: upload?.id ?? null,
      uploadState: upload?.state ?? null,
      batchId: upload?.batchId ?? null,
      mediaId: upload?.mediaId ?? null,
      firstSeenAt: file.firstSeenAt,
      handledAt: file.handledAt,
      isGone: file.goneAt !== null,
    };
  }

  #shown(folder: FolderRecord, tally: FolderTally = { states: {}, unsent: 0 }): WatchedFolder {
    const { watch, clock, isOn } = this.#tools;
    const runtime = watch.runtime(folder.id);
    const { state, notice, movedTo = runtime.movedTo } = this.#stateOf(folder);
    const inMs = runtime.sweepAt - clock.monotonic();
    const isPlanned = isOn() && !folder.isPaused && Number.isFinite(inMs);
    return {
      id: folder.id,
      root: folder.root,
      name: shownName(basename(folder.root)) || folder.root,
      driveName: folder.volumeName,
      rules: folder.rules,
      state,
      isSweeping: runtime.isSweeping,
      notice,
      movedTo: state === 'moved' ? movedTo : null,
      lastSweepAt: folder.lastSweepAt,
      nextSweepAt: isPlanned ? Math.round(clock.now() + Math.max(0, inMs)) : null,
      sweepEveryMs: folder.sweepEveryMs,
      addedAt: folder.addedAt,
      counts: Object.fromEntries(
        WATCHED_STATES.map((name) => [name, tally.states[name] ?? 0]),
      ) as WatchedFolder['counts'],
      unsent: tally.unsent,
    };
  }

  #stateOf(folder: FolderRecord): {
    state: WatchedFolder['state'];
    notice: AppErrorData | null;
    movedTo?: string | null;
  } {
    const { watch, shownStates, isOn } = this.#tools;
    const { root, notice, isNetwork, eventsFault } = watch.runtime(folder.id);
    if (folder.isPaused) return { state: 'paused', notice: null };
    if (!isOn()) return shownStates.elsewhere(folder.id) ?? { state: 'off', notice: null };
    switch (root) {
      case 'away':
        return { state: 'waiting-for-drive', notice };
      case 'moved':
        return { state: 'moved', notice };
      case 'unusable':
        return { state: 'unusable', notice };
      default: {
        const network = isNetwork ? appError('watch.network-drive').toData() : null;
        const why = folder.sweepOnly ?? eventsFault ?? network;
        return { state: why === null ? 'watching' : 'sweep-only', notice: why };
      }
    }
  }

  #tick(): void {
    this.#cancelTick = null;
    this.#cancelRetry?.();
    this.#cancelRetry = whenStoreWorks(
      this.#tools,
      'watch-feed',
      () => {
        const folders = this.folders();
        if (this.#tools.isOn()) this.#tools.shownStates.keep(folders);
        const folderIds = [...this.#changed];
        this.#changed.clear();
        this.onDidChange.emit({ folders, folderIds });
      },
      () => this.#tick(),
    );
  }
}

/** Returns the decision of the rules, with the name of the rule. */
export function watchVerdictOf(outcome: Omit<RuleOutcome, 'plan'>, rules: WatchRules | null): WatchVerdict {
  const { kind, ruleId, clause, passed } = outcome;
  const ruleName = rules?.rules.find(({ id }) => id === ruleId)?.name ?? null;
  return { kind, ruleId, ruleName, clause, passed: passed.map((each) => ({ ...each })) };
}
