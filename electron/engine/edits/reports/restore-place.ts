import type { CollectionOp } from '../../../../shared/model/edits/collection-ops.ts';
import type { EditOp } from '../../../../shared/model/edits/edit-ops.ts';
import { isRestorable } from '../../../../shared/model/edits/restorable.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import type { EditJournal } from '../journal/edit-journal.ts';
import type { EditRecord } from '../journal/edit-row.ts';

type Move = Extract<EditOp | CollectionOp, { kind: 'move-collection' | 'move-to-parent' }>;

/**
 * Returns where an item or collection that someone else deleted would be now: the collection into which its user moved it last, or
 * the one that contained it. null: unknown, or that collection is not in the mirror.
 */
export function restorePlace(record: EditRecord, journal: EditJournal, mirrors: Mirrors): string | null {
  if (!isRestorable(record)) return null;
  const { siteId, entityId, entityKind } = record;
  const ops = journal.store.openOf(siteId, entityId, entityKind).flatMap((each) => each.ops ?? []);
  const moves = ops.flatMap(({ op, outcome }) => (outcome === null && isMove(op) ? [op.mine] : []));
  const collections = mirrors.collections(siteId);
  const before =
    entityKind === 'media'
      ? mirrors.items(siteId, [entityId]).get(entityId)?.collection_id
      : (collections?.find(({ id }) => id === entityId)?.parentId ??
        mirrors.collectionDetail(siteId, entityId)?.collection.parent_id);
  const place = moves.at(-1) ?? before ?? null;
  const isMissing = collections !== null && !collections.some(({ id }) => id === journal.idOf(place ?? ''));
  return isMissing ? null : place;
}

function isMove(op: EditOp | CollectionOp): op is Move {
  return op.kind === 'move-collection' || op.kind === 'move-to-parent';
}
