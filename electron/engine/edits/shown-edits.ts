import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { EditGroup, EditRow, EditValue } from '../../../shared/contract/edits.ts';
import { type EditOp, fieldOf } from '../../../shared/model/edits/edit-ops.ts';
import type { EditJournal } from './edit-journal.ts';
import type { EditRecord, GroupRecord, StoredOp } from './edit-row.ts';

/** Returns a group as screens show it. `waitsFor`: why its library can't be reached. */
export function shownGroup(
  group: GroupRecord,
  journal: EditJournal,
  waitsFor: (siteId: string) => AppErrorData | null,
): EditGroup {
  const counts = journal.countsOf(group.seq);
  const { seq: _, ...rest } = group;
  return {
    ...rest,
    counts: { ...counts },
    canUndo:
      group.undoneBy === null &&
      (counts.done > 0 || counts.pending + counts.held + counts.conflict + counts.refused > 0),
    waitsFor: counts.pending === 0 ? null : waitsFor(group.siteId),
  };
}

/** Returns a record as screens show it. */
export function shownRow(record: EditRecord, groupId: string): EditRow {
  const { seq, siteId, entityId, name, state, error, attempts, nextAt, createdAt, endedAt, ops } = record;
  return {
    ...{ id: String(seq), groupId, siteId, entityKind: 'media', entityId, name },
    ...{ state, error, attempts, nextAt, createdAt, endedAt },
    changes: shownChanges(ops ?? []),
  };
}

/** One entry for each field; the tags that are added and removed are one field. */
function shownChanges(ops: readonly StoredOp[]): EditRow['changes'] {
  const tags = ops.filter(({ op }) => fieldOf(op) === 'tags');
  const others = ops.filter(({ op }) => fieldOf(op) !== 'tags');
  const changes = others.map((stored) => ({
    field: fieldOf(stored.op),
    before: beforeOf(stored.op),
    after: afterOf(stored.op),
    theirs: stored.theirs ?? null,
    needsDecision: stored.asks === true,
  }));
  if (tags.length === 0) return changes;
  const named = (kind: EditOp['kind']) => tags.flatMap(({ op }) => (op.kind === kind && 'tag' in op ? [op.tag] : []));
  const left = tags.find(({ outcome }) => outcome === 'left');
  const tagChange = { before: named('remove-tag'), after: named('add-tag'), theirs: left?.theirs ?? null };
  return [...changes, { field: 'tags', ...tagChange, needsDecision: false }];
}

function beforeOf(op: EditOp): EditValue {
  if (op.kind === 'set-field' || op.kind === 'move-collection') return op.base;
  return op.kind === 'publish' || op.kind === 'unpublish' ? { ...op.base } : null;
}

function afterOf(op: EditOp): EditValue {
  switch (op.kind) {
    case 'set-field':
    case 'move-collection':
      return op.mine;
    case 'publish':
      if (typeof op.when === 'object') return { status: 'scheduled', publishOn: op.when.at };
      return { status: 'published', publishOn: op.when === 'kept' ? op.base.publishOn : null };
    case 'unpublish':
      return { status: 'draft', publishOn: op.base.publishOn };
    default:
      return null;
  }
}
