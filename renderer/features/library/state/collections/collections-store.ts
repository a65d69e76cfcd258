import { create } from 'zustand';
import { MAX_COLLECTIONS_PER_CHANGE } from '../../../../../shared/model/collection-limit.ts';
import { warn } from '../../../common/state/messages-store.ts';
import { texts } from '../texts.ts';

/** An open dialog about collections. */
export type CollectionDialog =
  | { kind: 'edit'; collectionId: string }
  | { kind: 'podcast'; collectionId: string }
  | { kind: 'people'; collectionId: string }
  | { kind: 'move'; collectionIds: readonly string[] }
  | { kind: 'delete'; collectionIds: readonly string[] };

interface CollectionsState {
  dialog: CollectionDialog | null;
  /** The parent that a new collection gets; null: the open collection. */
  newParentId: string | null;
  /** The collection whose name is edited in the tree. */
  renamingId: string | null;
  /** The position of the context menu, in pixels of the window, and its line. */
  menu: { collectionId: string; x: number; y: number } | null;
  /** Collections that are dragged in the tree, and the possible target under the pointer. */
  drag: { ids: readonly string[]; overId: string | null; x: number; y: number } | null;
}

export const useCollections = create<CollectionsState>(() => ({
  dialog: null,
  newParentId: null,
  renamingId: null,
  menu: null,
  drag: null,
}));

/** Opens a dialog or closes the open one. Too many collections for a move or a deletion show a warning instead. */
export function openCollectionDialog(dialog: CollectionDialog | null): void {
  const isRefused = dialog !== null && 'collectionIds' in dialog && refuseTooMany(dialog.collectionIds);
  useCollections.setState({ dialog: isRefused ? null : dialog, menu: null });
}

/** Shows a warning and returns true for more collections than one move or deletion accepts. */
export function refuseTooMany(collectionIds: readonly string[]): boolean {
  const isRefused = collectionIds.length > MAX_COLLECTIONS_PER_CHANGE;
  if (isRefused)
    warn(texts.collections.tooMany(collectionIds.length, MAX_COLLECTIONS_PER_CHANGE), texts.collections.tooManyNext);
  return isRefused;
}

export function startCollectionRename(collectionId: string | null): void {
  useCollections.setState({ renamingId: collectionId, menu: null });
}
