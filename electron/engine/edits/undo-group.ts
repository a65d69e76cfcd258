import { canonicalTag } from '../../../shared/model/edits/canonical.ts';
import type { AnyOp } from '../../../shared/model/edits/collection-ops.ts';
import { type EditOp, isFileOp, type Publication } from '../../../shared/model/edits/edit-ops.ts';
import type { EditRecord, StoredOp } from './edit-row.ts';
import type { NewEdit } from './edit-store.ts';

/** Undoes a creation. A collection that contains something since is not deleted without a question. */
export const DELETE_NEW_COLLECTION: AnyOp = {
  kind: 'delete-collection',
  v: 1,
  base: { collections: 1, items: 0 },
};

/** What an undo of sent edits does: a new edit for each item, and the items that can't be restored. */
export interface UndoPlan {
  edits: NewEdit[];
  notRestorable: number;
}

/**
 * Returns the edits that restore what sent edits replaced. Their base is the value that was written, so a value that
 * someone changed since is left alone. Tags that were there before and values that were not sent are not touched.
 */
export function undoOf(records: readonly EditRecord[]): UndoPlan {
  const edits: NewEdit[] = [];
  let notRestorable = 0;
  for (const { entityKind, entityId, name, ops } of records) {
    const sent = (ops ?? []).filter(({ outcome }) => outcome === 'sent');
    if (sent.some(({ op }) => isDeletion(op) || isFileOp(op))) {
      notRestorable += 1;
      continue;
    }
    const inverse = [...sent].reverse().flatMap((stored) => inverseOf(stored) ?? []);
    if (inverse.length > 0)
      edits.push({ entityKind, entityId, name, ops: inverse.map((op) => ({ op, outcome: null })) });
  }
  return { edits, notRestorable };
}

/**
 * Returns the edits that make an undone group again: the ops that the undo dropped, with the base that they had, and the
 * inverse of what the undo sent. A collection that the undo deleted is created again with a new id; so is one that was gone
 * already, or never created.
 */
export function redoOf(
  records: readonly EditRecord[],
  undo: readonly EditRecord[],
  newLocalId: () => string,
): NewEdit[] {
  const created = new Set(
    undo.flatMap(({ entityId, ops }) =>
      (ops ?? []).some(({ op, outcome }) => op.kind === 'delete-collection' && IS_GONE.has(outcome)) ? [entityId] : [],
    ),
  );
  const edits = undoOf(undo).edits;
  for (const { entityKind, entityId, name, ops } of records) {
    const again = (ops ?? []).filter(({ outcome, isUndone }) => outcome === 'dropped' && isUndone === true);
    if (again.length > 0) {
      edits.push({ entityKind, entityId, name, ops: again.map(({ op }) => ({ op, outcome: null })) });
    }
    const creation = (ops ?? []).find(({ op }) => op.kind === 'create-collection');
    if (creation !== undefined && created.has(entityId)) {
      edits.push({ entityKind, entityId: newLocalId(), name, ops: [{ op: creation.op, outcome: null }] });
    }
  }
  return edits;
}

/** Outcomes of a deletion after which there is no collection. */
const IS_GONE: ReadonlySet<StoredOp['outcome']> = new Set(['sent', 'same', 'superseded']);

/** Whether an op can't be undone once it was sent. */
function isDeletion({ kind }: AnyOp): boolean {
  return kind === 'delete' || kind === 'delete-collection';
}

function inverseOf({ op, wrote }: StoredOp): AnyOp | null {
  switch (op.kind) {
    case 'set-field':
      return { ...op, base: typeof wrote === 'string' ? wrote : op.mine, mine: op.base };
    case 'move-collection':
      return { ...op, base: op.mine, mine: op.base };
    case 'add-tag':
      return { kind: 'remove-tag', v: 1, tag: spelled(op.tag, wrote) };
    case 'remove-tag':
      return { kind: 'add-tag', v: 1, tag: op.tag };
    case 'publish':
    case 'unpublish':
      return publicationBefore(op, wrote);
    case 'set-collection-field':
    case 'set-podcast-field': {
      const isValue = wrote === null || typeof wrote === 'string' || typeof wrote === 'boolean';
      return { ...op, base: isValue ? wrote : op.mine, mine: op.base } as AnyOp;
    }
    case 'move-to-parent':
      return { ...op, base: op.mine, mine: op.base };
    case 'create-collection':
      return DELETE_NEW_COLLECTION;
    case 'delete-file':
    case 'add-embed':
    case 'delete':
    case 'delete-collection':
      return null;
  }
}

/** The tag as the library spells it. */
function spelled(tag: string, wrote: StoredOp['wrote']): string {
  const tags = Array.isArray(wrote) ? wrote : [];
  return tags.find((each) => canonicalTag(each) === canonicalTag(tag)) ?? tag;
}

function publicationBefore(op: Extract<EditOp, { kind: 'publish' | 'unpublish' }>, wrote: StoredOp['wrote']): EditOp {
  const written = isPublication(wrote) ? wrote : intendedBy(op);
  const { status, publishOn } = op.base;
  if (status === 'draft') return { kind: 'unpublish', v: 1, base: written };
  // The API can't date back: an item that was public gets the date that it has kept, or the present one.
  if (status === 'scheduled' && publishOn !== null) {
    return { kind: 'publish', v: 1, base: written, when: { at: publishOn } };
  }
  return { kind: 'publish', v: 1, base: written, when: 'kept' };
}

function intendedBy(op: Extract<EditOp, { kind: 'publish' | 'unpublish' }>): Publication {
  if (op.kind === 'unpublish') return { status: 'draft', publishOn: null };
  return typeof op.when === 'object'
    ? { status: 'scheduled', publishOn: op.when.at }
    : { status: 'published', publishOn: null };
}

function isPublication(value: StoredOp['wrote']): value is Publication {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
