import { basename } from 'node:path';
import { appError } from '../../../shared/contract/app-error.ts';
import type { EngineCallName } from '../../../shared/contract/contract.ts';
import type { AddUploadsOutput, UploadRow, UploadSelection } from '../../../shared/contract/uploads.ts';
import type { Priority } from '../../../shared/model/priorities.ts';
import type { Upload } from '../../../shared/model/upload.ts';
import { isOfCollection, type UploadCommand } from '../../../shared/model/upload-machine.ts';
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
import { chooseItem } from './delivery/items/choose-item.ts';
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
import { shownBatch } from './reports/batch-report.ts';
import { searchReceipts } from './reports/receipt-search.ts';
import { buildReceipt } from './reports/receipts.ts';
import { UploadFeed } from './reports/upload-feed.ts';

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

  const command = async (name: UploadCommand, selection: UploadSelection) => {
    const changed = await runCommand(name, selection, queue);
    feed.touchTotals();
    // A command is durable before it is confirmed.
    await journal.whenDurable();
    return { changed };
  };

  /** Uploads of a batch that a change of its new collection concerns. Those that it had failed can be sent once it is created again. */
  const concernedBy = (siteId: string, batchId: string): string[] => {
    const waiting = lists.ids('waiting', batchId);
    const ref = batches.get(batchId)?.collectionRef ?? null;
    const isPossible = ref !== null && newCollections.stateOf(siteId, ref).kind !== 'not-created';
    return isPossible ? [...waiting, ...lists.idsFailedWith('collection.not-created', batchId)] : waiting;
  };
  // A retry: those that wait for the collection check it at once.
  const endNewCollections = newCollections.onDidChange((siteId) => {
    for (const batchId of batches.withNewCollections(siteId)) {
      const ids = concernedBy(siteId, batchId);
      if (ids.length > 0) void queue.command('retry', { kind: 'ids', ids });
    }
  });
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
    'uploads.list': async ({ filter, batchId, offset, limit: count, withCleared = false }) => {
      const tally = journal.tally(batchId);
      const { total, rows } = lists.page(filter, batchId, { offset, limit: count, tally, withCleared });
      return { total, rows: rows.map((upload) => feed.row(upload)) };
    },
    'uploads.ids': async ({ filter, batchId }) => {
      return { ids: lists.ids(filter, batchId).slice(0, MOST_IDS) };
    },
    'uploads.unknown': async ({ ids }) => ({ ids: [...new Set(ids)].filter((id) => store.get(id) === null) }),
    'uploads.leftovers': async () => ({ left: store.uncleaned().length, pending: queue.pendingCleanUps }),
    'uploads.totals': async () => feed.totals(),
    'uploads.batch': async ({ batchId }) => {
      const batch = batches.get(batchId);
      return batch === null ? null : shownBatch(batch, journal.tally(batch.id));
    },
    'uploads.batches': async ({ limit: count, offset }) =>
      batches.newest(count, offset).map((batch) => shownBatch(batch, journal.tally(batch.id))),
    'uploads.outline': async () => feed.outline(),
    'uploads.pause': async (selection) => command('pause', selection),
    'uploads.resume': async (selection) => command('resume', selection),
    'uploads.cancel': async (selection) => command('cancel', selection),
    'uploads.cancelEffects': async (selection) => queue.effectsOfCancel(selection),
    'uploads.cancelWaiting': async (selection) => {
      const answer = await queue.cancelWaiting(selection);
      feed.touchTotals();
      await journal.whenDurable();
      return answer;
    },
    'uploads.undoCancel': async ({ undoId }) => {
      const changed = await queue.undoCancel(undoId);
      feed.touchTotals();
      await journal.whenDurable();
      return { changed };
    },
    'uploads.clear': async ({ selection, what }) => {
      const answer = await queue.clear(what === 'completed' ? 'clear-completed' : 'clear', selection);
      feed.touchOrder();
      await journal.whenDurable();
      return answer;
    },
    'uploads.undoClear': async (input) => {
      const changed = await ('undoId' in input
        ? queue.undoClear(input.undoId)
        : queue.command('undo-clear', input.selection));
      feed.touchOrder();
      await journal.whenDurable();
      return { changed };
    },
    'uploads.retry': async (selection) => command('retry', selection),
    'uploads.resolveDuplicates': async ({ selection, choice }) => {
      const changed = await queue.command(choice === 'skip' ? 'skip-duplicates' : 'upload-duplicates', selection);
      feed.touchTotals();
      await journal.whenDurable();
      return { changed };
    },
    'uploads.chooseCollection': async ({ batchId, collectionRef }) => {
      const batch = batches.get(batchId);
      if (batch === null) throw appError('upload.unknown', { details: { batchId } });
      if (batch.collectionId !== '') {
        throw appError('input.invalid', {
          message: `The collection of this batch is already confirmed as “${batch.collectionName}” and can’t be changed.`,
        });
      }
      batches.setCollectionRef(batchId, collectionRef);
      return command('retry', { kind: 'failed', batchId });
    },
    'uploads.chooseItem': async (choice) => {
      const changed = chooseItem(choice, { store, journal });
      queue.pump();
      await journal.whenDurable();
      return { changed };
    },
    'uploads.receipt': async ({ batchId }) => {
      const batch = batches.get(batchId);
      if (!batch) throw appError('upload.unknown', { details: { batchId } });
      return buildReceipt(batch, options.siteName(batch.siteId), allRows(lists, batchId));
    },
    'receipts.search': async (query) => searchReceipts(query, { database, store, batches }, options.siteName),
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

function runCommand(name: UploadCommand, selection: UploadSelection, queue: UploadQueue): Promise<number> {
  if (selection.kind === 'all' && name === 'pause') return queue.pauseAll();
  if (selection.kind === 'all' && name === 'resume') return queue.resumeAll();
  return queue.command(name, selection);
}

/** A failed one is open until the user clears it; a complete one until its follow-ups are done. */
function isOpenAddition({ state, clearedAt, followUps }: Upload): boolean {
  if (clearedAt !== null || state === 'cancelled') return false;
  return state !== 'complete' || followUps.some((followUp) => followUp.state !== 'done');
}

/** As many as a selection may name. */
const MOST_IDS = 100_000;

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

function allRows(lists: UploadLists, batchId: string): Upload[] {
  const uploads: Upload[] = [];
  for (let after = 0; ; ) {
    const rows = lists.ofBatch(batchId, after, 1000);
    uploads.push(...rows.map(({ upload }) => upload));
    if (rows.length < 1000) return uploads;
    after = rows.at(-1)?.seq ?? after;
  }
}
