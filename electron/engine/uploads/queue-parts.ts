import type { Upload } from '../../../shared/model/uploads/upload.ts';
import type { SiteClient } from '../api/http-client.ts';
import { BulkCommandStore } from '../bulk-commands/bulk-command-store.ts';
import { type KnownItems, NO_KNOWN_ITEMS } from '../companions/known-items.ts';
import type { ReadMediaFacts } from '../media-tags/media-facts.ts';
import type { Connections } from '../network/connections.ts';
import type { Clock } from '../ports/clock.ts';
import type { Disks } from '../ports/disks.ts';
import type { Failpoints } from '../ports/failpoints.ts';
import type { FileMover } from '../ports/file-mover.ts';
import type { Files } from '../ports/files.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Volumes } from '../ports/volumes.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { SiteBreakers } from '../sites/site-breakers.ts';
import type { Database } from '../store/database.ts';
import { SettingStore } from '../store/setting-store.ts';
import { CollectionLookups, type CollectionLookupTools, NO_NEW_COLLECTIONS } from './delivery/collection-lookups.ts';
import { Completions } from './delivery/completions.ts';
import { type PrepareCaptions, prepareCaptions } from './delivery/prepare-captions.ts';
import { BandwidthLimit } from './delivery/sender/bandwidth-limit.ts';
import type { SendForm } from './delivery/sender/send-options.ts';
import { SidecarTransfers } from './delivery/sidecar-transfers.ts';
import { Transfers } from './delivery/transfers.ts';
import { UploadConnections } from './delivery/upload-connections.ts';
import { type RunnerTools, UploadRunner } from './delivery/upload-runner.ts';
import { CandidateStore } from './duplicates/candidate-store.ts';
import { CollectionContents } from './duplicates/collection-contents.ts';
import type { FileDigests } from './duplicates/file-digests.ts';
import { HashCache } from './duplicates/hash-cache.ts';
import { BatchStore } from './journal/batch-store.ts';
import { CommandRows } from './journal/command-rows.ts';
import { FollowUpRows } from './journal/follow-up-rows.ts';
import { UploadJournal } from './journal/upload-journal.ts';
import { UploadLists } from './journal/upload-lists.ts';
import { UploadOrder } from './journal/upload-order.ts';
import { UploadSettings } from './journal/upload-settings.ts';
import { UploadStore } from './journal/upload-store.ts';
import { FolderIndex } from './local-files/folder-index.ts';
import { filesBelowRoot } from './local-files/locate-file.ts';
import { DeadlineKeeper } from './pacing/deadline-keeper.ts';
import { DiskTurns } from './pacing/disk-turns.ts';
import { Pacing } from './pacing/pacing.ts';
import { QueuePause } from './pacing/queue-pause.ts';
import { rootsForUpload } from './places/chosen-places.ts';
import { RunnableUploads } from './queue/runnable-uploads.ts';
import { UploadQueue } from './queue/upload-queue.ts';
import { UploadFeed } from './reports/upload-feed.ts';

export interface UploadsOptions {
  database: Database;
  clock: Clock;
  random: Random;
  files: Files;
  volumes: Volumes;
  /** Computes the hashes of files; a simulation supplies its own. */
  digests: FileDigests;
  /** Reads the tags and dates inside a local file, for its title. */
  mediaFacts: ReadMediaFacts;
  mover: FileMover;
  disks: Disks;
  logger: Logger;
  /** Runs the work of the queue. */
  scheduler: Scheduler;
  breakers: SiteBreakers;
  /** The number of uploads at the same time, in place of the setting; null: the setting applies. */
  parallelTransfers: number | null;
  sendForm: SendForm;
  connections: Connections;
  /** Reads captions before they are sent; a simulation supplies its own, because its files have no bytes. */
  prepareCaptions?: PrepareCaptions;
  failpoints?: Failpoints;
  /** The number of rows of a command per transaction; tests override it. */
  sliceRows?: number;
  /** Throws `AppError` when the site is not known or not signed in. */
  clientFor(siteId: string): SiteClient;
  /** Resolves when the site answers; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
  /** Returns the name of a collection, for the target of a batch. Throws `api.not-found` and other errors of the request. */
  collectionName(siteId: string, collectionId: string): Promise<string>;
  siteName(siteId: string): string;
  /** The collections that the user created on this computer and that the library may not have yet; by default there are none. */
  newCollections?: CollectionLookupTools['newCollections'];
  /** The items of earlier uploads, for captions, thumbnails and details that are added later; by default none are known. */
  items?: KnownItems;
  /** Returns whether an edit of this computer created an item. */
  isOfEdit: RunnerTools['isOfEdit'];
  /** Closes the library's idle connections and repeats reads in flight. */
  reconnect(): void;
}

/** Creates the rows of the queue, the parts that deliver them, and the parts that show them. */
export function createQueueParts(options: UploadsOptions) {
  const { newCollections = NO_NEW_COLLECTIONS, items = NO_KNOWN_ITEMS } = options;
  const { database, clock, random, files, logger, breakers } = options;
  const store = new UploadStore(database);
  const batches = new BatchStore(database);
  const lists = new UploadLists(database);
  const stored = new SettingStore(database);
  const followUpRows = new FollowUpRows(database);
  const journal = new UploadJournal(store, logger, followUpRows, options.failpoints);
  const settings = new UploadSettings(stored, logger);
  const order = new UploadOrder(database, () => store.forgetRecent());
  const pause = new QueuePause(stored, clock);
  const connections = new UploadConnections(options.connections);
  const limit = new BandwidthLimit(clock);
  const hashes = new HashCache(database);
  const candidates = new CandidateStore(database);
  const contents = new CollectionContents(clock);
  const index = new FolderIndex(files, clock);
  const placesOf = (upload: Upload) => batches.get(upload.batchId);
  const rootsFor = (upload: Upload) => rootsForUpload(upload, placesOf(upload));
  const transfers = new Transfers({
    journal,
    filesOf: (upload) => filesBelowRoot(upload, placesOf(upload), files),
    clock,
    random,
    limit,
    connections,
    hashes,
    sendForm: options.sendForm,
    // The feed, pacing and the queue are created below, because they need the transfers; these functions run later.
    onProgress: (id) => feed.touch(id),
    onBegin: (id) => pacing.applyTo(id),
    onAllSent: () => queue.pump(),
  });
  const sidecars = new SidecarTransfers(clock, limit);
  const completions = new Completions();
  const pacing = new Pacing({ settings, pause, transfers, sidecars, limit, clock });
  const deadlines = new DeadlineKeeper({ transfers, clock, onDidChangeNotice: (id) => feed.touch(id) });
  const runner = new UploadRunner({
    ...options,
    store,
    journal,
    transfers,
    breakers,
    hashes,
    candidates,
    collections: new CollectionLookups({ batches, journal, clock, newCollections }),
    contents,
    completions,
    index,
    placesOf,
    mayBegin: () => pacing.mayBegin,
  });
  const hasEditedTags = items.hasEditedTags.bind(items);
  const followUps = {
    ...options,
    rootsFor,
    prepareCaptions: options.prepareCaptions ?? prepareCaptions,
    hasEditedTags,
    store,
    rows: followUpRows,
    journal,
    breakers,
    sidecars,
    connections,
    pacing,
    completions,
  };
  const queue = new UploadQueue({
    ...options,
    store,
    commands: new BulkCommandStore(database, 'uploads'),
    commandRows: new CommandRows(database),
    journal,
    transfers,
    runner,
    breakers,
    runnable: new RunnableUploads(database),
    pause,
    pacing,
    followUps,
    deadlines,
    disks: new DiskTurns(options.disks, () => settings.get().diskMode),
    reconnect() {
      connections.closeIdle();
      options.reconnect();
    },
    parallelTransfers: () => options.parallelTransfers ?? settings.get().parallelTransfers,
  });
  const feed = new UploadFeed({
    store,
    batches,
    journal,
    transfers,
    breakers,
    clock,
    logger,
    pause,
    pacing,
    deadlines,
  });
  return { store, batches, lists, stored, journal, settings, order, connections, hashes, candidates, queue, feed };
}
