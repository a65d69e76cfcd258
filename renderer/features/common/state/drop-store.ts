import { create } from 'zustand';

interface DropState {
  /** Files are being dragged over the window. */
  isOver: boolean;
  /** The collection of the tree that is under the pointer. */
  hoverId: string | null;
  /** The item whose files are under the pointer: dropped files are added to it. */
  item: { siteId: string; mediaId: string; title: string } | null;
}

export const useDrop = create<DropState>(() => ({ isOver: false, hoverId: null, item: null }));

/**
 * Returns the collection for dropped files: the collection under the pointer, otherwise the open one; null: the add sheet asks.
 */
export function dropTarget(hoverId: string | null, selectedId: string | null): string | null {
  return hoverId ?? selectedId;
}
