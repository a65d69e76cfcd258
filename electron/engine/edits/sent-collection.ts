import type { Collection } from '../../../shared/api/collections.ts';
import type { PodcastDetails } from '../../../shared/api/podcasts.ts';
import type { CollectionOp } from '../../../shared/model/edits/collection-ops.ts';

interface ReadCollection {
  collection: Collection;
  podcast: PodcastDetails | null;
}

/** Returns a collection that was read before some ops were sent, with their values: for one that can't be read again. */
export function withSentValues(before: ReadCollection, sent: readonly { op: CollectionOp }[]): ReadCollection {
  return sent.reduce(({ collection, podcast }: ReadCollection, { op }): ReadCollection => {
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
