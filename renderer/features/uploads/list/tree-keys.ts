import type { Outline } from '../state/outline/outline.ts';

/** The effect of a key on a batch header, or of a key in a row of a batch. */
export type TreeCommand =
  | { kind: 'expand-batch'; batchId: string; isOpen: boolean }
  | { kind: 'show-skipped'; batchId: string; isOpen: boolean }
  | { kind: 'move'; to: number };

/**
 * Returns the command of a key in a tree: Right expands a batch or enters it, Left collapses it or goes to its header, Enter and
 * Space toggle it. Returns null for other keys and rows. `index`: the current row.
 */
export function treeCommand(key: string, index: number, outline: Outline): TreeCommand | null {
  const place = outline.placeAt(index);
  const section = outline.sectionAt(index);
  if (place === undefined || section === undefined) return null;
  const { batchId } = place;
  if (place.kind === 'batch') {
    if (isSwitch(key, section.isExpanded)) return { kind: 'expand-batch', batchId, isOpen: !section.isExpanded };
    return key === 'ArrowRight' ? { kind: 'move', to: index + 1 } : null;
  }
  if (place.kind === 'skipped') {
    const isOpen = section.areSkippedOpen;
    if (isSwitch(key, isOpen)) return { kind: 'show-skipped', batchId, isOpen: !isOpen };
    if (key === 'ArrowRight') return { kind: 'move', to: index + 1 };
  }
  if (key !== 'ArrowLeft') return null;
  const isSkippedRow = place.kind === 'upload' && place.part === 'skipped';
  return { kind: 'move', to: isSkippedRow ? outline.indexOf({ kind: 'skipped', batchId }) : section.first };
}

/** Returns whether a key changes the state: it expands a collapsed batch, or collapses an expanded one. */
function isSwitch(key: string, isOpen: boolean): boolean {
  return key === 'Enter' || key === ' ' || key === (isOpen ? 'ArrowLeft' : 'ArrowRight');
}
