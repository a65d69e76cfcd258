import type { EditChoice, EditValue } from '../../../../shared/contract/edits.ts';
import { keyOfAnyOp } from '../../../../shared/model/edits/collection-fold.ts';
import type { AnyOp } from '../../../../shared/model/edits/collection-ops.ts';
import type { EditableMedia } from '../../../../shared/model/edits/edit-ops.ts';
import { deletionOf } from '../../../../shared/model/edits/seen-item.ts';
import type { EditRecord, StoredOp } from '../journal/edit-row.ts';
import { settled } from '../replay/record-replay.ts';

type TextOp = Extract<AnyOp, { kind: 'set-field' | 'set-collection-field' | 'set-podcast-field' }>;

/** Whether an op sets a field for which another text can be entered. */
export function isTextOp(op: AnyOp): op is TextOp {
  return op.kind === 'set-field' || op.kind === 'set-collection-field' || op.kind === 'set-podcast-field';
}

/**
 * Returns an op after the user's decision. Every answer but `theirs` sends it with the value in the question as its base. `shown`
 * returns an item as the copy of the library has it, for a deletion whose question could show no values; null when the item is
 * unknown.
 */
export function withDecision(stored: StoredOp, choice: EditChoice, shown: () => EditableMedia | null): StoredOp {
  const { op, theirs, seen = op, since } = stored;
  switch (choice.kind) {
    case 'theirs':
      return { op, outcome: 'theirs', ...(theirs === undefined ? {} : { theirs }), ...replaced(stored) };
    case 'mine':
      if (theirs === undefined) return stored;
      return { op: since === undefined ? asShown(seen, shown) : seen, outcome: null, ...replaced(stored, theirs) };
    case 'value':
      if (!isTextOp(seen)) return stored;
      return {
        op: { ...seen, mine: choice.value } as AnyOp,
        outcome: null,
        ...replaced(stored, seen.mine, ...(theirs === undefined ? [] : [theirs])),
      };
    case 'now':
      return seen.kind === 'publish' ? { op: { ...seen, when: 'now' }, outcome: null, ...replaced(stored) } : stored;
    case 'at':
      return seen.kind === 'publish'
        ? { op: { ...seen, when: { at: choice.at } }, outcome: null, ...replaced(stored) }
        : stored;
  }
}

/**
 * Returns a deletion of an item with the values of the library's copy, and any other op unchanged. A deletion of an earlier
 * version does not contain the values that its user saw, so that the question could not show later changes.
 */
function asShown(op: AnyOp, shown: () => EditableMedia | null): AnyOp {
  if (op.kind !== 'delete') return op;
  const item = shown();
  return item === null ? op : deletionOf(item);
}

/**
 * Returns a later record after a decision about values that it also sets: the decision is about the newest own value, so these ops
 * end with it. `theirs`: the values that the user accepted, by `keyOfAnyOp`; undefined: the decision sends another value.
 */
export function endedByDecision(
  later: EditRecord,
  decided: ReadonlyMap<string, EditValue | undefined>,
  now: number,
): EditRecord {
  const ops = later.ops?.map((stored): StoredOp => {
    const key = keyOfAnyOp(stored.op);
    if (stored.outcome !== null || !decided.has(key)) return stored;
    const theirs = decided.get(key);
    return theirs === undefined ? { ...stored, outcome: 'dropped' } : { ...stored, outcome: 'theirs', theirs };
  });
  if (ops === undefined || ops.every((stored, index) => stored === later.ops?.[index])) return later;
  const isOpen = ops.some(({ outcome }) => outcome === null);
  return isOpen ? { ...later, ops } : { ...settled({ ...later, ops }, now), error: later.error };
}

/** Adds values to those that decisions about an op replaced. History shows them. */
export function replaced({ lost = [] }: StoredOp, ...values: readonly EditValue[]): Pick<StoredOp, 'lost'> {
  const all = [...lost, ...values.filter((value) => value !== null && value !== '' && !lost.includes(value))];
  return all.length === 0 ? {} : { lost: all };
}
