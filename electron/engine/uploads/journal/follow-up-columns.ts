import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { SourceChoice } from '../../../../shared/contract/upload-choices.ts';
import type { FollowUp } from '../../../../shared/model/uploads/follow-ups.ts';
import type { SqlValue } from '../../store/database.ts';

/** A row of `follow_ups`, without its key (`upload_seq`, `position`) and the column that only queries read (`error_code`). */
interface FollowUpRow {
  kind: FollowUp['kind'];
  state: FollowUp['state'];
  path: string;
  file_name: string;
  attempts: number;
  /** JSON of `RetriesByStep`; null in rows of earlier versions. */
  tries: string | null;
  next_at: number | null;
  /** JSON of `AppErrorData`. */
  error: string | null;
  was_tried: 0 | 1;
  intent_at: number | null;
  file_id: string | null;
  sent_at: number | null;
  looks: number;
  fingerprint: string | null;
  source: SourceChoice['kind'] | null;
  /** The folder to which a source is moved; null for all others. */
  source_folder: string | null;
  target: string | null;
  guessed: string | null;
  /** This and the next three columns: `KnownFile`; all null without one. */
  identity: string | null;
  volume: string | null;
  size_bytes: number | null;
  mtime_ms: number | null;
}

const COLUMNS = [
  ...(['kind', 'state', 'path', 'file_name', 'attempts', 'tries', 'next_at', 'error', 'was_tried'] as const),
  ...(['intent_at', 'file_id', 'sent_at', 'looks', 'fingerprint', 'source', 'source_folder', 'target'] as const),
  ...(['guessed', 'identity', 'volume', 'size_bytes', 'mtime_ms'] as const),
] satisfies (keyof FollowUpRow)[];

const WRITTEN = [...COLUMNS, 'error_code'];

/**
 * All follow-ups of a row of `uploads` as one JSON text for `toFollowUps`; part of a select list. One query reads a page
 * of rows: measured with 100,000 rows, this takes 3/4 of the time of a second query for each page.
 */
export const SELECT_FOLLOW_UPS = `(SELECT json_group_array(json_array(position, ${COLUMNS.join(', ')})) FROM follow_ups
  WHERE upload_seq = uploads.seq)`;

/** Inserts or replaces the follow-up at `$position` of the upload `$id`. Parameters: `followUpParameters`. */
export const PUT_FOLLOW_UP = `INSERT INTO follow_ups (upload_seq, position, ${WRITTEN.join(', ')})
  SELECT seq, $position, ${WRITTEN.map((column) => `$${column}`).join(', ')} FROM uploads WHERE id = $id
  ON CONFLICT (upload_seq, position) DO UPDATE SET ${WRITTEN.map((column) => `${column} = excluded.${column}`).join(', ')}`;

/** Removes the follow-ups of the upload `$id` from `$position` on. */
export const DROP_FOLLOW_UPS = `DELETE FROM follow_ups
  WHERE upload_seq = (SELECT seq FROM uploads WHERE id = $id) AND position >= $position`;

/** Returns the parameters of `PUT_FOLLOW_UP`. */
export function followUpParameters(uploadId: string, position: number, followUp: FollowUp): Record<string, SqlValue> {
  const { error, source, retriesByStep, known } = followUp;
  const row: FollowUpRow = {
    kind: followUp.kind,
    state: followUp.state,
    path: followUp.path,
    file_name: followUp.fileName,
    attempts: followUp.retries,
    tries: retriesByStep === undefined ? null : JSON.stringify(retriesByStep),
    next_at: followUp.nextAt,
    error: error === null ? null : JSON.stringify(error),
    was_tried: followUp.wasTried ? 1 : 0,
    intent_at: followUp.intentAt,
    file_id: followUp.fileId,
    sent_at: followUp.sentAt,
    looks: followUp.looks,
    fingerprint: followUp.fingerprint,
    source: source?.kind ?? null,
    source_folder: source?.kind === 'move' ? source.folder : null,
    target: followUp.target,
    guessed: followUp.guessed ?? null,
    identity: known?.identity ?? null,
    volume: known?.volume ?? null,
    size_bytes: known?.sizeBytes ?? null,
    mtime_ms: known?.mtimeMs ?? null,
  };
  return { id: uploadId, position, error_code: error?.code ?? null, ...row };
}

/**
 * Returns the follow-ups that `SELECT_FOLLOW_UPS` selected, in the order of their positions. Throws `SyntaxError` for a damaged
 * error or count.
 */
export function toFollowUps(text: string): FollowUp[] {
  // Most uploads have no follow-ups.
  if (text === '[]') return [];
  return (JSON.parse(text) as [number, ...unknown[]][])
    .sort(([a], [b]) => a - b)
    .map((values) => toFollowUp(rowOf(values)));
}

/** `values`: the position, then the columns. */
function rowOf(values: readonly unknown[]): FollowUpRow {
  const row: Partial<Record<keyof FollowUpRow, unknown>> = {};
  // Every row of a page is read here: this takes half the time of `Object.fromEntries`.
  for (const [at, name] of COLUMNS.entries()) row[name] = values[at + 1];
  return row as FollowUpRow;
}

function toFollowUp(row: FollowUpRow): FollowUp {
  return {
    kind: row.kind,
    state: row.state,
    path: row.path,
    fileName: row.file_name,
    ...knownFile(row),
    retries: row.attempts,
    ...(row.tries === null ? {} : { retriesByStep: JSON.parse(row.tries) as NonNullable<FollowUp['retriesByStep']> }),
    nextAt: row.next_at,
    error: row.error === null ? null : (JSON.parse(row.error) as AppErrorData),
    wasTried: row.was_tried === 1,
    intentAt: row.intent_at,
    fileId: row.file_id,
    sentAt: row.sent_at,
    looks: row.looks,
    fingerprint: row.fingerprint,
    source:
      row.source === 'move' ? { kind: 'move', folder: row.source_folder ?? '' } : row.source && { kind: row.source },
    target: row.target,
    ...(row.guessed === null ? {} : { guessed: row.guessed }),
  };
}

function knownFile({ identity, volume, size_bytes: sizeBytes, mtime_ms: mtimeMs }: FollowUpRow): {
  known?: NonNullable<FollowUp['known']>;
} {
  if (identity === null || sizeBytes === null || mtimeMs === null) return {};
  return { known: { identity, volume: volume ?? '', sizeBytes, mtimeMs } };
}
