import { canonicalTag } from '../../../../shared/model/edits/canonical.ts';
import { keyOfAnyOp } from '../../../../shared/model/edits/collection-fold.ts';
import { type AnyOp, isDeletion } from '../../../../shared/model/edits/collection-ops.ts';
import { type EditOp, isFileOp, type Publication, publicationOf } from '../../../../shared/model/edits/edit-ops.ts';
import type { EditRecord, StoredOp } from '../journal/edit-row.ts';
import type { NewEdit } from '../journal/edit-store.ts';
import { valuesAfter } from '../replay/unanswered.ts';

/** Undoes a creation. A collection that got contents since is not deleted without a question. */
export const DELETE_NEW_COLLECTION: AnyOp = {
  kind: 'delete-collection',
  v: 1,
  base: { collections: 1, items: 0 },
};

/** The plan of an undo: a new edit for each item, and the number of items whose sent deletion or file change can't be undone. */
export interface UndoPlan {
  edits: NewEdit[];
  notUndoable: number;
}

/**
 * Returns the edits that restore the values before edits that were sent, or that were dropped without an answer to their request.
 * Their base is the written value, so a value that someone changed since is not changed. Tags that existed before and values that
 * were not sent are not touched.
 */
export function undoOf(records: readonly EditRecord[]): UndoPlan {
  return inverseEdits(records, (stored) => stored.outcome === 'sent' || isToTakeBack(stored));
}

/** Returns the edits with the inverse of some ops. */
function inverseEdits(records: readonly EditRecord[], isUndone: (stored: StoredOp) => boolean): UndoPlan {
  const edits: NewEdit[] = [];
  let notUndoable = 0;
  for (const record of records) {
    const { entityKind, entityId, name, ops } = record;
    const sent = (ops ?? []).filter(({ outcome }) => outcome === 'sent');
    const isFinal = sent.some(({ op }) => isDeletion(op) || isFileOp(op));
    if (isFinal) notUndoable += 1;
    const inverse = (ops ?? [])
      .filter((stored) => isUndone(stored) && !(isFinal && stored.outcome === 'sent'))
      .reverse()
      .flatMap((stored): StoredOp[] => {
        const op = stored.isBase === true ? stored.op : inverseOf(stored);
        if (op === null) return [];
        return [{ op, outcome: null, ...(isToTakeBack(stored) ? { otherBases: valuesAfter(record, stored) } : {}) }];
      });
    if (inverse.length > 0) edits.push({ entityKind, entityId, name, ops: inverse });
  }
  return { edits, notUndoable };
}

/**
 * Returns the edits that apply an undone group again: the ops that the undo dropped, with their base, and the inverse of the ops
 * that the undo sent, which also covers ops that it had dropped and reversed. A collection that the undo deleted is created again
 * with a new id; so is a collection that was deleted before or never created.
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
  const { edits } = inverseEdits(undo, ({ outcome }) => outcome === 'sent');
  const takenBack = new Set(
    undo.flatMap((record) =>
      (record.ops ?? []).flatMap((stored) => (stored.outcome === 'sent' ? placeOf(record, stored) : [])),
    ),
  );
  for (const record of records) {
    const { entityKind, entityId, name, ops } = record;
    const again = (ops ?? []).filter((stored) => {
      if (stored.outcome !== 'dropped' || stored.isUndone !== true) return false;
      return !isToTakeBack(stored) || !takenBack.has(placeOf(record, stored));
    });
    if (again.length > 0)
      edits.push({ entityKind, entityId, name, ops: again.map((stored) => madeAgain(record, stored)) });
    const creation = (ops ?? []).find(({ op }) => op.kind === 'create-collection');
    if (creation !== undefined && created.has(entityId)) {
      edits.push({ entityKind, entityId: newLocalId(), name, ops: [{ op: creation.op, outcome: null }] });
    }
  }
  return edits;
}

/** Returns a text that identifies the value that an op changes. */
function placeOf({ entityKind, entityId }: EditRecord, { op }: StoredOp): string {
  return JSON.stringify([entityKind, entityId, keyOfAnyOp(op)]);
}

/** Returns a dropped op as a new one. The library may have its value already. */
function madeAgain(record: EditRecord, stored: StoredOp): StoredOp {
  const { op, otherBases } = stored;
  if (stored.isUnanswered === true) return { op, outcome: null, otherBases: valuesAfter(record, stored) };
  return { op, outcome: null, ...(otherBases === undefined ? {} : { otherBases }) };
}

/** Outcomes of a deletion after which there is no collection. */
const IS_GONE: ReadonlySet<StoredOp['outcome']> = new Set(['sent', 'same', 'superseded']);

/** Returns whether the undo of a dropped op has to check whether the library has its value. */
function isToTakeBack({ outcome, isUndone, isUnanswered }: StoredOp): boolean {
  return outcome === 'dropped' && isUndone === true && isUnanswered === true;
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

/** Returns a tag in the spelling of the library. */
function spelled(tag: string, wrote: StoredOp['wrote']): string {
  const tags = Array.isArray(wrote) ? wrote : [];
  return tags.find((each) => canonicalTag(each) === canonicalTag(tag)) ?? tag;
}

function publicationBefore(op: Extract<EditOp, { kind: 'publish' | 'unpublish' }>, wrote: StoredOp['wrote']): EditOp {
  const written = isPublication(wrote) ? wrote : publicationOf(op);
  const { status, publishOn } = op.base;
  if (status === 'draft') return { kind: 'unpublish', v: 1, base: written };
  // The API accepts no publish time in the past: an item that was public gets the date that the library kept, or the present one.
  if (status === 'scheduled' && publishOn !== null) {
    return { kind: 'publish', v: 1, base: written, when: { at: publishOn } };
  }
  return { kind: 'publish', v: 1, base: written, when: 'kept' };
}

function isPublication(value: StoredOp['wrote']): value is Publication {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
