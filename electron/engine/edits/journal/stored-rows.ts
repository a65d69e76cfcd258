// Reads the rows of the journal: a damaged row becomes a record that is kept, shown and never sent.
import { type AppErrorData, appError } from '../../../../shared/contract/app-error.ts';
import { EDIT_STATES, type GroupChange, groupChangeSchema } from '../../../../shared/contract/edits.ts';
import { textSum } from '../../../../shared/model/text-sum.ts';
import type { SqlRow } from '../../store/database.ts';
import { type EditRecord, type EntityKind, type GroupRecord, parseOps } from './edit-row.ts';

/** Returns the kind of a record's subject. */
export function kindOf(row: SqlRow): EntityKind {
  return row.entity_kind === 'collection' ? 'collection' : 'media';
}

/** Returns the record of a row. Its ops are null when they or their checksum are damaged. */
export function toRecord(row: SqlRow): EditRecord {
  const state = EDIT_STATES.find((each) => each === row.state) ?? 'refused';
  const sum = editSumOf(String(row.site_id), String(row.entity_kind), String(row.entity_id), String(row.ops));
  const ops = row.ops_sum === null || row.ops_sum === sum ? parseOps(String(row.ops)) : null;
  return {
    seq: Number(row.seq),
    groupSeq: Number(row.group_seq),
    siteId: String(row.site_id),
    entityKind: kindOf(row),
    entityId: String(row.entity_id),
    name: String(row.name),
    ops,
    state,
    error: ops === null ? appError('edit.unreadable').toData() : readError(row.error),
    retries: Number(row.attempts),
    nextAt: row.next_at as number | null,
    sentAt: row.sent_at as number | null,
    createdAt: Number(row.created_at),
    endedAt: row.ended_at as number | null,
  };
}

/** Returns the checksum of an edit's subject and ops: SQLite detects no changed byte in a value. */
export function editSumOf(siteId: string, entityKind: string, entityId: string, ops: string): string {
  return textSum([siteId, entityKind, entityId, ops].join('\n'));
}

/** Returns the group of a row. */
export function toGroup(row: SqlRow): GroupRecord {
  return {
    seq: Number(row.seq),
    id: String(row.id),
    siteId: String(row.site_id),
    label: String(row.label),
    change: readChange(row.change),
    items: Number(row.items),
    firstName: String(row.first_name),
    undoes: row.undoes as string | null,
    undoneBy: row.undone_by as string | null,
    undoneAt: row.undone_at as number | null,
    redoneBy: row.redone_by as string | null,
    createdAt: Number(row.created_at),
    endedAt: row.ended_at as number | null,
  };
}

/** Returns the stored change of a group, which is only shown and never sent; null when it is damaged. */
function readChange(text: unknown): GroupChange | null {
  if (typeof text !== 'string') return null;
  try {
    return groupChangeSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function readError(text: unknown): AppErrorData | null {
  if (typeof text !== 'string') return null;
  try {
    return JSON.parse(text) as AppErrorData;
  } catch {
    return appError('edit.unreadable').toData();
  }
}
