import { describe, expect, it } from 'vitest';
import { treeCommand } from '../../../../../../renderer/features/uploads/list/tree-keys.ts';
import { Outline } from '../../../../../../renderer/features/uploads/state/outline/outline.ts';

const outline = new Outline(
  [
    { id: 'a', rows: 2, skipped: 1, isExpanded: true, areSkippedOpen: true },
    { id: 'b', rows: 2, skipped: 0, isExpanded: false, areSkippedOpen: false },
  ],
  { batch: 56, upload: 58, skipped: 36 },
);
// Rows: 0 a, 1 and 2 uploads, 3 skipped, 4 a skipped upload, 5 b.
const expand = (batchId: string, isOpen: boolean) => ({ kind: 'expand-batch', batchId, isOpen });

describe('keys in the list of batches', () => {
  it('expand and collapse a batch', () => {
    for (const key of ['Enter', ' ', 'ArrowLeft']) expect(treeCommand(key, 0, outline)).toEqual(expand('a', false));
    for (const key of ['Enter', ' ', 'ArrowRight']) expect(treeCommand(key, 5, outline)).toEqual(expand('b', true));
    expect(treeCommand('ArrowLeft', 5, outline)).toBeNull();
  });

  it('move from a batch to its uploads and back', () => {
    expect(treeCommand('ArrowRight', 0, outline)).toEqual({ kind: 'move', to: 1 });
    expect(treeCommand('ArrowLeft', 2, outline)).toEqual({ kind: 'move', to: 0 });
    expect(treeCommand('ArrowLeft', 4, outline)).toEqual({ kind: 'move', to: 3 });
    expect(treeCommand('ArrowRight', 3, outline)).toEqual({ kind: 'move', to: 4 });
    expect(treeCommand('Enter', 3, outline)).toEqual({ kind: 'show-skipped', batchId: 'a', isOpen: false });
  });

  it('leave all other keys to the list', () => {
    for (const key of ['ArrowDown', 'Home', 'Delete', 'a']) expect(treeCommand(key, 0, outline)).toBeNull();
    expect(treeCommand('Enter', 1, outline)).toBeNull();
    expect(treeCommand('ArrowLeft', -1, outline)).toBeNull();
  });
});
