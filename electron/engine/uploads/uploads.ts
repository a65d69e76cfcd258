import { basename } from 'node:path';
import type { EngineCallName } from '../../../shared/contract/contract.ts';
import type { AddUploadsOutput, UploadRow } from '../../../shared/contract/uploads.ts';
import type { Priority } from '../../../shared/model/uploads/priorities.ts';
import type { Upload } from '../../../shared/model/uploads/upload.ts';
import { isOfCollection } from '../../../shared/model/uploads/upload-machine.ts';
import type { Handlers } from '../common/handlers.ts';
import { NO_KNOWN_ITEMS } from '../companions/known-items.ts';
import type { FileFacts } from '../ports/files.ts';
import { shownName } from '../ports/system/byte-paths.ts';
import { addHandlers } from './add-handlers.ts';
import { type AdditionRequest, addToItem } from './adding/add-to-item.ts';
import { type CollectionLookupTools, NO_NEW_COLLECTIONS } from './delivery/collection-lookups.ts';
import type { CandidateStore } from './duplicates/candidate-store.ts';
import type { HashCache } from './duplicates/hash-cache.ts';
import { wakeWaiting } from './duplicates/wake-waiting.ts';
import type { BatchStore } from './journal/batch-store.ts';
import type { UploadJournal } from './journal/upload-journal.ts';
import type { UploadLists } from './journal/upload-lists.ts';
import type { UploadSettings } from './journal/upload-settings.ts';
import type { UploadStore } from './journal/upload-store.ts';
import { presetHandlers } from './preset-handlers.ts';
import { orderHandlers, ranksOfNew } from './queue/order-handlers.ts';
import type { UploadQueue } from './queue/upload-queue.ts';
import { createQueueParts, type UploadsOptions } from './queue-parts.ts';
import type { UploadFeed } from './reports/upload-feed.ts';
import { commandHandlers, listHandlers, receiptHandlers } from './upload-handlers.ts';

type UploadHandlers = Pick<
  Handlers,
  Extract<EngineCallName, `${'uploads' | 'settings' | 'receipts' | 'presets' | 'recipes'}.${string}`>
>;

export interface Uploads {
  handlers: UploadHandlers;
  feed: UploadFeed;
  queue: UploadQueue;
  settings: UploadSettings;
  /** The rows, for other parts of the engine that add uploads. */
  rows: UploadRows;
  /** Adds files to an existing item, see `addToItem`. */
  addToItem(request: AdditionRequest): Promise<AddUploadsOutput>;
  /** Returns the additions to an item that are listed and have steps or decisions left, the oldest first. */
  openAdditions(siteId: string, mediaId: string): UploadRow[];
  /** Calls the listener when an upload has created or changed something in the library. */
  onDidChangeItem(listener: (upload: Upload) => void): () => void;
  /** Calls the listener when the captions of an upload have arrived in the library. */
  onDidSendCaptions(listener: (upload: Upload) => void): () => void;
  /** Calls the listener when the thumbnail of a collection has arrived in the library. */
  onDidSetThumbnail(listener: (upload: Upload) => void): () => void;
  /** Stops the parts that start work on the queue. Called before the scheduler stops. */
  stop(): Promise<void>;
  /** Closes the connections to upload servers. Called after the scheduler stopped, because its jobs use them until then. */
  close(): void;
}

/** The rows of the queue, for other parts that add to it. */
export interface UploadRows {
  store: UploadStore;
  batches: BatchStore;
  journal: UploadJournal;
  /** Returns the function that computes the position of new rows of a priority. */
  ranks(priority: Priority): (upload: Upload, index: number) => number;
}

/** The states that an upload enters when its item may have changed in the library. */
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
  const { newCollections = NO_NEW_COLLECTIONS, items = NO_KNOWN_ITEMS } = options;
  const { database, clock, random, files, logger } = options;
  const parts = createQueueParts(options);
  const { store, batches, lists, stored, journal, settings, order, hashes, candidates, queue, feed } = parts;
  const stopWaking = wakeWaiting(journal, candidates, clock, logger, () => queue.pump());
  const endNewCollections = retryWithNewCollections(newCollections, { batches, lists, queue });
  const addTools = {
    batches,
    journal,
    files,
    volumes: options.volumes,
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
    onDidSendCaptions: (listener) =>
      journal.onDidChange.on(({ before, after, done }) => {
        const isAdded = after.addition?.kind === 'captions' && after.state === 'complete' && before !== 'complete';
        if (isAdded || done === 'captions') listener(after);
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
    },
    close() {
      feed.dispose();
      parts.connections.close();
    },
  };
}

/**
 * Retries uploads when the collection that they wait for, one that the user created on this computer, changes. Uploads that
 * failed because it was not created are retried too, once its creation is planned again. Returns the function that unsubscribes.
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

/**
 * Returns whether an addition has steps or decisions left. A cancelled one has none. Any other is open until the user clears it,
 * or until it is complete and its follow-ups are done.
 */
function isOpenAddition({ state, clearedAt, followUps }: Upload): boolean {
  if (clearedAt !== null || state === 'cancelled') return false;
  return state !== 'complete' || followUps.some((followUp) => followUp.state !== 'done');
}

/**
 * Returns a function that returns whether the collection probably has the contents of a file from an earlier upload, without
 * reading the file. `collection` null: the function always returns false.
 */
function looksKnownIn(
  collection: { siteId: string; collectionId: string } | null,
  candidates: CandidateStore,
  hashes: HashCache,
): (path: string, facts: FileFacts) => boolean {
  if (collection === null) return () => false;
  return (path, facts) =>
    candidates.looksKnown(collection, { ...facts, fileName: shownName(basename(path)), sha256: hashes.get(facts) });
}
