import { create } from 'zustand';
import type { MediaRow } from '../../../shared/contract/library.ts';
import { thumbnailPath } from '../../../shared/contract/thumbnail-address.ts';

/** How often items were reported as changed since the start: a thumbnail can change without its item. */
export const useThumbnailChanges = create<{ counts: ReadonlyMap<string, number> }>(() => ({ counts: new Map() }));

/** Reads the thumbnail of an item again. */
export function noteThumbnailChange(mediaId: string): void {
  useThumbnailChanges.setState(({ counts }) => ({
    counts: new Map(counts).set(mediaId, (counts.get(mediaId) ?? 0) + 1),
  }));
}

/** Returns the address of an item's thumbnail. Another number of `changes` makes another address, which is loaded again. */
export function thumbnailAddress(siteId: string, row: MediaRow, changes: number): string {
  const path = thumbnailPath({ siteId, mediaId: row.id, version: row.modifiedOn ?? '' });
  return changes === 0 ? path : `${path}?change=${changes}`;
}
