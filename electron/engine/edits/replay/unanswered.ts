import type { EditValue } from '../../../../shared/contract/edits.ts';
import { keyOfAnyOp } from '../../../../shared/model/edits/collection-fold.ts';
import { type AnyOp, isDeletion } from '../../../../shared/model/edits/collection-ops.ts';
import { publicationOf } from '../../../../shared/model/edits/edit-ops.ts';
import type { Net } from '../../../../shared/model/edits/fold.ts';
import type { EditRecord, StoredOp } from '../journal/edit-row.ts';

// A request without an answer may have changed the library. When the user drops its edit, the library may still have that value. It
// is a value of this user and not of someone else: no edit asks the user about it, and an undo takes it back.

/** Errors that mean that the item or collection of an edit is not in the library, so it has no values. */
const GONE: ReadonlySet<string> = new Set(['edit.item-gone', 'edit.collection-gone', 'edit.collection-not-created']);

/**
 * Returns whether the library may have the value of an open op, or another value instead of its base, because a request got no
 * answer. An op that asks was compared with the library after that request.
 */
function mayBeWritten({ sentAt, error }: EditRecord, { op, outcome, asks, otherBases }: StoredOp): boolean {
  if (outcome !== null || writtenBy(op) === null || GONE.has(error?.code ?? '')) return false;
  return (otherBases ?? []).length > 0 || (sentAt !== null && asks !== true);
}

/**
 * Returns the value that the library has once it applied an op; null for an op that sets none. For a tag: whether the item has
 * it.
 */
function writtenBy(op: AnyOp): { value: EditValue } | null {
  if ('mine' in op) return { value: op.mine };
  if (isTagOp(op)) return { value: op.kind === 'add-tag' };
  return op.kind === 'publish' || op.kind === 'unpublish' ? { value: publicationOf(op) } : null;
}

/** Returns the values that the library may have because of an op whose request got no answer, and of the ops before it. */
export function valuesAfter({ sentAt }: Pick<EditRecord, 'sentAt'>, { op, otherBases }: StoredOp): EditValue[] {
  const written = sentAt === null ? null : writtenBy(op);
  return withoutRepeats([...(otherBases ?? []), ...(written === null ? [] : [written.value])]);
}

/** Values that the library may have instead of the base of an op, for a replay. */
export interface OtherBases {
  /** The op with each of these values as its base. */
  steps: readonly AnyOp[];
  values: readonly EditValue[];
}

/** Returns the other bases of an op for a replay; null when it has none. */
export function otherBasesOf({ op, otherBases }: StoredOp): OtherBases | null {
  if (otherBases === undefined) return null;
  const steps = 'base' in op ? otherBases.map((base) => ({ ...op, base }) as AnyOp) : [];
  return { steps, values: otherBases };
}

/**
 * Returns the open ops of an item or collection, in order, with further values as their other bases: those of edits that the user
 * dropped, and those of later edits that were sent together with these ops and now wait for a decision. `behind`: the records after
 * these ops.
 */
export function acceptingUnanswered<Open extends { op: AnyOp; otherBases: OtherBases | null }>(
  open: readonly Open[],
  { dropped, behind }: { dropped: readonly EditRecord[]; behind: readonly EditRecord[] },
): Open[] {
  const valuesOf = (record: EditRecord, isUnknown: (stored: StoredOp) => boolean) =>
    (record.ops ?? []).filter(isUnknown).map((stored) => ({
      key: keyOfAnyOp(stored.op),
      values: valuesAfter(record, stored),
    }));
  const unknown = [
    ...dropped.flatMap((record) => valuesOf(record, isDroppedUnanswered)),
    ...behind.flatMap((record) => valuesOf(record, (stored) => record.sentAt !== null && mayBeWritten(record, stored))),
  ];
  return open.map((each) => {
    const same = unknown.filter(({ key }) => key === keyOfAnyOp(each.op));
    if (same.length === 0) return each;
    const values = withoutRepeats([...(each.otherBases?.values ?? []), ...same.flatMap((known) => known.values)]);
    return { ...each, otherBases: otherBasesOf({ op: each.op, outcome: null, otherBases: values }) };
  });
}

/**
 * Returns dropped records after the library was read: their values are no longer marked as unanswered. Unchanged records are
 * omitted.
 */
export function withoutUnanswered(dropped: readonly EditRecord[]): EditRecord[] {
  return dropped.flatMap((record) => {
    const ops = (record.ops ?? []).map((stored): StoredOp => {
      const { isUnanswered: _, ...rest } = stored;
      return isDroppedUnanswered(stored) ? rest : stored;
    });
    return ops.some((each, index) => each !== record.ops?.[index]) ? [{ ...record, ops }] : [];
  });
}

/**
 * Returns whether the user dropped an op whose value the library may have. For an op that an undo dropped, the undo has an op of
 * its own.
 */
export function isDroppedUnanswered({ isUnanswered, isUndone }: StoredOp): boolean {
  return isUnanswered === true && isUndone !== true;
}

/** The known state of an op that represents several ops. */
export interface MayBeOwn {
  /** Whether a request of this computer may have written the wanted value. If so, the library's equal value counts as our own. */
  mayBeOwn: boolean;
}

/** Returns net ops with the other bases of the ops that they represent. `others`: by position. */
export function withOtherBases<Op extends AnyOp, Each extends Net<Op>>(
  net: readonly Each[],
  others: ReadonlyMap<number, OtherBases>,
): (Each & MayBeOwn)[] {
  return net.map((each) => {
    // A deletion asks about every changed value of the item: a value that this computer may have written does not answer that.
    if (isDeletion(each.op)) return { ...each, mayBeOwn: false };
    const known = each.positions.flatMap((position) => others.get(position) ?? []);
    const written = each.steps.flatMap((step) => writtenBy(step) ?? []);
    const values = [...known.flatMap((other) => other.values), ...written.map(({ value }) => value)];
    const wanted = writtenBy(each.op);
    const mayBeOwn =
      wanted !== null && values.some((value) => isEqual(withoutTimes(value), withoutTimes(wanted.value)));
    const steps = [...each.steps, ...(known.flatMap((other) => other.steps) as Op[])];
    return { ...each, steps, mayBeOwn };
  });
}

/** The effect of dropping a record on the other open records of its item or collection. */
interface Dropped {
  /** The positions of its ops whose values the library may have, and which no other open op sets. */
  unanswered: ReadonlySet<number>;
  /** The other records, in order. */
  others: readonly EditRecord[];
}

/**
 * Returns the effect of dropping a record. `others`: the open records of its item or collection that stay. The next op on the
 * same value gets the base of the dropped op, and as other bases the values that the library may have. If there is no next op,
 * the previous op gets these other bases, because it was sent together with the dropped op. `isDropped`: false for an op that was
 * sent.
 */
export function afterDrop(
  record: EditRecord,
  others: readonly EditRecord[],
  isDropped: (stored: StoredOp) => boolean,
): Dropped {
  const unanswered = new Set<number>();
  let changed = others;
  for (const [index, stored] of (record.ops ?? []).entries()) {
    if (!isDropped(stored)) continue;
    const { op } = stored;
    const isOpen = mayBeWritten(record, stored);
    const next = changed.find(({ seq, ops }) => seq > record.seq && placeOf(op, ops) >= 0);
    const previous = changed.findLast(({ seq, ops }) => seq < record.seq && placeOf(op, ops) >= 0);
    const acceptingRecord = next ?? (isOpen ? previous : undefined);
    if (acceptingRecord === undefined) {
      if (isOpen) unanswered.add(index);
      continue;
    }
    const values = isOpen ? valuesAfter(record, stored) : null;
    const place = placeOf(op, acceptingRecord.ops);
    const inherit = (each: StoredOp) => accepting(acceptingRecord === next ? withBaseOf(each, stored) : each, values);
    const ops = acceptingRecord.ops?.map((each, at) => (at === place ? inherit(each) : each));
    changed = changed.map((each) => (each === acceptingRecord ? { ...each, ops: ops ?? null } : each));
  }
  return { unanswered, others: changed };
}

/** Returns the position of the first open op that changes the same value; -1: none does. */
function placeOf(op: AnyOp, ops: EditRecord['ops']): number {
  const key = keyOfAnyOp(op);
  return (ops ?? []).findIndex((each) => each.outcome === null && keyOfAnyOp(each.op) === key);
}

/** Returns the next op after a dropped one, with the dropped op's base. */
function withBaseOf(stored: StoredOp, dropped: StoredOp): StoredOp {
  const { op } = stored;
  if (isTagOp(op)) {
    const isBase = (op.kind === dropped.op.kind) === (dropped.isBase === true);
    const { isBase: _, ...rest } = stored;
    // With `otherBases` no op cancels this one: the library may not have the value that it was made on top of.
    return { ...rest, otherBases: stored.otherBases ?? [], ...(isBase ? { isBase } : {}) };
  }
  // The base of a deletion of a collection is what its user confirmed: no other op changes it.
  if (!('base' in dropped.op) || !('base' in op) || op.kind === 'delete-collection') return stored;
  // What an undo takes back is not a base but what the library may have: the base of the next op is the value that the undo restores.
  const { base } = dropped.op;
  const isTakenBack = (dropped.otherBases ?? []).some((each) => isEqual(each, base));
  return isTakenBack ? stored : { ...stored, op: { ...op, base } as AnyOp };
}

/** Returns an op with more other bases; `values` null: unchanged. */
function accepting(stored: StoredOp, values: readonly EditValue[] | null): StoredOp {
  if (values === null) return stored;
  return { ...stored, otherBases: withoutRepeats([...(stored.otherBases ?? []), ...values]) };
}

function isTagOp({ kind }: AnyOp): boolean {
  return kind === 'add-tag' || kind === 'remove-tag';
}

function withoutRepeats(values: readonly EditValue[]): EditValue[] {
  return values.filter((value, index) => values.findIndex((each) => isEqual(each, value)) === index);
}

/** Returns a value without the time of its request: two requests that publish an item write the same value. */
function withoutTimes(value: EditValue): EditValue {
  if (typeof value !== 'object' || value === null || !('between' in value)) return value;
  const { between: _, ...rest } = value;
  return rest;
}

function isEqual(one: EditValue, other: EditValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
