import { canonicalHtml } from './canonical-html.ts';
import {
  type AnyField,
  type AnyOp,
  type CollectionOp,
  type CollectionValue,
  collectionFieldOf,
  type EditableCollection,
  isCollectionOp,
} from './collection-ops.ts';
import { fieldOf } from './edit-ops.ts';
import { coalesce, keyOfOp, type Net, netByKey } from './fold.ts';
import type { Verdict } from './verdicts.ts';

/** Returns a collection with one op applied; null while it does not exist, and once it is deleted. */
function applyCollectionOp(state: EditableCollection | null, op: CollectionOp, id = ''): EditableCollection | null {
  if (op.kind === 'create-collection') return state ?? { id, parentId: op.parentId, values: op.values };
  if (state === null || op.kind === 'delete-collection') return null;
  if (op.kind === 'move-to-parent') return { ...state, parentId: op.mine };
  return { ...state, values: { ...state.values, [op.field]: op.mine } };
}

/** Returns a collection with all ops applied in their order. `id`: of a collection that the ops create. */
export function foldCollection(
  state: EditableCollection | null,
  ops: readonly CollectionOp[],
  id = '',
): EditableCollection | null {
  return ops.reduce<EditableCollection | null>((now, op) => applyCollectionOp(now, op, id), state);
}

/** Returns the key of an op; ops with the same key replace each other. */
export function keyOfAnyOp(op: AnyOp): string {
  return isCollectionOp(op) ? `collection ${collectionFieldOf(op)}` : keyOfOp(op);
}

/** Returns the field that an op changes. */
export function fieldOfAnyOp(op: AnyOp): AnyField {
  return isCollectionOp(op) ? collectionFieldOf(op) : fieldOf(op);
}

/** An op that remains of those of one collection. */
export interface CoalescedCollectionOp extends Net<CollectionOp> {
  /** Positions of the ops whose value it has: the latest op of each field that a creation includes. */
  carried: readonly number[];
}

/**
 * Reduces the ops of one collection, in the order in which its user made them, to the fewest with the same effect: create +
 * change → create with the new value; create + delete → nothing; set + set → first base, last mine; set back to the base →
 * nothing; any + delete → delete. Podcast details are not merged into a creation, because they need a separate request. `sent`:
 * the positions of ops that an earlier attempt may have sent; when it is given, even if empty, no change cancels another.
 */
export function coalesceCollection(
  ops: readonly CollectionOp[],
  sent: ReadonlySet<number> | null = null,
): CoalescedCollectionOp[] {
  const isNew = ops[0]?.kind === 'create-collection';
  const end = ops.findIndex(({ kind }) => kind === 'delete-collection');
  if (end >= 0) {
    if (isNew) return [];
    const others = [...ops.keys()].filter((position) => position !== end);
    return [{ op: ops[end] as CollectionOp, positions: [...others, end], carried: [], steps: [] }];
  }
  const merge = (first: CollectionOp, last: CollectionOp) => merged(first, last, isNew || sent !== null);
  const net = netByKey(ops, keyOfAnyOp, merge, sent).map((each) => ({ ...each, carried: [] }));
  const [creation, ...rest] = net;
  return isNew && creation !== undefined ? withCreation(creation, rest) : net;
}

/** Merges all changes that the request of a creation can contain into the creation. */
function withCreation(
  creation: CoalescedCollectionOp,
  rest: readonly CoalescedCollectionOp[],
): CoalescedCollectionOp[] {
  const taken = rest.filter(({ op }) => op.kind !== 'set-podcast-field');
  const state = foldCollection(null, [creation.op, ...taken.map(({ op }) => op)]);
  const op: CollectionOp = {
    kind: 'create-collection',
    v: 1,
    parentId: state?.parentId ?? '',
    values: state?.values ?? {},
  };
  const carried = taken.flatMap(({ positions }) => positions.at(-1) ?? []);
  const positions = [...taken.flatMap((each) => each.positions), ...creation.positions];
  return [{ op, positions, carried, steps: [] }, ...rest.filter((each) => !taken.includes(each))];
}

/** Returns one op with the base of the first and the value of the last; null when they cancel each other. */
function merged(first: CollectionOp, last: CollectionOp, isKept: boolean): CollectionOp | null {
  if (first === last || !('mine' in first) || !('mine' in last)) return last;
  const isUndone = first.base === last.mine && !isKept;
  return isUndone ? null : ({ ...last, base: first.base } as CollectionOp);
}

/** Returns the form in which values of collections are compared. Equal forms mean that no user would see a difference. */
export function canonicalCollectionValue(field: string, value: CollectionValue | undefined): string {
  if (typeof value === 'boolean') return String(value);
  const text = value ?? '';
  if (field === 'description') return canonicalHtml(text);
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/**
 * Decides about one op by comparing the value that the user saw with the present one. A value that was not read is a
 * conflict. A creation is always sent; a deletion is checked by its contents when it runs.
 */
export function collectionVerdict(op: CollectionOp, theirs: EditableCollection): Exclude<Verdict, 'passed'> {
  switch (op.kind) {
    case 'create-collection':
    case 'delete-collection':
      return 'send';
    case 'move-to-parent':
      if (theirs.parentId === op.mine) return 'same';
      return theirs.parentId === op.base ? 'send' : 'conflict';
    case 'set-collection-field':
    case 'set-podcast-field': {
      const now = canonicalCollectionValue(op.field, theirs.values[op.field]);
      if ((theirs.values[op.field] ?? '') === (op.mine ?? '')) return 'same';
      if (now === canonicalCollectionValue(op.field, op.base)) return 'send';
      return now === canonicalCollectionValue(op.field, op.mine) ? 'same' : 'conflict';
    }
  }
}

/**
 * Decides about an op that replaces several: see `netVerdictOf`. The base of an edit can be older than the value of the edit
 * before it, because its dialog was open meanwhile: so the bases of all steps count, too.
 */
export function netCollectionVerdict(
  { op, steps }: Pick<CoalescedCollectionOp, 'op' | 'steps'>,
  theirs: EditableCollection,
): Exclude<Verdict, 'passed'> {
  const bases = steps.flatMap((step) => ('mine' in step ? [step.base, step.mine] : []));
  const verdicts = bases.map((base) =>
    collectionVerdict('mine' in op ? ({ ...op, base } as CollectionOp) : op, theirs),
  );
  return [collectionVerdict(op, theirs), ...verdicts].find((verdict) => verdict !== 'conflict') ?? 'conflict';
}

/** Returns the value of a collection that an op changes; null for the collection as a whole. */
export function collectionValueOf(op: CollectionOp, collection: EditableCollection): CollectionValue {
  if (op.kind === 'move-to-parent') return collection.parentId;
  return 'field' in op ? (collection.values[op.field] ?? null) : null;
}

/** Returns the op with the present value as its base: the user has seen it and still wants the own value. */
export function rebasedOnCollection(op: CollectionOp, theirs: EditableCollection): CollectionOp {
  if (op.kind === 'move-to-parent') return { ...op, base: theirs.parentId ?? '' };
  return 'field' in op ? { ...op, base: theirs.values[op.field] ?? null } : op;
}

/** Returns the ops of one entity that have an effect, in the form in which they are sent. */
export function netOpsOf(ops: readonly AnyOp[]): AnyOp[] {
  const [first] = ops;
  if (first === undefined) return [];
  return isCollectionOp(first)
    ? coalesceCollection(ops.filter(isCollectionOp)).map(({ op }) => op)
    : coalesce(ops.filter((op) => !isCollectionOp(op))).map(({ op }) => op);
}
