import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { UploadState } from '../../../../shared/model/uploads/upload-states.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import type { SqlRow, SqlValue } from '../../store/database.ts';
import { SELECT_FOLLOW_UPS, toFollowUps } from './follow-up-columns.ts';
import { laneOf, priorityOf } from './upload-order.ts';

type UploadField = Exclude<keyof Upload, 'priority' | 'followUps'>;

/** The columns of the fields. `UploadOrder` writes the place in the queue; follow-ups have their own table. */
const COLUMNS: Record<UploadField, string> = {
  id: 'id',
  batchId: 'batch_id',
  siteId: 'site_id',
  collectionId: 'collection_id',
  path: 'path',
  fileName: 'file_name',
  sizeBytes: 'size_bytes',
  mtimeMs: 'mtime_ms',
  identity: 'identity',
  volume: 'volume',
  edgeHash: 'edge_hash',
  movedFrom: 'moved_from',
  title: 'title',
  titleNotice: 'title_notice',
  byline: 'byline',
  description: 'description',
  tags: 'tags',
  publish: 'publish',
  addition: 'addition',
  duplicates: 'duplicates',
  duplicateCheckedAt: 'duplicate_checked_at',
  state: 'state',
  retries: 'attempts',
  retriesByStep: 'tries',
  nextAttemptAt: 'next_attempt_at',
  error: 'error',
  itemIntentAt: 'item_intent_at',
  itemIntentServerAt: 'item_intent_server_at',
  itemAnsweredAt: 'item_answered_at',
  mediaId: 'media_id',
  spoiledFileIds: 'spoiled_file_ids',
  fileIntentAt: 'file_intent_at',
  fileId: 'file_id',
  fruitless: 'fruitless',
  destination: 'destination',
  destinationAt: 'destination_at',
  sendStartedAt: 'send_started_at',
  sentAt: 'sent_at',
  sha256: 'sha256',
  finishedAt: 'finished_at',
  completedAt: 'completed_at',
  watchedMs: 'watched_ms',
  followUpAt: 'follow_up_at',
  addedAt: 'added_at',
  endedAt: 'ended_at',
  cancelledFrom: 'cancelled_from',
  clearedAt: 'cleared_at',
};

const FIELDS = Object.keys(COLUMNS) as UploadField[];

/** Columns that are computed from a field, so that queries and indexes need not read inside it. */
const COMPUTED: Partial<Record<UploadField, { column: string; valueOf(upload: Upload): SqlValue }>> = {
  identity: { column: 'device', valueOf: ({ identity }) => deviceOf(identity) },
  error: { column: 'error_code', valueOf: ({ error }) => error?.code ?? null },
};

/** The select list of every query for `toUpload`. The table has to be named `uploads`. */
export const UPLOAD_COLUMNS = `uploads.*, ${SELECT_FOLLOW_UPS} AS follow_ups`;

/** The beginning of every statement that stores a fact about a row. */
export const FACT_UPDATE = 'UPDATE uploads AS fact SET';

const INSERTED = [...FIELDS.flatMap((field) => [COLUMNS[field], COMPUTED[field]?.column ?? []].flat()), 'lane', 'rank'];

/** Adds a row without its follow-ups. Parameters: `insertParameters`. */
export const INSERT_UPLOAD = `INSERT INTO uploads (${INSERTED.join(', ')})
  VALUES (${INSERTED.map((column) => `$${column}`).join(', ')})`;

/** Returns the parameters of `INSERT_UPLOAD`. `rank`: the upload's place inside its priority. */
export function insertParameters(upload: Upload, rank: number): Record<string, SqlValue> {
  return { ...valuesOf(upload, FIELDS), lane: laneOf(upload.priority), rank };
}

/** Returns the statement that stores the fields that differ, without follow-ups; null when none differs. */
export function updateOf(before: Upload, after: Upload): { sql: string; parameters: Record<string, SqlValue> } | null {
  // Only changed columns are named: SQLite updates all indexes of a named column, also when its value is the same.
  const changed = FIELDS.filter((field) => before[field] !== after[field]);
  if (changed.length === 0) return null;
  const values = valuesOf(after, changed);
  const sets = Object.keys(values).map((column) => `${column} = $${column}`);
  return { sql: `${FACT_UPDATE} ${sets.join(', ')} WHERE id = $id`, parameters: { ...values, id: after.id } };
}

/** Returns the values of fields by column. */
function valuesOf(upload: Upload, fields: readonly UploadField[]): Record<string, SqlValue> {
  const values: Record<string, SqlValue> = {};
  for (const field of fields) {
    const value = upload[field];
    values[COLUMNS[field]] = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
    const computed = COMPUTED[field];
    if (computed !== undefined) values[computed.column] = computed.valueOf(upload);
  }
  return values;
}

/**
 * Returns the upload of a row that was read with `UPLOAD_COLUMNS`. Throws `SyntaxError` where a damaged disk changed a JSON
 * value.
 */
export function toUpload(row: SqlRow): Upload {
  const text = (column: string) => (row[column] === null ? null : String(row[column]));
  const number = (column: string) => (row[column] === null ? null : Number(row[column]));
  const json = <T>(column: string) => (row[column] === null ? null : (JSON.parse(String(row[column])) as T));
  return {
    id: String(row.id),
    batchId: String(row.batch_id),
    siteId: String(row.site_id),
    collectionId: String(row.collection_id),
    path: String(row.path),
    fileName: String(row.file_name),
    sizeBytes: Number(row.size_bytes),
    mtimeMs: Number(row.mtime_ms),
    identity: String(row.identity),
    volume: String(row.volume),
    edgeHash: text('edge_hash'),
    movedFrom: text('moved_from'),
    title: String(row.title),
    titleNotice: json<AppErrorData>('title_notice'),
    byline: String(row.byline),
    description: String(row.description),
    tags: json<string[]>('tags') ?? [],
    publish: json<Upload['publish']>('publish') ?? { kind: 'draft' },
    addition: json<Upload['addition']>('addition'),
    priority: priorityOf(Number(row.lane)),
    duplicates: String(row.duplicates) as Upload['duplicates'],
    duplicateCheckedAt: number('duplicate_checked_at'),
    state: String(row.state) as UploadState,
    retries: Number(row.attempts),
    retriesByStep: json<Upload['retriesByStep']>('tries') ?? {},
    nextAttemptAt: number('next_attempt_at'),
    error: json<AppErrorData>('error'),
    itemIntentAt: number('item_intent_at'),
    itemIntentServerAt: number('item_intent_server_at'),
    itemAnsweredAt: number('item_answered_at'),
    mediaId: text('media_id'),
    spoiledFileIds: json<string[]>('spoiled_file_ids') ?? [],
    fileIntentAt: number('file_intent_at'),
    fileId: text('file_id'),
    fruitless: Number(row.fruitless),
    destination: toDestination(json('destination')),
    destinationAt: number('destination_at'),
    sendStartedAt: number('send_started_at'),
    sentAt: number('sent_at'),
    sha256: text('sha256'),
    finishedAt: number('finished_at'),
    completedAt: number('completed_at'),
    watchedMs: Number(row.watched_ms),
    followUps: toFollowUps(text('follow_ups') ?? '[]'),
    followUpAt: number('follow_up_at'),
    addedAt: Number(row.added_at),
    endedAt: number('ended_at'),
    cancelledFrom: json('cancelled_from'),
    clearedAt: number('cleared_at'),
  };
}

/** Earlier versions stored the form fields as an object. */
function toDestination(stored: Upload['destination']): Upload['destination'] {
  if (stored === null || Array.isArray(stored.upload_post_params)) return stored;
  return { ...stored, upload_post_params: Object.entries(stored.upload_post_params as object) };
}
