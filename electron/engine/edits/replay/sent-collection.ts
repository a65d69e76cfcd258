import type { Collection } from '../../../../shared/api/collections.ts';
import { htmlToText, WORDS } from '../../../../shared/api/html-text.ts';
import type { PodcastDetails } from '../../../../shared/api/podcasts.ts';
import { collectionValueOf } from '../../../../shared/model/edits/collection-fold.ts';
import type {
  CollectionOp,
  CollectionValue,
  EditableCollection,
} from '../../../../shared/model/edits/collection-ops.ts';

interface CollectionBefore {
  collection: Collection;
  podcast: PodcastDetails | null;
}

/** Returns the collection as it was before, with the sent values: for a collection that can't be read again. */
export function withSentValues(before: CollectionBefore, sent: readonly { op: CollectionOp }[]): CollectionBefore {
  return sent.reduce(({ collection, podcast }: CollectionBefore, { op }): CollectionBefore => {
    switch (op.kind) {
      case 'set-collection-field':
        return { collection: { ...collection, [op.field]: op.mine }, podcast };
      case 'set-podcast-field':
        return { collection, podcast: podcast === null ? null : { ...podcast, [op.field]: op.mine } };
      case 'move-to-parent':
        return { collection: { ...collection, parent_id: op.mine }, podcast };
      default:
        return { collection, podcast };
    }
  }, before);
}

/**
 * Returns the value that a request wrote, which an undo reverts. If the library has another value, someone wrote it right
 * after.
 */
export function writtenValueOf(op: CollectionOp, after: EditableCollection, isThere: boolean): CollectionValue {
  const value = collectionValueOf(op, after);
  if (isThere || !('mine' in op)) return value;
  const isHtml =
    'field' in op && op.field === 'description' && typeof op.mine === 'string' && typeof value === 'string';
  // The library can store our HTML in its own form.
  return isHtml && htmlToText(op.mine as string, WORDS) === htmlToText(value, WORDS) ? value : op.mine;
}
