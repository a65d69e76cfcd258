import { create } from 'zustand';
import type { EventData } from '../../../../shared/contract/contract.ts';
import type { MediaRow } from '../../../../shared/contract/library.ts';
import {
  COLLECTION_VERSION,
  type ThumbnailSubject,
  thumbnailPath,
} from '../../../../shared/contract/thumbnail-address.ts';

interface ThumbnailsState {
  /**
   * The number of reported changes of each item and collection since the start. A thumbnail can change without any other field.
   */
  counts: ReadonlyMap<string, number>;
  /**
   * Collections whose thumbnail was loaded from the library and is therefore stored on this computer, with the number of changes
   * at that time.
   */
  stored: ReadonlyMap<string, number>;
}

export const useThumbnails = create<ThumbnailsState>(() => ({ counts: new Map(), stored: new Map() }));

const keyOf = (subject: ThumbnailSubject, id: string) => `${subject} ${id}`;

/** How often the thumbnail may have changed since the start. */
export function changesOf({ counts }: ThumbnailsState, subject: ThumbnailSubject, id: string): number {
  return counts.get(keyOf(subject, id)) ?? 0;
}

/** Reads the thumbnail of an item or a collection again. */
export function noteThumbnailChange(subject: ThumbnailSubject, id: string): void {
  useThumbnails.setState((state) => ({
    counts: new Map(state.counts).set(keyOf(subject, id), changesOf(state, subject, id) + 1),
  }));
}

/**
 * Notes that the thumbnail of a collection was loaded from the library, so that views that request only stored ones can show it.
 */
export function noteStoredThumbnail(collectionId: string): void {
  useThumbnails.setState((state) => {
    const changes = changesOf(state, 'collections', collectionId);
    const { stored } = state;
    return stored.get(collectionId) === changes ? {} : { stored: new Map(stored).set(collectionId, changes) };
  });
}

/** Shows the thumbnail of a collection as soon as the library has it. */
export function takeSetThumbnails({ rows }: EventData<'onDidChangeUploads'>): void {
  for (const { addition, state, collectionId } of rows) {
    if (addition?.kind !== 'thumbnail' || addition.of !== 'collection' || state !== 'complete') continue;
    noteThumbnailChange('collections', collectionId);
  }
}

/**
 * Returns the address of an item's thumbnail. A different number of `changes` results in a different address, which is loaded
 * again.
 */
export function thumbnailAddress(siteId: string, row: Pick<MediaRow, 'id' | 'modifiedOn'>, changes: number): string {
  const ref = { siteId, subject: 'media', id: row.id, version: row.modifiedOn ?? '', isStoredOnly: false } as const;
  return withChanges(thumbnailPath(ref), changes);
}

/** Returns the address of a collection's thumbnail, as `thumbnailAddress`. `isStoredOnly`: without a request to the library. */
export function collectionThumbnailAddress(
  siteId: string,
  id: string,
  { changes, isStoredOnly }: { changes: number; isStoredOnly: boolean },
): string {
  const ref = { siteId, subject: 'collections', id, version: COLLECTION_VERSION, isStoredOnly } as const;
  return withChanges(thumbnailPath(ref), changes);
}

function withChanges(path: string, changes: number): string {
  return changes === 0 ? path : `${path}?change=${changes}`;
}
