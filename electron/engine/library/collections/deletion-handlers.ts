import { appError } from '../../../../shared/contract/app-error.ts';
import { type CollectionOp, isLocalId } from '../../../../shared/model/edits/collection-ops.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Handlers } from '../../common/handlers.ts';
import { collectionIntents, type EditResult, type LibraryEdits } from '../edit-port.ts';
import type { LibraryChanges } from '../library-changes.ts';
import { hasNoAnswer } from './collection-cache.ts';
import {
  type BranchCount,
  countBranches,
  pendingContents,
  planDeletion,
  storedCount,
  storedDeletion,
  topOf,
  withPending,
} from './collection-deletion.ts';
import { type CollectionIndex, idsFrom } from './collection-index.ts';

export interface DeletionTools {
  clientFor(siteId: string): SiteClient;
  edits(): LibraryEdits;
  /** The tree as the library has it, and as the user sees it. */
  trees(siteId: string): Promise<{ truth: CollectionIndex; effective: CollectionIndex }>;
  changing: LibraryChanges['changing'];
}

type DeletionCall = `library.${'planDeletion' | 'deleteCollections' | 'stopDeletion'}`;

/** The calls that delete collections with all that is in them, after they were counted. */
export function deletionHandlers(tools: DeletionTools): Pick<Handlers, DeletionCall> {
  const { clientFor, edits, trees, changing } = tools;
  return {
    async 'library.planDeletion'({ siteId, collectionIds }) {
      const client = clientFor(siteId);
      const ids = collectionIds.map((id) => edits().idOf(id));
      try {
        const plan = await planDeletion(
          client,
          ids.filter((id) => !isLocalId(id)),
        );
        const { truth, effective } = await trees(siteId);
        const top = topOf(effective, ids);
        const moved = top.map((id) => pendingContents(truth, effective, id));
        const counted = withPending(plan, moved, top);
        return { ...counted, collections: counted.collectionIds.length };
      } catch (error) {
        if (!hasNoAnswer(error)) throw error;
        return storedDeletion((await trees(siteId)).effective, ids);
      }
    },

    'library.deleteCollections'({ siteId, collectionIds, confirmed }) {
      return changing({ siteId, collectionId: null, mediaId: null }, async () => {
        const { deletions } = edits();
        if (deletions.isRunning(siteId)) {
          throw appError('input.invalid', { message: 'Another deletion is still running in this library.' });
        }
        const ids = [...new Set(collectionIds.map((id) => edits().idOf(id)))];
        const { effective } = await trees(siteId);
        const top = topOf(effective, ids);
        const counts = await branchCounts(tools, siteId, top);
        const found = new Set(counts.flatMap((each) => each.collectionIds.map((id) => edits().idOf(id))));
        const items = counts.reduce((sum, each) => sum + each.items, 0);
        const known = new Set(confirmed.collectionIds.map((id) => edits().idOf(id)));
        if ([...found].some((id) => !known.has(id)) || items > confirmed.items) {
          throw appError('collection.grew', { details: { collections: found.size, items } });
        }
        // New collections below a deleted one get a deletion too, so that they are never created.
        const below = top.flatMap((id) =>
          idsFrom(effective, id).filter((each) => isLocalId(each) && !top.includes(each)),
        );
        const intents = [...below, ...top].map((id) => {
          const count = counts.find((each) => each.id === id) ?? { collectionIds: [id], items: 0 };
          const op: CollectionOp = {
            ...({ kind: 'delete-collection', v: 1 } as const),
            base: { collections: count.collectionIds.length, collectionIds: count.collectionIds, items: count.items },
          };
          return collectionIntents(id, effective.nodes.get(id)?.row.displayName ?? id, [op]);
        });
        deletions.begin(siteId, items);
        let deletedItems = 0;
        const change = { collection: 'delete' as const };
        const sent = await edits()
          .apply({ siteId, change, edits: intents, wait: true })
          .finally(() => {
            deletedItems = deletions.end(siteId);
          });
        const results = sent.results.filter(({ entityId }) => top.includes(entityId));
        const of = (kind: EditResult['kind']) => results.flatMap((each) => (each.kind === kind ? [each.entityId] : []));
        const failed = results.flatMap(({ entityId: collectionId, kind, error }) => {
          const displayName = effective.nodes.get(collectionId)?.row.displayName ?? collectionId;
          return kind === 'failed' && error !== null ? [{ collectionId, displayName, error }] : [];
        });
        const pending = of('pending');
        return {
          deleted: of('done'),
          deletedItems,
          failed,
          isStopped: of('stopped').length > 0,
          ...(pending.length > 0 ? { pending } : {}),
        };
      });
    },

    async 'library.stopDeletion'({ siteId }) {
      edits().deletions.stop(siteId);
      return null;
    },
  };
}

/** Returns what a deletion removes, for each chosen collection; counted in the copy while the library can't be reached. */
async function branchCounts(
  { clientFor, trees }: DeletionTools,
  siteId: string,
  ids: readonly string[],
): Promise<BranchCount[]> {
  const { truth, effective } = await trees(siteId);
  try {
    const counted = await countBranches(
      clientFor(siteId),
      ids.filter((id) => !isLocalId(id)),
    );
    return ids.map((id) => {
      const known = counted.find((each) => each.id === id) ?? { id, collectionIds: [], items: 0 };
      return withPending(known, [pendingContents(truth, effective, id)], [id]);
    });
  } catch (error) {
    if (!hasNoAnswer(error)) throw error;
    return ids.map((id) => storedCount(effective, id));
  }
}
