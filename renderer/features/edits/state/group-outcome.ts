import type { EditGroup, GroupChange } from '../../../../shared/contract/edits.ts';
import { type EditedKind, texts } from './texts.ts';

/** Returns whether a group has no edit left to send. It may still have edits that need a decision of the user. */
export function isSettled({ counts }: Pick<EditGroup, 'counts'>): boolean {
  return counts.pending === 0;
}

/** Returns the number of items of a group that need the user. */
export function attentionOfGroup({ counts }: Pick<EditGroup, 'counts'>): number {
  return counts.held + counts.conflict + counts.refused;
}

/** Returns the kind of objects that a group edits. */
export function kindOf({ change }: Pick<EditGroup, 'change'>): EditedKind {
  return change !== null && 'collection' in change ? 'collection' : 'item';
}

type Act = 'changed' | 'created' | 'deleted' | 'moved' | 'published' | 'scheduled' | 'unpublished' | 'tagged' | 'files';

const COLLECTION_ACTS = {
  create: 'created',
  edit: 'changed',
  podcast: 'changed',
  move: 'moved',
  delete: 'deleted',
} as const satisfies Record<string, Act>;
const PUBLICATION_ACTS = { now: 'published', at: 'scheduled', series: 'scheduled', unpublish: 'unpublished' } as const;

/** Returns what a group does, in the word for it when it does one thing only. */
function actOf(change: GroupChange | null): Act {
  if (change === null) return 'changed';
  if ('collection' in change) return COLLECTION_ACTS[change.collection];
  if (change.delete === true) return 'deleted';
  const fields = Object.entries(change).filter(([, value]) => value !== undefined);
  if (fields.length !== 1) return 'changed';
  if (change.publication !== undefined) return PUBLICATION_ACTS[change.publication.kind];
  if (change.collectionId !== undefined) return 'moved';
  if (change.tags !== undefined) return 'tagged';
  return change.files === undefined ? 'changed' : 'files';
}

/** Returns how a settled group ended, as a sentence. */
export function groupOutcome(group: EditGroup, kind: EditedKind): { sentence: string; attention: number } {
  const { items, counts, change, undoes, fields } = group;
  const attention = attentionOfGroup(group);
  const { done, left } = counts;
  // The undo of a new collection deletes it.
  const undoAct = fields.includes('item') ? 'deleted' : 'restored';
  const act = undoes === null ? actOf(change) : undoAct;
  const parts = [
    // “Changed 0 of 1 item.” would say nothing more.
    ...(done === 0 && attention === items ? [] : [texts.outcome[act](done, items, kind)]),
    ...(left > 0 ? [texts.outcome.left(left, kind)] : []),
    ...(attention > 0 ? [texts.outcome.attention(attention, kind)] : []),
  ];
  return { sentence: parts.join(' '), attention };
}
