import type { ListedBatch } from '../../../../../shared/contract/uploads.ts';
import { uploadOutcomes } from '../../../../../shared/model/uploads/upload-counts.ts';

/** The group of a batch in the list: in progress, needs the user, or over. */
export type BatchGroup = 'active' | 'attention' | 'over';

const GROUPS: readonly BatchGroup[] = ['active', 'attention', 'over'];

export function outlineGroupOf({ listed }: Pick<ListedBatch, 'listed'>): BatchGroup {
  const { pending, failed, needsDecision } = uploadOutcomes(listed);
  if (pending > 0) return 'active';
  return failed + needsDecision > 0 ? 'attention' : 'over';
}

/**
 * Returns the ids of all batches: batches in progress first, then batches that need the user, then the others; within each group,
 * the newest first.
 */
export function arrangedOrder(batches: readonly ListedBatch[]): string[] {
  return [...batches].sort(compare).map(({ id }) => id);
}

/**
 * Returns the ids of all batches with as few moves as possible: the batches of `order` keep their order, even if their group
 * changed. A batch that is not in `order` is inserted before the first batch that sorts after it.
 */
export function keptOrder(order: readonly string[], batches: readonly ListedBatch[]): string[] {
  const byId = new Map(batches.map((batch) => [batch.id, batch]));
  const kept = order.filter((id) => byId.has(id));
  const known = new Set(kept);
  for (const batch of batches.filter(({ id }) => !known.has(id)).toReversed()) {
    const at = kept.findIndex((id) => {
      const other = byId.get(id);
      return other !== undefined && compare(batch, other) < 0;
    });
    kept.splice(at < 0 ? kept.length : at, 0, batch.id);
  }
  return kept;
}

function compare(a: ListedBatch, b: ListedBatch): number {
  return GROUPS.indexOf(outlineGroupOf(a)) - GROUPS.indexOf(outlineGroupOf(b)) || b.addedAt - a.addedAt;
}
