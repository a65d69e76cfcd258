import { AppError, appError, toAppError } from '../../../../shared/contract/app-error.ts';
import type { CollectionMove, CollectionMoves } from '../../../../shared/contract/collections.ts';
import { collectionIntents, type LibraryEdits } from '../edit-port.ts';
import { type CollectionIndex, idsFrom } from './collection-index.ts';
import type { CollectionReads } from './collection-reads.ts';

export interface CollectionMoveTools {
  reads: CollectionReads;
  edits(): LibraryEdits;
  /** The tree as the user sees it. */
  trees(siteId: string): Promise<{ effective: CollectionIndex }>;
}

/** A move that was checked; `isThere`: the collection is already at the target. */
interface PlannedMove {
  id: string;
  name: string;
  from: string;
  to: string;
  isThere: boolean;
}

/** Checks moves, and sends those that are possible as one edit. Each succeeds or fails alone. */
export async function moveCollections(
  tools: CollectionMoveTools,
  siteId: string,
  moves: readonly CollectionMove[],
): Promise<CollectionMoves> {
  const result: CollectionMoves = { moved: [], failed: [], groupId: null };
  const planned: PlannedMove[] = [];
  for (const move of moves) {
    const { collectionId } = move;
    try {
      const plan = await plannedMove(tools, siteId, move);
      if (plan.isThere) result.moved.push({ collectionId, displayName: plan.name, fromParentId: move.newParentId });
      else planned.push(plan);
    } catch (thrown) {
      const error = toAppError(thrown);
      const displayName = String(error.details?.displayName ?? '');
      result.failed.push({ collectionId, displayName, error: error.toData() });
    }
  }
  if (planned.length === 0) return result;
  const intents = planned.map(({ id, name, from, to }) =>
    collectionIntents(id, name, [{ kind: 'move-to-parent', v: 1, base: from, mine: to }]),
  );
  const change = { collection: 'move' as const };
  const sent = await tools.edits().apply({ siteId, change, edits: intents, wait: true });
  for (const [index, { kind, error, entityId: collectionId }] of sent.results.entries()) {
    const { name: displayName, from: fromParentId } = planned[index] as PlannedMove;
    if (kind === 'failed' && error !== null) result.failed.push({ collectionId, displayName, error });
    else
      result.moved.push({
        collectionId,
        displayName,
        fromParentId,
        ...(kind === 'pending' ? { isPending: true } : {}),
      });
  }
  return { ...result, groupId: sent.groupId };
}

/** Checks a move. Throws `collection.is-root`, `collection.into-itself`, and the errors of the reads. */
async function plannedMove(tools: CollectionMoveTools, siteId: string, move: CollectionMove): Promise<PlannedMove> {
  const { reads, trees, edits } = tools;
  const { collectionId, expectedParentId } = move;
  const { effective } = await trees(siteId);
  const id = edits().idOf(collectionId);
  const to = edits().idOf(move.newParentId);
  const row = effective.nodes.get(id)?.row;
  // A collection at the top of the tree can be below a collection that the account does not see.
  const place =
    row === undefined || row.parentId === null
      ? (await reads.detail(siteId, id)).collection
      : { display_name: row.displayName, parent_id: row.parentId };
  const name = place.display_name;
  if (place.parent_id === null) throw named(appError('collection.is-root', { details: { collectionId } }), name);
  if (id === to || idsFrom(effective, id).includes(to)) {
    throw named(appError('collection.into-itself', { details: { collectionId, newParentId: to } }), name);
  }
  const from = edits().idOf(expectedParentId ?? place.parent_id);
  return { id, name, from, to, isThere: from === to };
}

function named(error: AppError, displayName: string): AppError {
  return new AppError(error.code, error.message, { ...error.details, displayName }, error.cause);
}
