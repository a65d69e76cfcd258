import { create } from 'zustand';

/** An open dialog about collections. */
export type CollectionDialog =
  | { kind: 'edit'; collectionId: string }
  | { kind: 'podcast'; collectionId: string }
  | { kind: 'move'; collectionIds: readonly string[] }
  | { kind: 'delete'; collectionIds: readonly string[] };

interface CollectionsState {
  dialog: CollectionDialog | null;
  /** The parent that a new collection gets; null: the open collection. */
  newParentId: string | null;
  /** The collection whose name is edited in the tree. */
  renamingId: string | null;
  /** Where the context menu is, in pixels of the window, and the line that it is for. */
  menu: { collectionId: string; x: number; y: number } | null;
  /** Collections that are dragged in the tree, and the one under the pointer that they can be moved into. */
  drag: { ids: readonly string[]; overId: string | null; x: number; y: number } | null;
}

export const useCollections = create<CollectionsState>(() => ({
  dialog: null,
  newParentId: null,
  renamingId: null,
  menu: null,
  drag: null,
}));

export function openCollectionDialog(dialog: CollectionDialog | null): void {
  useCollections.setState({ dialog, menu: null });
}

export function startRename(collectionId: string | null): void {
  useCollections.setState({ renamingId: collectionId, menu: null });
}
