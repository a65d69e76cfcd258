import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import type { EditCounts, EditGroup, EditRow, EditValue } from '../../../../shared/contract/edits.ts';
import { ALL_EDIT_FIELDS } from '../../../../shared/contract/edits.ts';
import { fieldOfAnyOp } from '../../../../shared/model/edits/collection-fold.ts';
import type { AnyField, AnyOp } from '../../../../shared/model/edits/collection-ops.ts';
import type { EditJournal } from '../journal/edit-journal.ts';
import type { EditRecord, GroupRecord, StoredOp } from '../journal/edit-row.ts';
import { laterValues, wantedValue } from '../journal/wanted-values.ts';
import { isDroppedUnanswered } from '../replay/unanswered.ts';

/** Returns a group as screens show it. `waitsFor`: why its library can't be reached, or gives no answer. */
export function shownGroup(
  group: GroupRecord,
  journal: EditJournal,
  waitsFor: (siteId: string) => AppErrorData | null,
): EditGroup {
  const counts = journal.countsOf(group.seq);
  const { seq: _, ...rest } = group;
  const isUndone = group.undoneAt !== null && !journal.store.isUndoUnfinished(group.seq);
  return {
    ...rest,
    counts: { ...counts },
    fields: fieldsOf(group.seq, journal),
    canUndo: !isUndone && (isOpen(counts) || (counts.done > 0 && journal.store.hasUndoable(group.seq))),
    canRedo: isUndone && group.redoneBy === null,
    waitsFor: counts.pending === 0 ? null : waitsFor(group.siteId),
  };
}

/** The records whose fields describe their group. */
const DESCRIBING = 10;

/** Returns the fields that the first records of a group change. */
function fieldsOf(groupSeq: number, { store }: EditJournal): AnyField[] {
  const range = store.rangeOfGroup(groupSeq);
  const records = range === null ? [] : store.inGroup(groupSeq, range, DESCRIBING);
  const found = new Set(records.flatMap(({ ops }) => (ops ?? []).map(({ op }) => fieldOfAnyOp(op))));
  return ALL_EDIT_FIELDS.filter((field) => found.has(field));
}

function isOpen({ pending, held, conflict, refused }: EditCounts): boolean {
  return pending + held + conflict + refused > 0;
}

/** Returns a record as screens show it. */
export function shownRow(record: EditRecord, groupId: string, journal: EditJournal): EditRow {
  const { seq, siteId, entityKind, entityId, name, state, error, retries, nextAt, createdAt, endedAt, ops } = record;
  return {
    id: String(seq),
    groupId,
    siteId,
    entityKind,
    entityId,
    name,
    state,
    error: unansweredError(record) ?? error ?? reasonToWait(record, journal),
    attempts: retries,
    nextAt,
    createdAt,
    endedAt,
    changes: shownChanges(ops ?? [], wantedValues(record, journal)),
  };
}

/** Returns why the effect of a record that its user dropped is unknown; null: it is known. */
function unansweredError({ ops }: EditRecord): AppErrorData | null {
  return (ops ?? []).some(isDroppedUnanswered) ? appError('edit.dropped-unanswered').toData() : null;
}

/** Returns why a pending record is not sent although its library can be reached. */
function reasonToWait({ state, siteId, entityId, entityKind }: EditRecord, journal: EditJournal): AppErrorData | null {
  const entity = state === 'pending' ? journal.openEntity(siteId, entityId, entityKind) : null;
  if (entity?.isBlocked === true) return appError('edit.waits-for-decision').toData();
  if (entity === null || !journal.isWaiting(entity)) return null;
  return appError('edit.waits-for-collection').toData();
}

/**
 * Returns a function that returns the wanted value of an op. The question of an op in conflict is about the newest own value, which a
 * later edit may have set.
 */
function wantedValues({ seq, siteId, entityId, entityKind, state }: EditRecord, journal: EditJournal) {
  const open = state === 'conflict' ? journal.store.openOf(siteId, entityId, entityKind) : [];
  const later = open.filter((each) => each.seq > seq);
  return ({ op, asks, theirs }: StoredOp): EditValue => {
    const newer = asks === true && theirs !== undefined ? laterValues(op, later) : [];
    return [wantedValue(op), ...newer].at(-1) ?? null;
  };
}

/** Returns one entry for each field; added and removed tags are one field. */
function shownChanges(ops: readonly StoredOp[], wantedOf: (stored: StoredOp) => EditValue): EditRow['changes'] {
  const tags = ops.filter(({ op }) => fieldOfAnyOp(op) === 'tags');
  const others = ops.filter(({ op }) => fieldOfAnyOp(op) !== 'tags');
  const changes = others.map((stored) => ({
    field: fieldOfAnyOp(stored.op),
    before: beforeOf(stored.op),
    after: wantedOf(stored),
    theirs: stored.theirs ?? null,
    needsDecision: stored.asks === true,
    ...(stored.lost === undefined ? {} : { lost: [...stored.lost] }),
    ...(stored.since === undefined ? {} : { since: [...stored.since] }),
  }));
  if (tags.length === 0) return changes;
  const named = (kind: AnyOp['kind']) => tags.flatMap(({ op }) => (op.kind === kind && 'tag' in op ? [op.tag] : []));
  const left = tags.find(({ outcome }) => outcome === 'left');
  const tagChange = { before: named('remove-tag'), after: named('add-tag'), theirs: left?.theirs ?? null };
  return [...changes, { field: 'tags', ...tagChange, needsDecision: false }];
}

function beforeOf(op: AnyOp): EditValue {
  if ('mine' in op) return op.base;
  if (op.kind === 'delete-collection') return { collections: op.base.collections, items: op.base.items };
  if (op.kind === 'delete-file') return op.name;
  return op.kind === 'publish' || op.kind === 'unpublish' ? { ...op.base } : null;
}
