import { fieldOfAnyOp } from '../../../shared/model/edits/collection-fold.ts';
import { WORLD_EPOCH_MS } from '../world/virtual-time.ts';
import type { EditHistory, FinalAccount } from './edit-history.ts';

/** The longest time between the moment when a person opens a form and the moment when its edit is stored. */
const FORM_MS = 5000;

/**
 * Whether a person changed a value, or undid a change of it, while a form that still showed the value before was being saved: two
 * forms of one collection, or a form and an undo, at the same time. The edit of the form asks about that value.
 */
export function isFromOlderForm(
  { collectionEffects }: EditHistory,
  account: FinalAccount,
  { id, field, seq }: { id: string; field: string; seq: number },
): boolean {
  const storedAt = account.records.find((each) => each.seq === seq)?.createdAt ?? 0;
  const isMeanwhile = (at: number | null) => at !== null && at <= storedAt && at >= storedAt - FORM_MS;
  const isWritten = collectionEffects.some(
    (each) =>
      each.by === account.site && each.id === id && each.field === field && isMeanwhile(WORLD_EPOCH_MS + each.atMs),
  );
  const isUndone = account.records.some(
    ({ entityId, endedAt, ops }) =>
      (account.serverIds[entityId] ?? entityId) === id &&
      isMeanwhile(endedAt) &&
      (ops ?? []).some((each) => each.isUndone === true && fieldOfAnyOp(each.op) === field),
  );
  return isWritten || isUndone;
}
