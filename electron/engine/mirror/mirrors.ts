import type { Collection } from '../../../shared/api/collections.ts';
import type { MediaFile } from '../../../shared/api/files.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import type { PodcastDetails } from '../../../shared/api/podcasts.ts';
import type { Calendar, CalendarQuery } from '../../../shared/contract/calendar.ts';
import type {
  CollectionRow,
  ItemFileFacts,
  KnownField,
  KnownValue,
  ListGroup,
  MediaQuery,
  MediaWindow,
} from '../../../shared/contract/library.ts';
import type { SyncStatus } from '../../../shared/contract/library-sync.ts';
import type { SimilarItem } from '../../../shared/contract/title-calls.ts';
import type { ItemField } from '../../../shared/item/fields.ts';
import type { CountedWord } from '../../../shared/model/library-query/close-words.ts';

/** An item of a page of titles; `seq` is the place after which the next page begins. */
export interface TitledItem extends SimilarItem {
  seq: number;
}

/** A collection as a mirror stores it. */
export type StoredCollection = Pick<
  CollectionRow,
  'id' | 'parentId' | 'displayName' | 'slug' | 'isPodcast' | 'mediaCount'
>;

/** The fields of an item that a user can edit. */
type MediaFields = Pick<MediaItem, ItemField | 'collection_id' | 'status' | 'publish_on'>;

/** The values that lists show instead of the library's; `deleted`: the item is to be deleted. */
export type Overlay = Partial<MediaFields> | 'deleted';

/** When an item was requested: decides whether its answer is newer than the stored one. */
export interface ReadMoment {
  /** Grows with each request. */
  moment: number;
  /** How often syncs had changed items of the mirror by then. */
  syncWrites: number;
}

export type MirrorStatus = Pick<SyncStatus, 'phase' | 'items' | 'total' | 'syncedAt'>;

/**
 * The mirrors of all accounts, as other parts use them. A mirror is the copy of an account's library on this computer. It stores
 * the library's values, and separately the pending edits of items as overlays. Lists, counts and ids show the items with their
 * overlays; `items` returns them without.
 *
 * `window`, `count` and `ids` return null until the first sync of the account is complete, and while the mirror can't be read:
 * the caller then requests the library. No method throws for a damaged mirror: it is created again, and `onDidRebuild` reports
 * it.
 */
export interface Mirrors {
  status(siteId: string): MirrorStatus;
  window(query: MediaQuery, offset: number, limit: number): MediaWindow | null;
  /** Returns the groups of a list; null for an order without groups, and without a complete mirror. */
  groups(query: MediaQuery): ListGroup[] | null;
  /** Returns the next items of collections for a comparison of titles, see `titlePage`; null without a complete mirror. */
  titles(siteId: string, collectionIds: readonly string[], after: number, limit: number): TitledItem[] | null;
  count(query: MediaQuery): number | null;
  /** Returns the items of a calendar; null without a complete mirror. */
  calendar(query: CalendarQuery): Calendar | null;
  /** The number of items that may match when their captions are known; 0 without a complete mirror. */
  captionsUnknown(query: MediaQuery): number;
  /** The number of items of a query that the library changed after an instant in epoch seconds; 0 without a complete mirror. */
  changedSince(query: MediaQuery, seconds: number): number;
  /** When the library last changed one of its items, in epoch seconds; null without a complete mirror, or without items. */
  latestChange(siteId: string): number | null;
  /** Returns at most `limit` ids in the order of the query. */
  ids(query: MediaQuery, limit: number): string[] | null;
  /** A number that changes with every change of the lists; 0 without a mirror. */
  version(siteId: string): number;
  /** Returns values of a field that contain a text; see the call `library.values`. */
  values(siteId: string, field: KnownField, text: string, limit: number): KnownValue[];
  /**
   * Returns the words of titles, tags and bylines with an initial letter, whose length is near that of a word; none without a complete
   * mirror.
   */
  wordsNear(siteId: string, word: string, initial: string): CountedWord[];
  /** Returns the items as the library has them, without their overlay. Unknown ids are omitted. */
  items(siteId: string, ids: readonly string[]): Map<string, MediaItem>;
  /**
   * Returns the items like `items`, but each is parsed when its function is called. Later changes of the mirror don't change it.
   */
  storedItems(siteId: string, ids: readonly string[]): Map<string, () => MediaItem>;
  /** Returns what the files of items showed when they were read last; without values that are not known. */
  fileFacts(siteId: string, ids: readonly string[]): Map<string, Partial<ItemFileFacts>>;
  /** All collections; null until the first sync of the account is complete. */
  collections(siteId: string): StoredCollection[] | null;
  /** Replaces all collections by the collections that were just read from the library. */
  putCollections(siteId: string, collections: readonly StoredCollection[]): void;
  /** Returns the moment of a request for a collection that begins now, for `putCollection`. */
  collectionMoment(siteId: string): number;
  /**
   * Stores a collection that was just read from the library; `podcast` null: its details were not read. `since`: when it was
   * requested, by default now. Returns false when the answer to a later request is stored.
   */
  putCollection(siteId: string, collection: Collection, podcast: PodcastDetails | null, since?: number): boolean;
  /** Returns a collection as it was last read alone, without pending edits; null: it never was. */
  collectionDetail(
    siteId: string,
    collectionId: string,
  ): { collection: Collection; podcast: PodcastDetails | null } | null;
  /** Removes a collection that the library does not have any more. */
  removeCollection(siteId: string, collectionId: string): void;
  /** Returns the moment of a request for an item that begins now, for `put`. */
  readMoment(siteId: string): ReadMoment;
  /**
   * Stores an item that was just read from the library, unless the mirror has a newer one: from the answer to a later request, or
   * from a sync. `since`: when it was requested. `files`: its files, if they were read as well. Returns the newest item.
   */
  put(siteId: string, item: MediaItem, since: ReadMoment, files?: readonly MediaFile[]): MediaItem;
  /** Returns the files of an item as they were last read with it; null: they never were. */
  files(siteId: string, mediaId: string): MediaFile[] | null;
  /** Stores the items that the library named as related to an item, the closest first. */
  putRelated(siteId: string, mediaId: string, relatedIds: readonly string[]): void;
  /** Stores what the files of an item show, after they were read. */
  noteFiles(siteId: string, mediaId: string, facts: ItemFileFacts): void;
  /** Stores that an item has captions, after this program sent them. */
  noteCaptions(siteId: string, mediaId: string): void;
  /** Removes an item that the library does not have any more, with its overlay. */
  remove(siteId: string, mediaId: string): void;
  /** Sets the values that lists show instead of the library's; null: the item has no pending edits. */
  setOverlay(siteId: string, mediaId: string, effective: Overlay | null): void;
  /** Returns the items that have an overlay, in all open mirrors. */
  overlaid(): { siteId: string; mediaId: string }[];
  /** Calls the listener when a mirror is created empty, as the first one or after damage: overlays must be set again. */
  onDidRebuild(listener: (siteId: string) => void): () => void;
}
