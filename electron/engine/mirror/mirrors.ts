import type { Collection } from '../../../shared/api/collections.ts';
import type { MediaFile } from '../../../shared/api/files.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import type { PodcastDetails } from '../../../shared/api/podcasts.ts';
import type { CollectionRow, KnownTag, MediaQuery, MediaWindow } from '../../../shared/contract/library.ts';
import type { SyncStatus } from '../../../shared/contract/library-sync.ts';

/** A collection as a mirror stores it. */
export type StoredCollection = Pick<
  CollectionRow,
  'id' | 'parentId' | 'displayName' | 'slug' | 'isPodcast' | 'mediaCount'
>;

/** The fields of an item that a user can edit. */
type MediaFields = Pick<
  MediaItem,
  'title' | 'byline' | 'description' | 'tags' | 'collection_id' | 'status' | 'publish_on'
>;

/** The values that lists show in place of the service's; `deleted`: the item is to be deleted. */
export type Overlay = Partial<MediaFields> | 'deleted';

/** When an item was requested, in the order of requests and of what syncs stored. */
export interface ReadMoment {
  moment: number;
  /** How often a sync had changed items. */
  syncWrites: number;
}

export type MirrorStatus = Pick<SyncStatus, 'phase' | 'items' | 'total' | 'syncedAt'>;

/**
 * This computer's copy of each account's library. It holds only what the service said; pending edits are an overlay
 * above it, and lists, counts and ids show the items with their overlay.
 *
 * `window`, `count` and `ids` return null until the first sync of the account is complete, and when the copy can't be
 * read: the caller then requests the service. No method throws for a damaged copy: it is made again, and
 * `onDidRebuild` reports it.
 */
export interface Mirrors {
  status(siteId: string): MirrorStatus;
  window(query: MediaQuery, offset: number, limit: number): MediaWindow | null;
  count(query: MediaQuery): number | null;
  /** The number of items that may match when their captions are known; 0 without a complete mirror. */
  captionsUnknown(query: MediaQuery): number;
  /** Returns at most `limit` ids in the order of the query. */
  ids(query: MediaQuery, limit: number): string[] | null;
  /** A number that changes with every change of what lists show; 0 without a copy. */
  version(siteId: string): number;
  /** Returns tags of items that contain a text; see the call `library.tags`. */
  tags(siteId: string, text: string, limit: number): KnownTag[];
  /** Returns the items as the service has them, without their overlay. Unknown ids are left out. */
  items(siteId: string, ids: readonly string[]): Map<string, MediaItem>;
  /** As `items`, but each item is parsed only when its function is called; it is the item as stored at the time of this call. */
  storedItems(siteId: string, ids: readonly string[]): Map<string, () => MediaItem>;
  /** All collections; null until the first sync of the account is complete. */
  collections(siteId: string): StoredCollection[] | null;
  /** Stores all collections, which were just read from the service. */
  putCollections(siteId: string, collections: readonly CollectionRow[]): void;
  /** A request for a collection begins; its answer is passed to `putCollection`. */
  collectionMoment(siteId: string): number;
  /**
   * Stores a collection that was just read from the service; `podcast` null: its details were not read. `since`: when it was
   * requested, by default now. Returns false when the answer to a later request is stored.
   */
  putCollection(siteId: string, collection: Collection, podcast: PodcastDetails | null, since?: number): boolean;
  /** A collection as it was last read by itself, without pending edits; null: it never was. */
  collectionDetail(
    siteId: string,
    collectionId: string,
  ): { collection: Collection; podcast: PodcastDetails | null } | null;
  /** Removes a collection that the service does not have any more. */
  removeCollection(siteId: string, collectionId: string): void;
  /** A request for an item begins; its answer is passed to `put`. */
  readMoment(siteId: string): ReadMoment;
  /**
   * Stores an item that was just read from the service. `since`: when it was requested; the item is left out when the answer
   * to a later request is stored, or a sync has stored a later change meanwhile. `files`: its files, if they were read as well.
   * Returns the item, or the later one.
   */
  put(siteId: string, item: MediaItem, since: ReadMoment, files?: readonly MediaFile[]): MediaItem;
  /** Stores the items that the service named as related to an item, the closest first. */
  putRelated(siteId: string, mediaId: string, relatedIds: readonly string[]): void;
  /** Stores whether an item has captions, as its files were just read. */
  noteCaptions(siteId: string, mediaId: string, hasCaptions: boolean): void;
  /** Removes an item that the service does not have any more, with its overlay. */
  remove(siteId: string, mediaId: string): void;
  /** Sets what lists show in place of the service's values; null: the item has no pending edits. */
  setOverlay(siteId: string, mediaId: string, effective: Overlay | null): void;
  /** Returns the items that have an overlay, in all open copies. */
  overlaid(): { siteId: string; mediaId: string }[];
  /** A copy was made again, or a first one was begun: overlays must be set again. */
  onDidRebuild(listener: (siteId: string) => void): () => void;
}
