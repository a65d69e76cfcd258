import type { EditGroup } from '../../../shared/contract/edits.ts';

/** A group of edits as screens get it. `counts`: those that are not zero. */
export function editGroup({
  counts,
  ...more
}: Partial<Omit<EditGroup, 'counts'>> & { counts?: Partial<EditGroup['counts']> }): EditGroup {
  return {
    id: 'g',
    siteId: 's',
    label: '',
    change: null,
    fields: [],
    items: 1,
    firstName: 'Talk',
    undoes: null,
    undoneBy: null,
    undoneAt: null,
    redoneBy: null,
    createdAt: 0,
    endedAt: null,
    canUndo: true,
    canRedo: false,
    waitsFor: null,
    ...more,
    counts: { pending: 0, held: 0, conflict: 0, refused: 0, done: 0, left: 0, dropped: 0, ...counts },
  };
}
