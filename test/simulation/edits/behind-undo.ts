import { fieldOfAnyOp } from '../../../shared/model/edits/collection-fold.ts';
import type { FinalAccount } from './edit-history.ts';

/**
 * Whether a record follows an undo or a redo of the same value that changed nothing, or that was sent together with the
 * record: its person saw the value that was to be restored, and is asked about the value that stayed, even if the same
 * account wrote it.
 */
export function isBehindUndo({ records, groups }: FinalAccount, seq: number, field: string): boolean {
  const asked = records.find((each) => each.seq === seq);
  const redone = new Set(groups.map(({ redoneBy }) => redoneBy));
  const undos = new Set(groups.flatMap(({ id, seq: own, undoes }) => (undoes !== null || redone.has(id) ? [own] : [])));
  return records.some(
    (each) =>
      each.seq < seq &&
      each.entityKind === asked?.entityKind &&
      each.entityId === asked.entityId &&
      undos.has(each.groupSeq) &&
      (each.ops ?? []).some(
        ({ op, outcome }) => (outcome === 'left' || outcome === 'superseded') && fieldOfAnyOp(op) === field,
      ),
  );
}
