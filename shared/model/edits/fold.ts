import { canonicalTag } from './canonical.ts';
import type { EditableMedia, EditOp } from './edit-ops.ts';

/** Returns an item with one op applied; null when the op deletes it. Nothing changes a deleted item. */
export function applyOp(item: EditableMedia | null, op: EditOp): EditableMedia | null {
  if (item === null) return null;
  switch (op.kind) {
    case 'set-field':
      return item[op.field] === op.mine ? item : { ...item, [op.field]: op.mine };
    case 'add-tag':
      return hasTag(item, op.tag) ? item : { ...item, tags: [...item.tags, op.tag] };
    case 'remove-tag': {
      const removed = canonicalTag(op.tag);
      return hasTag(item, op.tag) ? { ...item, tags: item.tags.filter((tag) => canonicalTag(tag) !== removed) } : item;
    }
    case 'move-collection':
      return { ...item, collectionId: op.mine };
    case 'publish':
      if (typeof op.when === 'object') return { ...item, status: 'scheduled', publishOn: op.when.at };
      // The library sets the date of an item that is published now.
      return { ...item, status: 'published', publishOn: op.when === 'now' ? null : item.publishOn };
    case 'unpublish':
      return { ...item, status: 'draft' };
    case 'delete-file':
    case 'add-embed':
      return item;
    case 'delete':
      return null;
  }
}

/** Returns an item with all ops applied in their order: what the user sees while they are pending. */
export function fold(item: EditableMedia | null, ops: readonly EditOp[]): EditableMedia | null {
  return ops.reduce<EditableMedia | null>(applyOp, item);
}

export function hasTag({ tags }: Pick<EditableMedia, 'tags'>, tag: string): boolean {
  const wanted = canonicalTag(tag);
  return tags.some((each) => canonicalTag(each) === wanted);
}

/** Returns the key of an op; ops with the same key replace each other. */
export function keyOfOp(op: EditOp): string {
  switch (op.kind) {
    case 'set-field':
      return `field ${op.field}`;
    case 'add-tag':
    case 'remove-tag':
      return `tag ${canonicalTag(op.tag)}`;
    case 'move-collection':
      return 'collection';
    case 'publish':
    case 'unpublish':
      return 'publication';
    case 'delete-file':
      return `file ${op.fileId}`;
    case 'add-embed':
      return `embed ${op.url}`;
    case 'delete':
      return 'item';
  }
}

/** An op that remains of a sequence. `positions`: of the ops that it replaces, and last its own. */
export interface Net<Op> {
  op: Op;
  positions: readonly number[];
  /** The replaced ops that may have been sent: the library may have the value before or after each of them. */
  steps: readonly Op[];
}

/** An op that remains of those of one item. */
export type Coalesced = Net<EditOp>;

/**
 * Reduces the ops of one entity, in the order in which its user made them, to the fewest with the same effect: set + set → first
 * base, last mine; set back to the base → nothing; add + remove of a tag → nothing; any + delete → delete. `fold` of the result
 * equals `fold` of the ops. `sent`: the positions of ops that an earlier attempt may have sent; when it is given, even if empty,
 * the library may not have the base of the first op, and no op cancels another.
 */
export function coalesce(ops: readonly EditOp[], sent: ReadonlySet<number> | null = null): Coalesced[] {
  const end = ops.findIndex(({ kind }) => kind === 'delete');
  if (end >= 0) return [deletion(ops, end, sent)];
  return netByKey(ops, keyOfOp, (first, last) => merged(first, last, sent !== null), sent);
}

/**
 * Merges all ops with the same key into one, which has the place of the first of them. `merge`: returns null when they cancel each
 * other.
 */
export function netByKey<Op>(
  ops: readonly Op[],
  keyOf: (op: Op) => string,
  merge: (first: Op, last: Op) => Op | null,
  sent: ReadonlySet<number> | null,
): Net<Op>[] {
  const byKey = new Map<string, { first: Op; last: Op; positions: number[] }>();
  for (const [position, op] of ops.entries()) {
    const key = keyOf(op);
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { first: op, last: op, positions: [position] });
    else {
      known.last = op;
      known.positions.push(position);
    }
  }
  return [...byKey.values()].flatMap(({ first, last, positions }) => {
    const op = merge(first, last);
    const steps = positions.filter((position) => sent?.has(position)).map((position) => ops[position] as Op);
    return op === null ? [] : [{ op, positions, steps }];
  });
}

/** Returns the deletion alone. Edits before it have no effect: its base is the item without them, as the library has it. */
function deletion(ops: readonly EditOp[], end: number, sent: ReadonlySet<number> | null): Coalesced {
  const op = ops[end] as EditOp;
  return {
    op,
    steps: ops.slice(0, end).filter((_, position) => sent?.has(position)),
    positions: ops
      .map((_, position) => position)
      .filter((position) => position !== end)
      .concat(end),
  };
}

/** Returns one op with the base of the first and the value of the last; null when they cancel each other. */
function merged(first: EditOp, last: EditOp, mayBeSent: boolean): EditOp | null {
  if (first === last) return first;
  if (first.kind === 'set-field' && last.kind === 'set-field') {
    return first.base === last.mine && !mayBeSent ? null : { ...last, base: first.base };
  }
  if (first.kind === 'move-collection' && last.kind === 'move-collection') {
    return first.base === last.mine && !mayBeSent ? null : { ...last, base: first.base };
  }
  if (isTagOp(first) && isTagOp(last)) return first.kind === last.kind || mayBeSent ? last : null;
  if (isPublication(first) && isPublication(last)) return { ...last, base: first.base };
  return last;
}

function isTagOp({ kind }: EditOp): boolean {
  return kind === 'add-tag' || kind === 'remove-tag';
}

function isPublication(op: EditOp): op is Extract<EditOp, { kind: 'publish' | 'unpublish' }> {
  return op.kind === 'publish' || op.kind === 'unpublish';
}
