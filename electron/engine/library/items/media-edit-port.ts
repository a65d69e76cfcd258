import type { MediaItem } from '../../../../shared/api/media.ts';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { BulkChange } from '../../../../shared/contract/edits.ts';
import type { EditableMedia } from '../../../../shared/model/edits/edit-ops.ts';

/** How an edit of one item ended for the caller. */
export type MediaEditResult =
  /** The library has the values. `item`: as the library has it; null: it was deleted. */
  | { kind: 'done'; item: MediaItem | null }
  /** The edit waits in the journal. `item`: as it was last read; null: it was never read. */
  | { kind: 'pending'; item: MediaItem | null; reason: AppErrorData | null };

/** The journal of edits, as the library's calls about one item use it. */
export interface MediaEdits {
  /**
   * Stores an edit of one item and waits until it is sent or has to wait. `expected`: the values that the user saw, as far as the
   * caller knows them; otherwise those that were read last. Throws the error of an edit that the library refused, and
   * `edit.conflict`; such an edit is dropped, because the caller reports it.
   */
  edit(
    siteId: string,
    mediaId: string,
    change: BulkChange,
    expected?: Partial<EditableMedia>,
  ): Promise<MediaEditResult>;
  /** Notes the values that the user sees now: they are the base of the next edit. */
  noteSeen(siteId: string, item: MediaItem): void;
  /** Which action of the user the pending edits of an item need before they are sent; null: none. */
  needsOf(siteId: string, mediaId: string): 'decision' | 'retry' | null;
  /** Returns an item with its pending edits applied; `item` null: it is going to be deleted. */
  effective(siteId: string, item: MediaItem): { item: MediaItem | null; isPending: boolean };
}
