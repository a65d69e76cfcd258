import { create } from 'zustand';

interface DropState {
  /** Files are being dragged over the window. */
  isOver: boolean;
  /** The collection of the tree that is under the pointer. */
  hoverId: string | null;
}

export const useDrop = create<DropState>(() => ({ isOver: false, hoverId: null }));

/**
 * Returns the collection for dropped files: the one under the pointer, otherwise the open one; null asks in the sheet.
 */
export function dropTarget(hoverId: string | null, selectedId: string | null): string | null {
  return hoverId ?? selectedId;
}
