import type { EditRecord, StoredOp } from '../../../electron/engine/edits/journal/edit-row.ts';
import { type AnyOp, withServerIds } from '../../../shared/model/edits/collection-ops.ts';
import type { FinalAccount } from './edit-history.ts';

/** An op with its place; ids are those of the library. */
export interface PlacedOp<Op extends AnyOp> {
  account: FinalAccount;
  record: EditRecord;
  stored: StoredOp;
  op: Op;
}

/** Whether the library may have got a value from the program: it was sent, or dropped after a request without an answer. */
export function isPerhapsOwn({ outcome, isUnanswered = false }: StoredOp): boolean {
  return outcome === 'sent' || isUnanswered;
}

/** Returns the ops of all records that are of one kind. */
export function placedOps<Op extends AnyOp>(
  accounts: readonly FinalAccount[],
  isOfKind: (op: AnyOp) => op is Op,
): PlacedOp<Op>[] {
  return accounts.flatMap((account) =>
    account.records.flatMap((record) =>
      (record.ops ?? []).flatMap((stored) => {
        const op = withServerIds(stored.op, (id) => account.serverIds[id] ?? id);
        return isOfKind(op) ? [{ account, record, stored, op }] : [];
      }),
    ),
  );
}

/** Whether a deletion ended without an effect: what its account had changed before is sent then. */
export function isGivenUp({ outcome }: StoredOp): boolean {
  return outcome === 'theirs' || outcome === 'left' || outcome === 'dropped';
}

/** Whether a record has an op of a kind. */
export function hasOp({ ops }: Pick<EditRecord, 'ops'>, kind: StoredOp['op']['kind']): boolean {
  return (ops ?? []).some(({ op }) => op.kind === kind);
}

/** Whether a decision about an earlier edit ends edits of the same value behind it: it sends no own value, or another one. */
export function decidesLater({ seq, choice }: { seq: number; choice: string }, recordSeq: number): boolean {
  return (
    seq >= 0 && seq < recordSeq && (choice === 'theirs' || choice === 'value' || choice === 'now' || choice === 'at')
  );
}
