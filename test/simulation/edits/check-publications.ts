import type { EditHistory } from './edit-history.ts';
import { opsOf } from './item-ops.ts';

/**
 * How late a publication may be: the longest time of a request, and the error of the known clock. An item whose time comes while
 * the request is on its way is published when the library has the request, which is what its user wanted.
 */
const UNDERWAY_MS = 10_000;

/** An item is never published at another time than its user wanted: a time that has passed needs a decision. */
export function nothingIsPublishedAtAnotherTime(history: EditHistory): string[] {
  const all = opsOf(history.final.accounts);
  return history.effects.flatMap(({ by, atMs, field, itemId, after }) => {
    if (by === 'editor' || field !== 'publication' || after === 'draft') return [];
    const isWanted = all.some(({ account, record, op }) => {
      if (account.site !== by || record.entityId !== itemId || op.kind !== 'publish') return false;
      if (typeof op.when !== 'object') return true;
      const lateMs = Date.parse(after.slice('public '.length)) - Date.parse(op.when.at);
      // The library stores whole seconds.
      return lateMs > -1000 && lateMs <= Math.max(UNDERWAY_MS, underwayFor(history, by, itemId, atMs));
    });
    return isWanted ? [] : [`at ${atMs}: ${by} published item ${itemId} as “${after}”, which was not wanted`];
  });
}

/** How long the request that published an item had been on its way. */
function underwayFor({ requests }: EditHistory, by: string, itemId: string, atMs: number): number {
  const path = `/api2/media/${itemId}/publish`;
  const begun = requests.findLast((each) => each.site === by && each.path === path && each.fromMs <= atMs);
  return begun === undefined ? 0 : atMs - begun.fromMs;
}
