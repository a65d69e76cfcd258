import { pairKeyOf } from '../../../../shared/model/pairing/pair-keys.ts';
import type { WatchedState } from '../../../../shared/model/watch/watched-states.ts';
import type { SqlRow, SqlValue } from '../../store/database.ts';
import type { NewWatchedFile, WatchedFile } from './watched-file.ts';

/** Columns in the order of the fields of `watchedFileColumns`. */
const COLUMNS = [
  ...['folder_id', 'path', 'pair_key', 'kind', 'file_id', 'size_bytes', 'mtime_ms', 'number', 'is_existing'],
  ...['is_forced', 'state', 'history', 'due_at', 'ready_at', 'first_seen_at', 'unchanged_since', 'edge_hash'],
  ...['reason', 'outcome', 'described', 'upload_id', 'handled_at', 'gone_at', 'ctime_ms'],
];
/** Parameters: `watchedFileColumns`. */
export const INSERT = `INSERT INTO watched_files (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((name) => `$${name}`).join(', ')})`;
/** Parameters: `watchedFileColumns` and `seq`. */
export const UPDATE = `UPDATE watched_files SET ${COLUMNS.map((name) => `${name} = $${name}`).join(', ')} WHERE seq = $seq`;

/** Returns the values of a row by column. */
export function watchedFileColumns(file: NewWatchedFile): Record<string, SqlValue> {
  return {
    folder_id: file.folderId,
    path: file.path,
    pair_key: pairKeyOf(file.path),
    kind: file.kind,
    file_id: file.fileId,
    size_bytes: file.sizeBytes,
    mtime_ms: file.mtimeMs,
    number: file.number,
    is_existing: file.isExisting ? 1 : 0,
    is_forced: file.isForced ? 1 : 0,
    state: file.state,
    history: file.history,
    due_at: file.dueAt,
    ready_at: file.readyAt,
    first_seen_at: file.firstSeenAt,
    unchanged_since: file.unchangedSince,
    edge_hash: file.edgeHash,
    reason: file.reason === null ? null : JSON.stringify(file.reason),
    outcome: file.outcome === null ? null : JSON.stringify(file.outcome),
    described: file.described === null ? null : JSON.stringify(file.described),
    upload_id: file.uploadId,
    handled_at: file.handledAt,
    gone_at: file.goneAt,
    ctime_ms: file.ctimeMs,
  };
}

/** Returns the file of a row. */
export function toFile(row: SqlRow): WatchedFile {
  const text = (value: SqlRow[string] | undefined) => (value === null || value === undefined ? null : String(value));
  const number = (value: SqlRow[string] | undefined) => (value === null || value === undefined ? null : Number(value));
  return {
    seq: Number(row.seq),
    folderId: String(row.folder_id),
    path: String(row.path),
    kind: String(row.kind) as WatchedFile['kind'],
    fileId: String(row.file_id),
    sizeBytes: Number(row.size_bytes),
    mtimeMs: Number(row.mtime_ms),
    number: Number(row.number),
    isExisting: row.is_existing === 1,
    isForced: row.is_forced === 1,
    state: String(row.state) as WatchedState,
    history: text(row.history),
    dueAt: number(row.due_at),
    readyAt: number(row.ready_at),
    firstSeenAt: Number(row.first_seen_at),
    unchangedSince: Number(row.unchanged_since),
    edgeHash: text(row.edge_hash),
    reason: jsonOf(row.reason),
    outcome: jsonOf(row.outcome),
    described: jsonOf(row.described),
    uploadId: text(row.upload_id),
    handledAt: number(row.handled_at),
    goneAt: number(row.gone_at),
    ctimeMs: number(row.ctime_ms),
  };
}

/** Parses JSON; returns null for damaged JSON, too. A damaged `described` is lost until its file is read again. */
function jsonOf<T>(value: SqlRow[string] | undefined): T | null {
  try {
    return typeof value === 'string' ? (JSON.parse(value) as T) : null;
  } catch {
    return null;
  }
}
