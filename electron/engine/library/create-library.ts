import type { MediaItem } from '../../../shared/api/media.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { CallOutput, EngineCallName, EventData, HandledInput } from '../../../shared/contract/contract.ts';
import type { BulkChange } from '../../../shared/contract/edits.ts';
import type { MediaDetail, MediaPatch, MediaQuery, MediaRow } from '../../../shared/contract/library.ts';
import type { Site } from '../../../shared/contract/sites.ts';
import { changeTo } from '../../../shared/model/edits/bulk-change.ts';
import { isLocalId } from '../../../shared/model/edits/collection-ops.ts';
import type { EditableMedia } from '../../../shared/model/edits/edit-ops.ts';
import type { Accounts } from '../account/accounts.ts';
import { getCollection } from '../api/collections.ts';
import type { SiteClient } from '../api/http-client.ts';
import { getMedia, listMedia, viewUrlOf } from '../api/media.ts';
import { Emitter } from '../common/emitter.ts';
import type { LibraryMirror } from '../mirror/library-mirror.ts';
import type { Clock } from '../ports/clock.ts';
import type { Logger } from '../ports/logger.ts';
import { type CollectionCache, createCollectionCache, isOffline } from './collection-cache.ts';
import type { CollectionEdits, PendingCollections } from './collection-edit-port.ts';
import { createCollectionHandlers } from './collection-handlers.ts';
import { type CollectionIndex, idsFrom, indexOfStored, pathOf } from './collection-index.ts';
import { readCollectionMembers } from './collection-members.ts';
import { withCollectionNames } from './collection-names.ts';
import { searchCollections } from './collection-search.ts';
import { withPendingCollections } from './effective-collections.ts';
import { createFileFactsReader } from './file-facts-reader.ts';
import { createMediaAccess } from './media-access.ts';
import { readMediaDetail } from './media-detail.ts';
import type { MediaEdits } from './media-edit-port.ts';
import { MAX_ROWS } from './media-reader.ts';
import { createMediaReaders } from './media-readers.ts';
import { listQueryOf, serviceInstant } from './media-row.ts';
import { RelatedItems } from './related-items.ts';
import { SeenDetails } from './seen-details.ts';

type LibraryCallName = Exclude<Extract<EngineCallName, `library.${string}`>, 'library.syncStatus' | 'library.syncNow'>;
type LibraryHandlers = {
  [N in LibraryCallName]: (input: HandledInput<N>) => Promise<CallOutput<N>>;
};
export type LibraryChange = EventData<'onDidChangeLibrary'>;

/**
 * The handlers that read and change a library. Caches what was fetched until it is stale; the service has the truth.
 */
export interface Library {
  handlers: LibraryHandlers;
  onDidChangeLibrary(listener: (change: LibraryChange) => void): () => void;
  /**
   * Called when another part of the engine changed something, for example when an upload is complete. Invalidates the
   * cache of the site and notifies listeners, at most once a second.
   */
  noteChange(change: LibraryChange): void;
  /** Called when the mirror of an account received changes: screens load again. */
  noteSync(siteId: string): void;
  /** Returns every item of a query from the service, in its order. Pages are fetched on demand. */
  itemsOf(query: MediaQuery): AsyncIterable<MediaItem>;
  /** All collections that the account may list, from the cache where it is fresh; offline those of the copy. */
  collectionIndex(siteId: string): Promise<CollectionIndex>;
  stop(): void;
}

/** The collections of a site: as the library has them, and with the pending edits. */
interface Trees {
  truth: CollectionIndex;
  effective: CollectionIndex;
  /** Of the pending edits. */
  revision: PendingCollections['revision'];
}

const NOTE_EVERY_MS = 1000;
/** The API takes several collections in one filter; servers refuse addresses above about 8,000 characters. */
const MAX_COLLECTIONS_IN_QUERY = 500;

/** What the library needs of the mirrors. */
export interface Copies {
  mirrors: LibraryMirror;
  syncs: { freshen(siteId: string): Promise<void>; passSoon(siteId: string): void; passNow(siteId: string): void };
}

export function createLibrary(options: {
  accounts: Pick<Accounts, 'clientFor' | 'list' | 'onDidChangeSites'>;
  clock: Clock;
  logger: Logger;
  /** The copies of the libraries on this computer. */
  copies: Copies;
  /** Called when an item is edited: it is created after the library. */
  edits(): MediaEdits;
  /** Called when a collection is edited or shown: they are created after the library. */
  collectionEdits(): CollectionEdits;
}): Library {
  const { accounts, clock, edits } = options;
  const { mirrors, syncs } = options.copies;
  const changed = new Emitter<LibraryChange>();
  const fileFacts = createFileFactsReader();
  const readers = createMediaReaders(clock);
  const related = new RelatedItems(mirrors, clock);
  const caches = new Map<string, { client: SiteClient; collections: CollectionCache }>();
  const noted = new Map<string, { change: LibraryChange; cancel: () => void }>();
  const owners = new Map<string, string>();
  const details = new SeenDetails();
  const shown = new Map<string, Trees>();

  function collectionsOf(siteId: string): CollectionCache {
    const client = accounts.clientFor(siteId);
    const known = caches.get(siteId);
    if (known?.client === client) return known.collections;
    const collections = createCollectionCache(client, {
      read() {
        const rows = mirrors.collections(siteId);
        return rows === null ? null : indexOfStored(rows);
      },
      write: ({ nodes }) =>
        mirrors.putCollections(
          siteId,
          [...nodes.values()].map(({ row }) => row),
        ),
    });
    caches.set(siteId, { client, collections });
    return collections;
  }

  /** The tree as the library has it, and as the user sees it. */
  async function trees(siteId: string): Promise<Trees> {
    const truth = await collectionsOf(siteId).index();
    const pending = options.collectionEdits().pendingOf(siteId);
    const known = shown.get(siteId);
    if (known?.truth === truth && known.revision === pending.revision) return known;
    const effective = withPendingCollections(truth, pending, (id) => options.collectionEdits().idOf(id));
    const both = { truth, effective, revision: pending.revision };
    shown.set(siteId, both);
    return both;
  }

  async function shownTree(siteId: string): Promise<CollectionIndex> {
    return (await trees(siteId)).effective;
  }

  function forget(siteId: string): void {
    caches.get(siteId)?.collections.forget();
    readers.forget(siteId);
    access.forget(siteId);
  }

  /** Whatever the outcome of a change, the cached data is no longer used. */
  async function changing<T>(change: LibraryChange, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } finally {
      forget(change.siteId);
      syncs.passSoon(change.siteId);
      changed.emit(change);
    }
  }

  /** Changes one item through the journal of edits, and returns it as it is then or as it will be. */
  function editing(
    siteId: string,
    mediaId: string,
    change: BulkChange,
    expected?: Partial<EditableMedia>,
  ): Promise<MediaDetail> {
    return changing({ siteId, collectionId: null, mediaId }, async () => {
      const result = await edits().edit(siteId, mediaId, change, expected);
      if (result.kind === 'done') return detailOf(siteId, mediaId, result.item ?? undefined);
      return { ...pendingDetail(siteId, mediaId, result.item), pendingReason: result.reason };
    });
  }

  /** Reads an item, with its pending edits applied. `known`: the item, if it was just read. */
  async function detailOf(siteId: string, mediaId: string, known?: MediaItem): Promise<MediaDetail> {
    const since = mirrors.readMoment(siteId);
    const read = await readMediaDetail(accounts.clientFor(siteId), collectionsOf(siteId), mediaId, known);
    // A slow answer can be older than what the user saw since: what was sent, or what a sync found.
    const detail = { ...read, item: mirrors.put(siteId, read.item, since, read.files) };
    edits().noteSeen(siteId, detail.item);
    details.note(siteId, detail);
    return withPending(siteId, detail);
  }

  /** The item of an edit that can't be sent now, from what was read before. */
  function pendingDetail(siteId: string, mediaId: string, item: MediaItem | null): MediaDetail {
    const known = details.get(siteId, mediaId);
    const truth = item ?? known?.item;
    if (truth === undefined) throw appError('network.unreachable', { details: { mediaId, outcome: 'not-sent' } });
    const viewUrl = known?.viewUrl ?? viewUrlOf(accounts.clientFor(siteId), truth);
    return withPending(siteId, { files: [], collectionName: null, ...known, item: truth, viewUrl });
  }

  /** The item from the mirror while the service can't be reached; throws the error where the mirror lacks it. */
  function storedDetail(siteId: string, mediaId: string, error: unknown): MediaDetail {
    const item = isOffline(error) ? mirrors.items(siteId, [mediaId]).get(mediaId) : undefined;
    if (item === undefined) throw error;
    const collection = mirrors.collections(siteId)?.find(({ id }) => id === item.collection_id);
    const collectionName = collection?.displayName ?? null;
    return withPending(siteId, { item, files: [], collectionName, viewUrl: null, isStored: true });
  }

  /** Adds to an item with pending edits whether one of them waits for the user. */
  function withNeeds(siteId: string, row: MediaRow): MediaRow {
    const needs = row.pending === undefined ? null : edits().needsOf(siteId, row.id);
    return needs === null ? row : { ...row, needs };
  }

  function withPending(siteId: string, detail: MediaDetail): MediaDetail {
    const { item, isPending } = edits().effective(siteId, detail.item);
    return isPending ? { ...detail, item: item ?? detail.item, isPending } : detail;
  }

  /** The copy lists the items of subcollections by the tree, which may have changed. Offline, the stored tree is used. */
  async function knowTree({ siteId, includesBelow }: MediaQuery): Promise<void> {
    if (!includesBelow) return;
    await collectionsOf(siteId)
      .index()
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
  }

  /** Reads a list from the service, for an account without a complete mirror. Throws `library.needs-copy`. */
  async function readerOf(query: MediaQuery, offset: number) {
    requireCopyless(query);
    const client = accounts.clientFor(query.siteId);
    return readers.readerFor(client, query, await collectionsIn(query), offset);
  }

  /** The collections whose items a query lists; null for all media. Throws `collection.too-many-below`. */
  async function collectionsIn({ siteId, collectionId, includesBelow }: MediaQuery): Promise<readonly string[] | null> {
    if (collectionId === null) return null;
    if (!includesBelow) return [collectionId];
    const index = await collectionsOf(siteId).index();
    if (isOnlyTop(index, collectionId)) return null;
    const ids = idsFrom(index, collectionId);
    if (ids.length > MAX_COLLECTIONS_IN_QUERY) {
      throw appError('collection.too-many-below', { details: { collections: ids.length } });
    }
    return ids.length === 0 ? [collectionId] : ids;
  }

  /** Data of one account is never shown to another. */
  function onSites(sites: Site[]): void {
    for (const site of sites) {
      const owner = `${site.state} ${site.clientId} ${site.accountName ?? ''}`;
      if (owners.get(site.id) !== owner) {
        forget(site.id);
        details.forget(site.id);
      }
      owners.set(site.id, owner);
    }
  }

  const access = createMediaAccess({
    accounts,
    clock,
    itemOf: async (siteId, mediaId) =>
      details.get(siteId, mediaId)?.item ?? (await getMedia(accounts.clientFor(siteId), mediaId)),
  });

  const handlers: LibraryHandlers = {
    ...access.handlers,
    ...createCollectionHandlers({
      clientFor: (siteId) => accounts.clientFor(siteId),
      edits: options.collectionEdits,
      mirrors,
      changing,
      trees,
      storedTree: (siteId) => collectionsOf(siteId).stored(),
    }),

    async 'library.collections'({ siteId, parentId }) {
      const index = await shownTree(siteId);
      const id = parentId === null ? null : options.collectionEdits().idOf(parentId);
      const ids = id === null ? index.top : (index.nodes.get(id)?.children ?? []);
      return ids.flatMap((id) => index.nodes.get(id)?.row ?? []);
    },

    async 'library.collection'(input) {
      const { siteId } = input;
      const collectionId = options.collectionEdits().idOf(input.collectionId);
      const index = await shownTree(siteId);
      const known = index.nodes.get(collectionId);
      if (known !== undefined) return { collection: known.row, path: pathOf(index, collectionId) };
      // It was dropped before the library had it.
      if (isLocalId(collectionId)) throw appError('api.not-found', { details: { collectionId } });
      // Newer than the cache, or in a part of the tree that the account cannot list.
      const found = await getCollection(accounts.clientFor(siteId), collectionId);
      const parentId = found.parent_id !== null && index.nodes.has(found.parent_id) ? found.parent_id : null;
      const collection = {
        id: found.id,
        parentId,
        displayName: found.display_name,
        slug: found.slug,
        isPodcast: found.is_podcast,
        mediaCount: found.media_count,
        mediaCountBelow: null,
        childCount: 0,
      };
      return { collection, path: [...(parentId === null ? [] : pathOf(index, parentId)), found.display_name] };
    },

    async 'library.collectionMembers'({ siteId, collectionId }) {
      const userId = accounts.list().find(({ id }) => id === siteId)?.userId ?? null;
      return readCollectionMembers(accounts.clientFor(siteId), options.collectionEdits().idOf(collectionId), userId);
    },

    async 'library.findCollections'({ siteId, text, limit }) {
      return searchCollections(await shownTree(siteId), text, limit);
    },

    async 'library.refresh'({ siteId }) {
      accounts.clientFor(siteId);
      forget(siteId);
      syncs.passNow(siteId);
      changed.emit({ siteId, collectionId: null, mediaId: null });
      return null;
    },

    async 'library.mediaWindow'({ query, offset, limit }) {
      accounts.clientFor(query.siteId);
      if (offset === 0) {
        await Promise.all([
          syncs.freshen(query.siteId),
          knowTree(query),
          related.freshen(accounts.clientFor(query.siteId), query.siteId, query.search),
        ]);
      }
      const copied = mirrors.window(query, offset, limit);
      if (copied !== null) return { ...copied, rows: copied.rows.map((row) => withNeeds(query.siteId, row)) };
      const [window, collections] = await Promise.all([
        readerOf(query, offset).then((reader) => reader.window(offset, limit)),
        // The rows are useful without the names of their collections.
        collectionsOf(query.siteId)
          .index()
          .catch(() => null),
      ]);
      return withCollectionNames(window, collections);
    },

    async 'library.mediaIds'({ query }) {
      accounts.clientFor(query.siteId);
      const ids = mirrors.ids(query, MAX_ROWS);
      if (ids !== null) return { ids, isAll: ids.length < MAX_ROWS || mirrors.count(query) === ids.length };
      const { rows, total } = await (await readerOf(query, 0)).window(0, MAX_ROWS);
      return { ids: rows.map(({ id }) => id), isAll: rows.length === total };
    },

    async 'library.tags'({ siteId, text, limit }) {
      accounts.clientFor(siteId);
      return mirrors.tags(siteId, text, limit);
    },

    async 'library.fileFacts'({ siteId, mediaId }) {
      const facts = await fileFacts.read(accounts.clientFor(siteId), mediaId);
      if (facts !== null) mirrors.noteCaptions(siteId, mediaId, facts.hasCaptions);
      return facts;
    },

    'library.media': ({ siteId, mediaId }) =>
      detailOf(siteId, mediaId).catch((error: unknown) => storedDetail(siteId, mediaId, error)),

    'library.updateMedia': ({ siteId, mediaId, patch, expected = {} }) =>
      editing(siteId, mediaId, changeOf(patch), seenValuesOf(expected)),

    async 'library.publishMedia'({ siteId, mediaId, publishOn }) {
      const at = publishOn === null ? null : serviceInstant(publishOn);
      const now = accounts.clientFor(siteId).serverClock.now() ?? clock.now();
      const isNow = at === null || Date.parse(at) <= now;
      return editing(siteId, mediaId, { publication: isNow ? { kind: 'now' } : { kind: 'at', at } });
    },

    'library.unpublishMedia': ({ siteId, mediaId }) => editing(siteId, mediaId, { publication: { kind: 'unpublish' } }),

    'library.deleteMedia'({ siteId, mediaId }) {
      return changing({ siteId, collectionId: null, mediaId }, async () => {
        await edits().edit(siteId, mediaId, { delete: true });
        return null;
      });
    },
  };

  const endSites = accounts.onDidChangeSites(onSites);
  onSites(accounts.list());

  return {
    handlers,
    onDidChangeLibrary: (listener) => changed.on(listener),

    collectionIndex: (siteId) => collectionsOf(siteId).index(),
    noteSync(siteId) {
      forget(siteId);
      changed.emit({ siteId, collectionId: null, mediaId: null });
    },

    noteChange(change) {
      forget(change.siteId);
      syncs.passSoon(change.siteId);
      const pending = noted.get(change.siteId);
      if (pending !== undefined) {
        pending.change = merge(pending.change, change);
        return;
      }
      const cancel = clock.schedule(NOTE_EVERY_MS, () => {
        const due = noted.get(change.siteId);
        noted.delete(change.siteId);
        if (due === undefined) return;
        forget(change.siteId);
        changed.emit(due.change);
      });
      noted.set(change.siteId, { change, cancel });
    },

    async *itemsOf(query) {
      requireCopyless(query);
      const client = accounts.clientFor(query.siteId);
      yield* listMedia(client, listQueryOf(query, await collectionsIn(query)));
    },

    stop() {
      fileFacts.stop();
      endSites();
      for (const { cancel } of noted.values()) cancel();
      noted.clear();
    },
  };
}

/** Returns the values of a patch in the form in which edits compare them. */
function seenValuesOf({ collection_id: collectionId, ...rest }: MediaPatch): Partial<EditableMedia> {
  const values = { ...rest, collectionId };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Throws `library.needs-copy` for a query that the API can't answer. */
function requireCopyless({ hasCaptions, hasDescription }: MediaQuery): void {
  if (hasCaptions !== undefined || hasDescription !== undefined) throw appError('library.needs-copy');
}

/** Returns the change that a patch of one item means. */
function changeOf({ collection_id: collectionId, ...fields }: MediaPatch): BulkChange {
  return { ...changeTo(fields), ...(collectionId === undefined ? {} : { collectionId }) };
}

/** Everything is below the only collection at the top, so no filter is needed. */
function isOnlyTop({ top }: CollectionIndex, id: string): boolean {
  return top.length === 1 && top[0] === id;
}

/** Returns the scope that covers two changes; null means the whole library. */
function merge(one: LibraryChange, other: LibraryChange): LibraryChange {
  return {
    siteId: one.siteId,
    collectionId: one.collectionId === other.collectionId ? one.collectionId : null,
    mediaId: one.mediaId === other.mediaId ? one.mediaId : null,
  };
}
