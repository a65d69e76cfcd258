import { basename } from 'node:path';
import type { DescribeItems } from '../../../shared/model/item-description.ts';
import { isEnded } from '../../../shared/model/uploads/upload-states.ts';
import type { ReadMediaFacts } from '../media-tags/media-facts.ts';
import type { Clock } from '../ports/clock.ts';
import type { Files } from '../ports/files.ts';
import type { FolderEvents } from '../ports/folder-events.ts';
import type { FolderWalker } from '../ports/folder-walker.ts';
import type { Logger } from '../ports/logger.ts';
import type { OpenFiles } from '../ports/open-files.ts';
import type { Random } from '../ports/random.ts';
import { shownName } from '../ports/system/byte-paths.ts';
import type { Volumes } from '../ports/volumes.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { Database } from '../store/database.ts';
import { SettingStore } from '../store/setting-store.ts';
import type { FileDigests } from '../uploads/duplicates/file-digests.ts';
import type { UploadQueue } from '../uploads/queue/upload-queue.ts';
import type { UploadRows } from '../uploads/uploads.ts';
import { FolderWatch } from './detection/folder-watch.ts';
import { Reconciler } from './detection/reconcile.ts';
import { SweepJobs } from './detection/sweep-jobs.ts';
import { FolderManifests } from './intake/folder-manifests.ts';
import { Intake } from './intake/intake.ts';
import { fullPathOf } from './intake/ready-file.ts';
import { createInspect } from './readiness/inspect.ts';
import { CompanionRows } from './rows/companion-rows.ts';
import { WatchedFileStore } from './rows/file-store.ts';
import { FolderStore } from './rows/folder-store.ts';
import { SettleJobs } from './settling/settle-jobs.ts';
import { ShownStates } from './shown-states.ts';
import { WatchFeed } from './watch-feed.ts';
import { type WatchHandlers, watchHandlers } from './watch-handlers.ts';

export interface WatchOptions {
  database: Database;
  /** Whether the database is a copy, and another process watches the folders. */
  isCopy: boolean;
  clock: Clock;
  random: Random;
  logger: Logger;
  files: Files;
  digests: FileDigests;
  /** Reads the facts inside files that titles use: tags and dates. */
  mediaFacts: ReadMediaFacts;
  walker: FolderWalker;
  events: FolderEvents;
  volumes: Volumes;
  openFiles: OpenFiles;
  /** Runs sweeps and settling. */
  scheduler: Pick<Scheduler, 'add'>;
  /** The queue to which files are added. */
  queue: Pick<UploadQueue, 'pump' | 'onDidComeBack'>;
  uploads: UploadRows;
  isKnownSite(siteId: string): boolean;
  /** Gives values that arrive late to existing items. */
  describe: DescribeItems;
}

export interface Watch {
  handlers: WatchHandlers;
  feed: WatchFeed;
  /** Starts to watch the folders. Before this, folders can be added and listed. */
  start(): void;
  /** Ends subscriptions to events. The queue stops the scheduler. */
  stop(): Promise<void>;
}

/** Connects the parts that find finished files in watched folders and add them to the queue. */
export function createWatch(options: WatchOptions): Watch {
  const { database, clock, scheduler, queue, uploads, logger } = options;
  const folders = new FolderStore(database);
  const rows = new WatchedFileStore(database, (folderId, path) => watch.wrote(folderId, path));
  const companionRows = new CompanionRows(database);
  companionRows.updateKeys();
  for (const folderId of folders.unreadable()) logger.error('watch.folder-damaged', { folderId });
  const shownStates = new ShownStates(new SettingStore(database), options);
  // A first sweep that did not end: files that it finds now may have arrived since.
  for (const { id, baseline } of folders.list())
    if (baseline === 'begun') folders.change(id, { baseline: 'interrupted' });
  let isOn = false;
  const stop = new AbortController();
  const onDidChange = (folderId: string) => feed.touch(folderId);
  const watch = new FolderWatch({ ...options, folders, onWork: (inMs) => sweeps.wakeIn(inMs), onDidChange });
  const feed = new WatchFeed({
    ...options,
    folders,
    files: rows,
    uploads: uploads.store,
    watch,
    shownStates,
    isOn: () => isOn,
  });
  const isAbandoned = (uploadId: string) => {
    const upload = uploads.store.get(uploadId);
    return upload === null || (isEnded(upload.state) && upload.state !== 'complete');
  };
  const shared = { ...options, folders, rows, companionRows, watch, isOn: () => isOn, onDidChange };
  const onMoved = (uploadId: string, folderId: string, relative: string) => {
    const [upload, folder] = [uploads.store.get(uploadId), folders.get(folderId)];
    if (upload === null || folder === null || (isEnded(upload.state) && upload.state !== 'failed')) return;
    const path = fullPathOf(folder, { path: relative });
    if (path !== upload.path) {
      uploads.journal.record(uploadId, { kind: 'file-moved', path, fileName: shownName(basename(path)) });
    }
  };
  const reconciler = new Reconciler({
    folders,
    files: rows,
    companionRows,
    clock,
    keepsChangeTimes: (root) => options.volumes.of(root).hasFileNumbers,
    isAbandoned,
    onMoved,
    onDue: () => onDue(),
  });
  const uploadOf = (id: string) => uploads.store.get(id);
  const intake = new Intake({ ...options, ...uploads, rows, onAdded: () => queue.pump() });
  const onDue = () => settling.wakeIn(0);
  const sweeps = scheduler.add((lane) => new SweepJobs({ ...shared, reconciler, onFound: onDue }, lane));
  const settling = scheduler.add(
    (lane) =>
      new SettleJobs(
        {
          ...shared,
          reconciler,
          intake,
          inspect: createInspect(options.openFiles),
          uploadOf,
          manifests: new FolderManifests({ ...options, rows }),
          journal: uploads.journal,
          sha256Of: (id) => uploads.store.get(id)?.sha256 ?? null,
        },
        lane,
      ),
  );
  const unsubscribe = [
    queue.onDidComeBack(() => watch.sweepAllSoon()),
    uploads.journal.onDidChange.on(({ before, after }) => {
      if (isEnded(after.state) && after.state !== before) settling.uploadEnded(after.id);
    }),
  ];
  return {
    handlers: watchHandlers({ ...shared, feed, signal: stop.signal, onDue }),
    feed,
    start() {
      isOn = true;
      watch.sweepAllSoon();
      onDue();
    },
    async stop() {
      isOn = false;
      stop.abort(new Error('the engine was stopped'));
      for (const end of unsubscribe) end();
      feed.dispose();
      shownStates.dispose();
      await watch.stop();
    },
  };
}
