import type { EditHistory } from './edit-history.ts';

/**
 * Who decides to keep an item or a collection has decided about every deletion of it that was made before: none asks again, until
 * its person deletes it anew.
 */
export function whatIsKeptIsAskedOnce({ decisions }: EditHistory): string[] {
  return decisions.flatMap((kept) => {
    if (kept.field !== 'item' || kept.choice !== 'theirs' || !kept.isStored) return [];
    const later = decisions.filter(({ site, itemId, atMs }) => {
      return site === kept.site && itemId === kept.itemId && atMs > kept.atMs;
    });
    const anew = later.find(({ choice }) => choice === 'delete')?.atMs ?? Number.POSITIVE_INFINITY;
    return later
      .filter(({ field, atMs }) => field === 'item' && atMs < anew)
      .map(
        ({ seq, atMs }) => `${kept.site}: record ${seq} asked at ${atMs} about ${kept.itemId}, kept at ${kept.atMs}`,
      );
  });
}
