import type { EditGroup } from '../../../shared/contract/edits.ts';
import { type EditedKind, texts } from './texts.ts';

/** Returns whether a group has no edit left to send. It may still have edits that need a decision of the user. */
export function isSettled({ counts }: Pick<EditGroup, 'counts'>): boolean {
  return counts.pending === 0;
}

/** Returns the number of items of a group that need the user. */
export function attentionOf({ counts }: Pick<EditGroup, 'counts'>): number {
  return counts.held + counts.conflict + counts.refused;
}

/** Returns how a settled group ended, as a sentence. */
export function groupOutcome(group: EditGroup, kind: EditedKind): { sentence: string; attention: number } {
  const { items, counts, change, undoes } = group;
  const attention = attentionOf(group);
  const { done, left } = counts;
  const isDeletion = change !== null && 'delete' in change && change.delete === true;
  const words = undoes !== null ? texts.outcome.restored : isDeletion ? texts.outcome.deleted : texts.outcome.changed;
  const parts = [
    words(done, items, kind),
    ...(left > 0 ? [texts.outcome.left(left, kind)] : []),
    ...(attention > 0 ? [texts.outcome.attention(attention, kind)] : []),
  ];
  return { sentence: parts.join(' '), attention };
}
