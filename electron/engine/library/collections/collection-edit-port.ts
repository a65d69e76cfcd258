import type { Collection } from '../../../../shared/api/collections.ts';
import type { PodcastDetails } from '../../../../shared/api/podcasts.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { COLLECTION_CHANGES } from '../../../../shared/contract/edits.ts';
import type { CollectionOp, CollectionValues } from '../../../../shared/model/edits/collection-ops.ts';

/** The intents about one collection. */
export interface CollectionEdit {
  collectionId: string;
  /** The present name, for lists of edits. */
  name: string;
  ops: readonly CollectionOp[];
}

/** How an edit of one collection ended for the caller. */
export interface CollectionEditResult {
  /** The id of the library as soon as it is known. */
  collectionId: string;
  /**
   * - `done`     the library has the values
   * - `pending`  the edit waits in the journal; `error`: why
   * - `failed`   the library refused it, or someone else changed a value: it was dropped, because the caller reports `error`
   * - `stopped`  the user stopped a deletion
   */
  kind: 'done' | 'pending' | 'failed' | 'stopped';
  error: AppErrorData | null;
}

/** The open ops of the collections of a library. */
export interface PendingCollections {
  /** Changes with every change of these ops. */
  readonly revision: number;
  /** By collection, in the order of the first op of each. */
  readonly opsOf: ReadonlyMap<string, readonly CollectionOp[]>;
  /** The pending collections that need a decision of the user. */
  readonly asking: ReadonlySet<string>;
}

/** A collection as it was last read from the library; `podcast`: its details, if they were read. */
export interface KnownCollection {
  collection: Collection;
  podcast: PodcastDetails | null;
}

/** The journal of edits, as the library's calls about collections use it. */
export interface CollectionEdits {
  /**
   * Stores edits as one group and waits until each is sent or has to wait. The group can be undone by its id. `expectedItems`:
   * the number of items that a deletion is going to remove, for its progress.
   */
  change(
    siteId: string,
    what: (typeof COLLECTION_CHANGES)[number],
    edits: readonly CollectionEdit[],
    expectedItems?: number,
  ): Promise<{ groupId: string; results: CollectionEditResult[]; deletedItems: number }>;
  /** Creates a collection below another one, which may have a local id. `collectionId`: a local id while the creation waits. */
  create(
    siteId: string,
    parentId: string,
    values: CollectionValues,
  ): Promise<CollectionEditResult & { groupId: string }>;
  /** Ends the running deletion between two items. */
  stopDeletion(siteId: string): void;
  /** Whether a deletion whose caller waits is running. */
  isDeleting(siteId: string): boolean;
  pendingOf(siteId: string): PendingCollections;
  /** Returns the library's id of a collection that was created on this computer; other ids and unknown ones unchanged. */
  idOf(collectionId: string): string;
  /** Drops the open edits of collections that wait for a decision, because the collections are to be deleted. */
  dropBlocked(siteId: string, collectionIds: readonly string[]): void;
}
