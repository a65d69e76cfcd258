import type { EditValue } from '../../../../shared/contract/edits.ts';
import { keyOfAnyOp } from '../../../../shared/model/edits/collection-fold.ts';
import { type AnyOp, isDeletion } from '../../../../shared/model/edits/collection-ops.ts';
import { publicationOf } from '../../../../shared/model/edits/edit-ops.ts';
import type { EditRecord, StoredOp } from '../journal/edit-row.ts';

// A request without an answer may have changed the library. When its edit is dropped, no one waits for that value any more, but the
// library may have it. It is an own value: nothing asks the user about it, and an undo takes it back.

/** Answers after which the item or collection of an edit has no values. */
const GONE: ReadonlySet<string> = new Set(['edit.item-gone', 'edit.collection-gone', 'edit.collection-not-created']);

/**
 * Whether the library may have the value of an open op of a record, or one from before its base: a request got no answer. An op
 * that asks was compared with the library after that.
 */
function mayBeWritten({ sentAt, error }: EditRecord, { op, outcome, asks, otherBases }: StoredOp): boolean {
  if (outcome !== null || writtenBy(op) === null || GONE.has(error?.code ?? '')) return false;
  return (otherBases ?? []).length > 0 || (sentAt !== null && asks !== true);
}

/** Returns the value that the library has when it applied an op; null: of an op that sets no value. A tag is there or not. */
function writtenBy(op: AnyOp): { value: EditValue } | null {
  if ('mine' in op) return { value: op.mine };
  if (isTagOp(op)) return { value: op.kind === 'add-tag' };
  return op.kind === 'publish' || op.kind === 'unpublish' ? { value: publicationOf(op) } : null;
}

/** Returns the values that the library may have because of an op of a record without an answer, and of those before it. */
export function valuesAfter({ sentAt }: Pick<EditRecord, 'sentAt'>, { op, otherBases }: StoredOp): EditValue[] {
  const written = sentAt === null ? null : writtenBy(op);
  return withoutRepeats([...(otherBases ?? []), ...(written === null ? [] : [written.value])]);
}

/** What a replay needs of an op with other bases. */
export interface OtherBases {
  /** The op with each of them in place of its base. */
  steps: readonly AnyOp[];
  values: readonly EditValue[];
}

/** Returns what a replay needs of an op; null: it has no other bases. */
export function otherBasesOf({ op, otherBases }: StoredOp): OtherBases | null {
  if (otherBases === undefined) return null;
  const steps = 'base' in op ? otherBases.map((base) => ({ ...op, base }) as AnyOp) : [];
  return { steps, values: otherBases };
}

/**
 * Returns the open ops of an item or collection, in order, which also accept the values of edits that its user dropped, and of later
 * ones that were sent together with these ops and now wait behind a question. `behind`: the records after these ops.
 */
export function acceptingUnanswered<Open extends { op: AnyOp; otherBases: OtherBases | null }>(
  open: readonly Open[],
  { dropped, behind }: { dropped: readonly EditRecord[]; behind: readonly EditRecord[] },
): Open[] {
  const valuesOf = (record: EditRecord, isUnknown: (stored: StoredOp) => boolean) =>
    (record.ops ?? []).filter(isUnknown).map((stored) => ({
      ...{ key: keyOfAnyOp(stored.op), values: valuesAfter(record, stored) },
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

/** Returns the records of edits that their user dropped after the library was read: it is known what it has. */
export function withoutUnanswered(dropped: readonly EditRecord[]): EditRecord[] {
  return dropped.flatMap((record) => {
    const ops = (record.ops ?? []).map((stored): StoredOp => {
      const { isUnanswered: _, ...rest } = stored;
      return isDroppedUnanswered(stored) ? rest : stored;
    });
    return ops.some((each, index) => each !== record.ops?.[index]) ? [{ ...record, ops }] : [];
  });
}

/** Whether the user dropped an op that the library may have. An undo adds an op for what it dropped instead. */
export function isDroppedUnanswered({ isUnanswered, isUndone }: StoredOp): boolean {
  return isUnanswered === true && isUndone !== true;
}

interface NetOp<Op> {
  op: Op;
  positions: readonly number[];
  steps: readonly Op[];
}

/** What is known of an op that stands for several. */
export interface MayBeOwn {
  /** A request of this computer may have written the wanted value: when the library has it, it is an own one. */
  mayBeOwn: boolean;
}

/** Returns net ops that also accept the other bases of the ops that they stand for, by position. */
export function withOtherBases<Op extends AnyOp, Each extends NetOp<Op>>(
  net: readonly Each[],
  others: ReadonlyMap<number, OtherBases>,
): (Each & MayBeOwn)[] {
  return net.map((each) => {
    // What the library may have of a value says nothing about the other values of an item that is deleted.
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

/** What the drop of a record means for the other open records of its item or collection. */
interface Dropped {
  /** The positions of its ops whose values the library may have although no open op sets them. */
  unanswered: ReadonlySet<number>;
  /** The other records, in order. */
  others: readonly EditRecord[];
}

/**
 * Returns what the drop of a record means. `others`: the open records of its item or collection that stay. The next op of the same value
 * was made on top of the dropped one: it gets its base, and accepts the values that the library may have. Without a next one, the
 * previous one was sent together with it, and accepts them. `isDropped`: whether an op is dropped, and not sent already.
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

/** The position of the first open op that changes the same value; -1: none does. */
function placeOf(op: AnyOp, ops: EditRecord['ops']): number {
  const key = keyOfAnyOp(op);
  return (ops ?? []).findIndex((each) => each.outcome === null && keyOfAnyOp(each.op) === key);
}

/** Returns an op that was made on top of a dropped one as made without it. */
function withBaseOf(stored: StoredOp, dropped: StoredOp): StoredOp {
  const { op } = stored;
  if (isTagOp(op)) {
    const isBase = (op.kind === dropped.op.kind) === (dropped.isBase === true);
    const { isBase: _, ...rest } = stored;
    // Nothing cancels it: the library may not have what it was made on top of.
    return { ...rest, otherBases: stored.otherBases ?? [], ...(isBase ? { isBase } : {}) };
  }
  if (!('base' in dropped.op) || !('base' in op)) return stored;
  // What an undo takes back is not a base but what the library may have: the base of the next op is the value that the undo restores.
  const { base } = dropped.op;
  const isTakenBack = (dropped.otherBases ?? []).some((each) => isEqual(each, base));
  return isTakenBack ? stored : { ...stored, op: { ...op, base } as AnyOp };
}

/** Returns an op with more values as good as its base; null: none. */
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

/** Two requests that publish an item write the same value, whenever they were sent. */
function withoutTimes(value: EditValue): EditValue {
  if (typeof value !== 'object' || value === null || !('between' in value)) return value;
  const { between: _, ...rest } = value;
  return rest;
}

function isEqual(one: EditValue, other: EditValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
