import type { MediaItem } from '../../../shared/api/media.ts';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { BulkChange, GroupChange } from '../../../shared/contract/edits.ts';
import type { AnyOp, CollectionOp, CollectionValues } from '../../../shared/model/edits/collection-ops.ts';
import type { EditableMedia } from '../../../shared/model/edits/edit-ops.ts';
import type { DeletionProgress } from './collections/deletion-progress.ts';

/** The intents about one item or collection. */
export interface NewIntents {
  entityKind: 'media' | 'collection';
  /** A collection that is not in the library yet has a local id. */
  entityId: string;
  /** The present name, for lists of edits. */
  name: string;
  ops: readonly { op: AnyOp; outcome: null }[];
}

/** Returns the intents about one collection. */
export function collectionIntents(entityId: string, name: string, ops: readonly CollectionOp[]): NewIntents {
  return { entityKind: 'collection', entityId, name, ops: ops.map((op) => ({ op, outcome: null })) };
}

/** How an edit of one item or collection ended for the caller. */
export interface EditResult {
  /** The id of the library as soon as it is known. */
  entityId: string;
  /**
   * - `done`     the library has the values
   * - `pending`  the edit waits in the journal; `error`: why
   * - `failed`   the library refused it, or someone else changed a value: it was dropped, because the caller reports `error`
   * - `stopped`  the user stopped a deletion, or dropped the edit; `error`: why it had failed before that
   */
  kind: 'done' | 'pending' | 'failed' | 'stopped';
  error: AppErrorData | null;
}

/** The edits of one group after `apply`. */
export interface Applied {
  /** Empty when nothing was stored. */
  groupId: string;
  results: EditResult[];
}

/** The result of `editItem`. */
export interface ItemEditResult {
  kind: 'done' | 'pending';
  /** The item as it was read last; null: it was never read, or it was deleted. */
  item: MediaItem | null;
  /** Why the edit has to wait; null: unknown, or it does not wait. */
  reason: AppErrorData | null;
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

/** The journal of edits, as the library's calls use it. */
export interface LibraryEdits {
  /**
   * Stores edits as one group, which can be undone by its id, sends it before all others, and waits until each edit is sent or has
   * to wait. The deletion of a collection that was never created drops its edits instead; such results come first.
   */
  apply(request: { siteId: string; change: GroupChange; edits: readonly NewIntents[]; wait: true }): Promise<Applied>;
  /** Creates a collection below another one, which may have a local id. `entityId`: a local id while the creation waits. */
  createCollection(
    siteId: string,
    parentId: string,
    values: CollectionValues,
  ): Promise<EditResult & { groupId: string }>;
  /**
   * Plans the change of one item, and applies it like `apply`. `expected`: the values that the user saw, as far as the caller
   * knows them; otherwise those that were read last. Throws the error of an edit that the library refused, and `edit.conflict`;
   * such an edit is dropped, because the caller reports it.
   */
  editItem(
    siteId: string,
    mediaId: string,
    change: BulkChange,
    expected?: Partial<EditableMedia>,
  ): Promise<ItemEditResult>;
  /** Notes the values of an item that the user sees now: they are the base of the next edit. */
  noteSeen(siteId: string, item: MediaItem): void;
  /** Which action of the user the pending edits of an item need before they are sent; null: none. */
  needsOf(siteId: string, mediaId: string): 'decision' | 'retry' | null;
  /** Returns an item with its pending edits applied; `item` null: it is going to be deleted. */
  effective(siteId: string, item: MediaItem): { item: MediaItem | null; isPending: boolean };
  pendingOf(siteId: string): PendingCollections;
  /** Returns the library's id of a collection that was created on this computer; other ids and unknown ones unchanged. */
  idOf(collectionId: string): string;
  /** The deletions of collections whose callers wait. */
  readonly deletions: DeletionProgress;
}
