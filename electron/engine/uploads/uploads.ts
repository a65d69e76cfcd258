import { basename } from 'node:path';
import type { EngineCallName } from '../../../shared/contract/contract.ts';
import type { AddUploadsOutput, UploadRow } from '../../../shared/contract/uploads.ts';
import type { Priority } from '../../../shared/model/priorities.ts';
import type { Upload } from '../../../shared/model/upload.ts';
import { isOfCollection } from '../../../shared/model/upload-machine.ts';
import type { SiteClient } from '../api/http-client.ts';
import type { Handlers } from '../common/handlers.ts';
import type { ReadMediaFacts } from '../media-tags/media-facts.ts';
import { shownName } from '../ports/byte-paths.ts';
import type { Clock } from '../ports/clock.ts';
import type { Disks } from '../ports/disks.ts';
import type { Failpoints } from '../ports/failpoints.ts';
import type { FileMover } from '../ports/file-mover.ts';
import type { FileFacts, Files } from '../ports/files.ts';
import type { Logger } from '../ports/logger.ts';
import type { Random } from '../ports/random.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { SiteBreakers } from '../sites/site-breakers.ts';
import type { Database } from '../store/database.ts';
import { addHandlers } from './add-handlers.ts';
import { type AdditionRequest, addToItem } from './adding/add-to-item.ts';
import { type KnownItems, NO_KNOWN_ITEMS } from './adding/known-items.ts';
import { CollectionLookups, type CollectionLookupTools, NO_NEW_COLLECTIONS } from './delivery/collection-lookups.ts';
import { Completions } from './delivery/completions.ts';
import { BandwidthLimit } from './delivery/sender/bandwidth-limit.ts';
import type { SendForm } from './delivery/sender/send-options.ts';
import { SidecarTransfers } from './delivery/sidecar-transfers.ts';
import { Transfers } from './delivery/transfers.ts';
import { UploadAgents } from './delivery/upload-agents.ts';
import { type RunnerTools, UploadRunner } from './delivery/upload-runner.ts';
import { CandidateStore } from './duplicates/candidate-store.ts';
import { CollectionContents } from './duplicates/collection-contents.ts';
import type { FileDigests } from './duplicates/file-digests.ts';
import { HashCache } from './duplicates/hash-cache.ts';
import { wakeWaiting } from './duplicates/wake-waiting.ts';
import { BatchStore } from './journal/batch-store.ts';
import { CommandStore } from './journal/command-store.ts';
import { FollowUpRows } from './journal/follow-up-rows.ts';
import { SettingStore } from './journal/setting-store.ts';
import { UploadJournal } from './journal/upload-journal.ts';
import { UploadLists } from './journal/upload-lists.ts';
import { UploadOrder } from './journal/upload-order.ts';
import { UploadSettings } from './journal/upload-settings.ts';
import { UploadStore } from './journal/upload-store.ts';
import { FolderIndex } from './local-files/folder-index.ts';
import { DeadlineKeeper } from './pacing/deadline-keeper.ts';
import { DiskTurns } from './pacing/disk-turns.ts';
import { Pacing } from './pacing/pacing.ts';
import { QueuePause } from './pacing/queue-pause.ts';
import { presetHandlers } from './presets.ts';
import { orderHandlers, ranksOfNew } from './queue/order-handlers.ts';
import { RunnableUploads } from './queue/runnable-uploads.ts';
import { UploadQueue } from './queue/upload-queue.ts';
import { UploadFeed } from './reports/upload-feed.ts';
import { commandHandlers, listHandlers, receiptHandlers } from './upload-handlers.ts';

export interface UploadsOptions {
  database: Database;
  clock: Clock;
  random: Random;
  files: Files;
  /** How files are hashed; a simulation brings its own. */
  digests: FileDigests;
  /** What titles use from inside files. */
  mediaFacts: ReadMediaFacts;
  mover: FileMover;
  disks: Disks;
  logger: Logger;
  /** Runs the work of the queue, which starts and stops it. */
  scheduler: Scheduler;
  /** In place of the setting; null: the setting holds. */
  parallelTransfers: number | null;
  sendForm: SendForm;
  failpoints?: Failpoints;
  /** Rows of a command per transaction, where a test wants another number than the usual one. */
  sliceRows?: number;
  /** Throws `AppError` when the site is not known or not signed in. */
  clientFor(siteId: string): SiteClient;
  /** Resolves when the site answers at all; otherwise throws a network error. */
  probe(siteId: string): Promise<void>;
  /** Throws `api.not-found` and the like; names the target of a batch. */
  collectionName(siteId: string, collectionId: string): Promise<string>;
  siteName(siteId: string): string;
  /** Collections that are made on this computer; default: there are none. */
  newCollections?: CollectionLookupTools['newCollections'];
  /** The items of earlier uploads, for files that arrive later; default: nothing is known about them. */
  items?: KnownItems;
  /** Whether an item was created by an edit of this computer. */
  isOfEdit: RunnerTools['isOfEdit'];
  /** Closes the library's idle connections and repeats reads in flight. */
  reconnect(): void;
}

type UploadHandlers = Pick<
  Handlers,
  Extract<EngineCallName, `${'uploads' | 'settings' | 'receipts' | 'presets' | 'recipes'}.${string}`>
>;

export interface Uploads {
  handlers: UploadHandlers;
  feed: UploadFeed;
  queue: UploadQueue;
  settings: UploadSettings;
  /** The circuit breakers of all accounts; other work on a library shares them. */
  breakers: SiteBreakers;
  /** For other parts of the engine that add uploads. */
  rows: UploadRows;
  /** Adds files to an existing item, see `addToItem`. */
  addToItem(request: AdditionRequest): Promise<AddUploadsOutput>;
  /** The additions to an item that are listed and have something left to do or to decide, the oldest first. */
  openAdditions(siteId: string, mediaId: string): UploadRow[];
  /** Called when the library has something new or different because of an upload. */
  onDidChangeItem(listener: (upload: Upload) => void): () => void;
  /** The thumbnail of a collection has arrived in the library. */
  onDidSetThumbnail(listener: (upload: Upload) => void): () => void;
  stop(): Promise<void>;
}

/** The rows of the queue, for what adds to it from outside. */
export interface UploadRows {
  store: UploadStore;
  batches: BatchStore;
  journal: UploadJournal;
  /** The place of new rows of a priority. */
  ranks(priority: Priority): (upload: Upload, index: number) => number;
}

/** States in which an upload's item has changed in the library. */
const SHOWN_IN_LIBRARY = new Set<Upload['state']>([
  'sending',
  'processing',
  'publishing',
  'complete',
  'failed',
  'cancelled',
]);

/** Wires the parts of the upload queue. */
export function createUploads(options: UploadsOptions): Uploads {
  const { newCollections = NO_NEW_COLLECTIONS } = options;
  const { database, clock, random, files, logger } = options;
  const store = new UploadStore(database);
  const batches = new BatchStore(database);
  const lists = new UploadLists(database);
  const stored = new SettingStore(database);
  const followUpRows = new FollowUpRows(database);
  const journal = new UploadJournal(store, logger, followUpRows, options.failpoints);
  const settings = new UploadSettings(stored, logger);
  const order = new UploadOrder(database, () => store.forgetRecent());
  const pause = new QueuePause(stored, clock);
  const breakers = new SiteBreakers(clock);
  const agents = new UploadAgents();
  const limit = new BandwidthLimit(clock);
  const hashes = new HashCache(database);
  const candidates = new CandidateStore(database);
  const contents = new CollectionContents(clock);
  const index = new FolderIndex(files, clock);
  const rootsOf = (upload: Upload) => batches.get(upload.batchId)?.roots ?? [];
  const transfers = new Transfers({
    journal,
    files,
    clock,
    random,
    limit,
    agents,
    hashes,
    sendForm: options.sendForm,
    // The feed, pacing and the queue act on transfers, which report to them.
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
    rootsOf,
    mayBegin: () => pacing.mayBegin,
  });
  const { items = NO_KNOWN_ITEMS } = options;
  const hasEditedTags = items.hasEditedTags.bind(items);
  const followUps = {
    ...options,
    hasEditedTags,
    store,
    rows: followUpRows,
    journal,
    breakers,
    sidecars,
    agents,
    pacing,
    completions,
  };
  const queue = new UploadQueue({
    ...options,
    store,
    commands: new CommandStore(database),
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
      agents.closeIdle();
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
  const stopWaking = wakeWaiting(journal, candidates, clock, logger, () => queue.pump());
  queue.repair();

  const endNewCollections = retryWithNewCollections(newCollections, { batches, lists, queue });
  const addTools = {
    batches,
    journal,
    files,
    mediaFacts: options.mediaFacts,
    items,
    clock,
    random,
    ranks: (priority?: Priority) => ranksOfNew(order, settings, priority),
  };
  const adding = addHandlers({
    ...addTools,
    store,
    collectionName: options.collectionName,
    looksKnownIn: (collection) => looksKnownIn(collection, candidates, hashes),
    pump: () => queue.pump(),
  });
  const handlers: UploadHandlers = {
    ...orderHandlers({ store, order, settings, queue, feed, clock }),
    ...adding.handlers,
    ...presetHandlers({ stored, clock, random, logger }),
    ...listHandlers({ store, batches, lists, journal, queue, feed }),
    ...commandHandlers({ store, batches, journal, queue, feed }),
    ...receiptHandlers({ database, store, batches, lists, siteName: options.siteName }),
  };

  return {
    handlers,
    feed,
    queue,
    settings,
    breakers,
    async addToItem(request) {
      const added = await addToItem(request, addTools);
      queue.pump();
      return added;
    },
    openAdditions: (siteId, mediaId) =>
      store
        .additionsTo(siteId, mediaId)
        .filter(isOpenAddition)
        .map((upload) => feed.row(upload)),
    rows: { store, batches, journal, ranks: (priority) => ranksOfNew(order, settings, priority) },
    onDidChangeItem: (listener) =>
      journal.onDidChange.on(({ before, after }) => {
        if (after.mediaId !== null && before !== after.state && SHOWN_IN_LIBRARY.has(after.state)) listener(after);
      }),
    onDidSetThumbnail: (listener) =>
      journal.onDidChange.on(({ before, after }) => {
        if (after.state === 'complete' && before !== 'complete' && isOfCollection(after)) listener(after);
      }),
    async stop() {
      adding.endPreviews();
      stopWaking();
      endNewCollections();
      await queue.stop();
      feed.dispose();
      agents.close();
    },
  };
}

/**
 * Retries the uploads whose new collection changed: those that wait for it check it at once. Those that it had failed can be
 * sent once it is created again. Returns a function that ends this.
 */
function retryWithNewCollections(
  newCollections: CollectionLookupTools['newCollections'],
  { batches, lists, queue }: { batches: BatchStore; lists: UploadLists; queue: UploadQueue },
): () => void {
  const concernedBy = (siteId: string, batchId: string): string[] => {
    const waiting = lists.ids('waiting', batchId);
    const ref = batches.get(batchId)?.collectionRef ?? null;
    const isPossible = ref !== null && newCollections.stateOf(siteId, ref).kind !== 'not-created';
    return isPossible ? [...waiting, ...lists.idsFailedWith('collection.not-created', batchId)] : waiting;
  };
  return newCollections.onDidChange((siteId) => {
    for (const batchId of batches.withNewCollections(siteId)) {
      const ids = concernedBy(siteId, batchId);
      if (ids.length > 0) void queue.command('retry', { kind: 'ids', ids });
    }
  });
}

/** A failed one is open until the user clears it; a complete one until its follow-ups are done. */
function isOpenAddition({ state, clearedAt, followUps }: Upload): boolean {
  if (clearedAt !== null || state === 'cancelled') return false;
  return state !== 'complete' || followUps.some((followUp) => followUp.state !== 'done');
}

/** Whether an earlier upload to the collection looks like the file; nothing is read for it. */
function looksKnownIn(
  collection: { siteId: string; collectionId: string } | null,
  candidates: CandidateStore,
  hashes: HashCache,
): (path: string, facts: FileFacts) => boolean {
  if (collection === null) return () => false;
  return (path, facts) =>
    candidates.looksKnown(collection, { ...facts, fileName: shownName(basename(path)), sha256: hashes.get(facts) });
}
