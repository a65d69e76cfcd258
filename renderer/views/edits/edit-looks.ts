import type { EditGroup, EditState } from '../../../shared/contract/edits.ts';
import { attentionOf } from '../../stores/edits/group-outcome.ts';
import type { StateLook } from '../../text/states.ts';
import { texts } from './texts.ts';

/** The appearance of each state of an edit. */
export const EDIT_LOOKS: Readonly<Record<EditState, StateLook>> = {
  pending: { word: texts.states.pending, icon: 'waiting', tone: 'waiting' },
  held: { word: texts.states.held, icon: 'paused', tone: 'waiting' },
  conflict: { word: texts.states.conflict, icon: 'warning', tone: 'bad' },
  refused: { word: texts.states.refused, icon: 'failed', tone: 'bad' },
  done: { word: texts.states.done, icon: 'complete', tone: 'good' },
  left: { word: texts.states.left, icon: 'skipped', tone: 'neutral' },
  dropped: { word: texts.states.dropped, icon: 'cancelled', tone: 'neutral' },
};

/** Returns the appearance of a group of edits: edits that need the user decide first, then unsent edits. */
export function groupLook(group: EditGroup): StateLook {
  const { counts, items, undoneAt } = group;
  const attention = attentionOf(group);
  if (attention > 0) return { word: texts.by.attention(attention), icon: 'failed', tone: 'bad' };
  if (counts.pending > 0) {
    if (counts.pending === items) return EDIT_LOOKS.pending;
    return { word: texts.by.sending(items - counts.pending, items), icon: 'processing', tone: 'active' };
  }
  if (undoneAt !== null) return { word: texts.by.undone, icon: 'cancelled', tone: 'neutral' };
  if (counts.dropped === items) return EDIT_LOOKS.dropped;
  if (counts.left > 0) return { word: texts.by.left(counts.left), icon: 'skipped', tone: 'neutral' };
  if (counts.dropped > 0) return { word: texts.by.dropped(counts.dropped), icon: 'cancelled', tone: 'neutral' };
  return EDIT_LOOKS.done;
}

/** Returns the name of a group: its label with the title of its only item, or with the number of items. */
export function groupName(group: EditGroup): { label: string; of: string } {
  const { change } = group;
  const isOfCollections = change !== null && 'collection' in change;
  const known = isOfCollections ? texts.collectionChanges[change.collection] : texts.unnamed;
  const own = group.label === '' ? known : group.label;
  const label = group.undoes === null ? own : texts.undoOf(own);
  return {
    label,
    of:
      group.items === 1
        ? texts.one(group.firstName || texts.untitled)
        : isOfCollections
          ? texts.collections(group.items)
          : texts.items(group.items),
  };
}
