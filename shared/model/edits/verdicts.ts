import { canonicalTag, canonicalText, fingerprintOf, isSameInstant, isSamePublication } from './canonical.ts';
import {
  type EditableMedia,
  type EditOp,
  fieldOf,
  isBetween,
  type Publication,
  type PublishAt,
  publicationOf,
} from './edit-ops.ts';
import { type Coalesced, hasTag } from './fold.ts';
import { changesSince, type Difference, deletionOf } from './seen-item.ts';

/**
 * The decision about an op after a comparison with the present values of the library:
 * - `send`     the library has the value that the user saw
 * - `same`     the library already has the wanted value
 * - `conflict` the library has neither: the user decides
 * - `passed`   the publish time has passed, so sending would publish the item now: the user decides
 */
export type Verdict = 'send' | 'same' | 'conflict' | 'passed';

/**
 * Decides about one op by comparing the value that the user saw with the present one, in canonical form. Never returns
 * `send` for a value that the user has not seen. `nowMs` is the clock of the library.
 */
export function verdictOf(op: EditOp, theirs: EditableMedia, nowMs: number): Verdict {
  switch (op.kind) {
    case 'set-field':
      return textVerdict(op, theirs[op.field]);
    case 'add-tag':
      return hasTag(theirs, op.tag) ? 'same' : 'send';
    case 'remove-tag':
      return hasTag(theirs, op.tag) ? 'send' : 'same';
    case 'move-collection':
      if (theirs.collectionId === op.mine) return 'same';
      return theirs.collectionId === op.base ? 'send' : 'conflict';
    case 'publish':
      return publishVerdict(op.when, op.base, theirs, nowMs);
    case 'unpublish':
      return unpublishVerdict(op.base, theirs);
    case 'delete-file':
    case 'add-embed':
      // The values of an item contain nothing about its files. Sending the op compares them, and repeating it is harmless.
      return 'send';
    case 'delete':
      return fingerprintOf(theirs) === op.base ? 'send' : 'conflict';
  }
}

/**
 * Decides about an op that replaces several. `steps` are those that may have been sent, so the library may have the value before
 * or after each of them; these values count as the base, because the user saw them. A value that was never sent can only be from
 * someone else.
 */
export function netVerdictOf(
  { op, steps }: Pick<Coalesced, 'op' | 'steps'>,
  theirs: EditableMedia,
  nowMs: number,
): Verdict {
  if (op.kind === 'delete') {
    const verdict = verdictOf(op, theirs, nowMs);
    return verdict === 'conflict' && isOwnSince(op, steps, theirs) ? 'send' : verdict;
  }
  const verdicts = steps.flatMap((step) =>
    [step, ...afterOf(step)].map((each) => verdictOf(withBaseOf(op, each, theirs), theirs, nowMs)),
  );
  return [verdictOf(op, theirs, nowMs), ...verdicts].find((verdict) => verdict !== 'conflict') ?? 'conflict';
}

/**
 * Returns whether all changes of an item since its user deleted it can be from `steps`: own edits before the deletion, which may
 * have been sent.
 */
function isOwnSince(
  { saw }: Extract<EditOp, { kind: 'delete' }>,
  steps: readonly EditOp[],
  theirs: EditableMedia,
): boolean {
  if (saw === undefined || steps.length === 0) return false;
  return changesSince(saw, theirs).every((difference) => isWrittenBy(steps, difference, theirs));
}

function isWrittenBy(steps: readonly EditOp[], { field, before, after }: Difference, theirs: EditableMedia): boolean {
  if (Array.isArray(before) && Array.isArray(after)) {
    const isOwn = (kind: EditOp['kind'], tag: string) =>
      steps.some((step) => step.kind === kind && 'tag' in step && canonicalTag(step.tag) === canonicalTag(tag));
    const added = after.filter((tag) => !hasTag({ tags: before }, tag));
    const removed = before.filter((tag) => !hasTag({ tags: after }, tag));
    return added.every((tag) => isOwn('add-tag', tag)) && removed.every((tag) => isOwn('remove-tag', tag));
  }
  return steps.some((step) => fieldOf(step) === field && hasWritten(step, theirs));
}

/** Returns whether an item has the value that an op writes, with a date that is possible for it. */
function hasWritten(step: EditOp, theirs: EditableMedia): boolean {
  if (verdictOf(step, theirs, Number.POSITIVE_INFINITY) !== 'same') return false;
  if (step.kind !== 'publish' || typeof step.when === 'object') return true;
  const { publishOn, between } = publicationOf(step);
  return publishOn === null
    ? between !== undefined && isBetween(theirs.publishOn, between)
    : isSameInstant(theirs.publishOn, publishOn);
}

/** Returns the op with the value that it writes as its base; an empty list for an op without a base. */
function afterOf(op: EditOp): EditOp[] {
  if (op.kind === 'publish' || op.kind === 'unpublish') return [{ ...op, base: publicationOf(op) }];
  return 'mine' in op ? [{ ...op, base: op.mine } as EditOp] : [];
}

/** Returns an op with the base of another op on the same value, which may have been sent. */
function withBaseOf(op: EditOp, other: EditOp, theirs: EditableMedia): EditOp {
  if (!('base' in op) || !('base' in other)) return op;
  const { base } = other;
  // The library set the date of an item that the user published now. Another date is from someone else.
  const between = typeof base === 'object' && base.status === 'published' ? base.between : undefined;
  const isOwn = between !== undefined && theirs.status === 'published' && isBetween(theirs.publishOn, between);
  return isOwn ? rebased(op, theirs) : ({ ...op, base } as EditOp);
}

function textVerdict({ field, base, mine }: Extract<EditOp, { kind: 'set-field' }>, now: string): Verdict {
  if (now === mine) return 'same';
  const canonical = canonicalText(field, now);
  if (canonical === canonicalText(field, base)) return 'send';
  return canonical === canonicalText(field, mine) ? 'same' : 'conflict';
}

/** A scheduled item whose time has arrived since is still the item that the user wanted to unpublish. */
function unpublishVerdict(base: Publication, theirs: EditableMedia): Verdict {
  if (theirs.status === 'draft') return 'same';
  const wasPublic = base.status !== 'draft';
  return wasPublic && isSameInstant(theirs.publishOn, base.publishOn) ? 'send' : 'conflict';
}

function publishVerdict(when: PublishAt, base: Publication, theirs: EditableMedia, nowMs: number): Verdict {
  if (typeof when !== 'object') {
    if (theirs.status === 'published') return 'same';
    return isSamePublication(theirs, base) ? 'send' : 'conflict';
  }
  const isAtThatTime = theirs.status !== 'draft' && isSameInstant(theirs.publishOn, when.at);
  if (isAtThatTime) return 'same';
  if (!isSamePublication(theirs, base)) return 'conflict';
  return Date.parse(when.at) > nowMs ? 'send' : 'passed';
}

/** The value of the field of an op in an item, for a question to the user and for history. */
export type FieldValue = string | string[] | Publication | null;

/** Returns the value of an item's field that an op changes; null for the item as a whole. */
export function fieldValueOf(op: EditOp, item: EditableMedia): FieldValue {
  switch (op.kind) {
    case 'set-field':
      return item[op.field];
    case 'add-tag':
    case 'remove-tag':
      return [...item.tags];
    case 'move-collection':
      return item.collectionId;
    case 'publish':
    case 'unpublish':
      return { status: item.status, publishOn: item.publishOn };
    case 'delete-file':
    case 'add-embed':
    case 'delete':
      return null;
  }
}

/** Returns the op with the present value as its base: the user has seen it and still wants the own value. */
export function rebased(op: EditOp, theirs: EditableMedia): EditOp {
  switch (op.kind) {
    case 'set-field':
      return { ...op, base: theirs[op.field] };
    case 'move-collection':
      return { ...op, base: theirs.collectionId };
    case 'publish':
    case 'unpublish':
      return { ...op, base: { status: theirs.status, publishOn: theirs.publishOn } };
    case 'delete':
      return deletionOf(theirs);
    default:
      return op;
  }
}
