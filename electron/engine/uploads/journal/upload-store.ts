import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { BatchDefaults, UploadFilter } from '../../../../shared/contract/uploads.ts';
import { countFor } from '../../../../shared/model/upload-counts.ts';
import type { Upload } from '../../../../shared/model/upload-machine.ts';
import { FILTER_STATES, type UploadState } from '../../../../shared/model/upload-states.ts';
import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import { Statements } from '../../store/statements.ts';
import { deviceOf } from './device-of.ts';
import { laneOf, priorityOf } from './upload-order.ts';
import type { Tally, TallyGroup } from './upload-tally.ts';

/** What was added together. */
export interface BatchRecord {
  id: string;
  siteId: string;
  /** Empty until the library has answered which collection `collectionRef` names. */
  collectionId: string;
  /** Until then what the person typed. */
  collectionName: string;
  /** An id, slug, path or name as the person typed it; null where the collection was chosen by its id. */
  collectionRef: string | null;
  defaults: BatchDefaults;
  addedAt: number;
  /** Folders that were added: where a file may be found again that was moved. */
  roots: string[];
}

/** A delivered upload that the service is at work on. */
export interface FollowedUpload extends Pick<Upload, 'id' | 'siteId' | 'collectionId' | 'watchedMs' | 'state'> {
  mediaId: string;
  fileId: string;
}

/** What a fact can change. The place in the queue is `UploadOrder`'s. */
const COLUMNS: Record<Exclude<keyof Upload, 'priority'>, string> = {
  id: 'id',
  batchId: 'batch_id',
  siteId: 'site_id',
  collectionId: 'collection_id',
  path: 'path',
  fileName: 'file_name',
  sizeBytes: 'size_bytes',
  mtimeMs: 'mtime_ms',
  identity: 'identity',
  edgeHash: 'edge_hash',
  movedFrom: 'moved_from',
  title: 'title',
  tags: 'tags',
  publish: 'publish',
  duplicates: 'duplicates',
  duplicateCheckedAt: 'duplicate_checked_at',
  state: 'state',
  attempts: 'attempts',
  tries: 'tries',
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
  followUps: 'follow_ups',
  followUpAt: 'follow_up_at',
  addedAt: 'added_at',
  endedAt: 'ended_at',
  cancelledFrom: 'cancelled_from',
};

const FIELDS = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/** Of a failed row: it only asks about a duplicate. `AppErrorData` is stored with its code first; an index has the same words. */
const ASKS = `substr(error, 1, 26) IS '{"code":"upload.duplicate"'`;
const ASKS_NOT = `substr(error, 1, 26) IS NOT '{"code":"upload.duplicate"'`;

/** What a filter wants beside a state. */
const ALSO: Partial<Record<UploadFilter, string>> = { failed: `AND ${ASKS_NOT}`, 'needs-decision': `AND ${ASKS}` };
/** The accounts of the library of $siteId. */
const OF_LIBRARY = `SELECT $siteId UNION
  SELECT other.id FROM sites JOIN sites AS other ON other.base_url = sites.base_url WHERE sites.id = $siteId`;

/** Rows that are kept at hand. */
const MOST_RECENT = 256;

/** How every statement begins that stores a fact about a row. */
export const FACT_UPDATE = 'UPDATE uploads AS fact SET';

/** The durable rows of the queue. Every method is one transaction. */
export class UploadStore {
  readonly #database: Database;
  readonly #statements: Statements;
  /** Rows at work are asked for many times in each of their steps. This process is the only one that writes. */
  readonly #recent = new Map<string, Upload>();

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new Statements(database);
  }

  addBatch(batch: BatchRecord): void {
    this.#run(
      `INSERT INTO batches (id, site_id, collection_id, collection_name, collection_ref, defaults, added_at, roots)
       VALUES ($id, $siteId, $collectionId, $collectionName, $collectionRef, $defaults, $addedAt, $roots)`,
      { ...batch, defaults: JSON.stringify(batch.defaults), roots: JSON.stringify(batch.roots) },
    );
  }

  /** The library has answered which collection a batch is for. Durable when this returns. */
  setCollection(
    batchId: string,
    { collectionId, collectionName }: { collectionId: string; collectionName: string },
  ): void {
    const sql =
      'UPDATE batches SET collection_id = $collectionId, collection_name = $collectionName WHERE id = $batchId';
    this.#run(sql, { batchId, collectionId, collectionName });
  }

  /** A person names another collection for a batch whose collection is not known yet. Durable when this returns. */
  setCollectionRef(batchId: string, collectionRef: string): void {
    const sql = `UPDATE batches SET collection_ref = $collectionRef, collection_name = $collectionRef
      WHERE id = $batchId AND collection_id = ''`;
    this.#run(sql, { batchId, collectionRef });
  }

  batch(id: string): BatchRecord | null {
    const row = this.#statements.prepare('SELECT * FROM batches WHERE id = $id').get({ id });
    return row ? toBatch(row) : null;
  }

  /** Newest first. */
  batches(limit: number, offset = 0): BatchRecord[] {
    return this.#statements
      .prepare('SELECT * FROM batches ORDER BY added_at DESC, rowid DESC LIMIT $limit OFFSET $offset')
      .all({ limit, offset })
      .map(toBatch);
  }

  /**
   * All of them or none. `rankOf` tells the place of each inside its priority. A power cut may take them back until
   * `whenDurable` has resolved.
   */
  insert(uploads: readonly Upload[], rankOf: (upload: Upload, index: number) => number): void {
    const sql = `INSERT INTO uploads (${FIELDS.map((field) => COLUMNS[field]).join(', ')}, device, lane, rank)
      VALUES (${FIELDS.map((field) => `$${field}`).join(', ')}, $device, $lane, $rank)`;
    this.#lazily(() =>
      this.#database.transaction(() => {
        for (const [index, upload] of uploads.entries()) {
          this.#run(sql, { ...toParameters(upload), lane: laneOf(upload.priority), rank: rankOf(upload, index) });
        }
      }),
    );
  }

  /**
   * Stores what makes `after` differ from `before`, the row as it is stored. A crash of the process does not take this
   * back; a power cut may until `whenDurable` has resolved.
   */
  save(before: Upload, after: Upload): void {
    // Only these: a column that is named is written to all of its indexes, changed or not.
    const changed = FIELDS.filter((field) => before[field] !== after[field]);
    this.#recent.delete(after.id);
    if (changed.length > 0) {
      const sets = changed.map((field) => `${COLUMNS[field]} = $${field}`);
      const parameters: Record<string, SqlValue> = { id: after.id };
      for (const field of changed) parameters[field] = toParameter(after, field);
      if (changed.includes('identity')) {
        sets.push('device = $device');
        parameters.device = deviceOf(after.identity);
      }
      const sql = `${FACT_UPDATE} ${sets.join(', ')} WHERE id = $id`;
      this.#lazily(() => this.#run(sql, parameters));
    }
    this.#remember(after);
  }

  /** The same for many rows, all of them or none; `alongside` is part of the transaction. */
  saveMany(changes: readonly { before: Upload; after: Upload }[], alongside: () => void = () => {}): void {
    this.#database.setDurable(false);
    try {
      this.#database.transaction(() => {
        for (const { before, after } of changes) this.save(before, after);
        alongside();
      });
    } catch (error) {
      this.forgetRecent();
      throw error;
    } finally {
      this.#database.setDurable(true);
    }
  }

  /** Rows were changed in another way than by `save`. */
  forgetRecent(): void {
    this.#recent.clear();
  }

  /** See `Database.whenDurable`. */
  whenDurable(): Promise<void> {
    return this.#database.whenDurable();
  }

  get(id: string): Upload | null {
    const known = this.#recent.get(id);
    if (known !== undefined) return known;
    const row = this.#statements.prepare('SELECT * FROM uploads WHERE id = $id').get({ id });
    if (row === undefined) return null;
    const upload = toUpload(row);
    this.#remember(upload);
    return upload;
  }

  /** Rows are never changed in place, so that one may be handed out to many. */
  #remember(upload: Upload): void {
    if (this.#recent.size >= MOST_RECENT) this.#recent.clear();
    this.#recent.set(upload.id, upload);
  }

  /** Delivered uploads that the service is at work on, in no order. */
  followed(): FollowedUpload[] {
    return this.#statements
      .prepare(
        `SELECT id, site_id, collection_id, media_id, file_id, watched_ms, state FROM uploads
       WHERE state IN ('processing', 'publishing')`,
      )
      .all()
      .map((row) => ({
        id: String(row.id),
        siteId: String(row.site_id),
        collectionId: String(row.collection_id),
        mediaId: String(row.media_id),
        fileId: String(row.file_id),
        watchedMs: Number(row.watched_ms),
        state: row.state as UploadState,
      }));
  }

  /** The earliest instant after `now` at which a waiting row's time comes; null when there is none. */
  nextDueAt(now: number): number | null {
    const sql = `SELECT min(next_attempt_at) AS at FROM uploads INDEXED BY uploads_due
      WHERE state = 'waiting' AND next_attempt_at > $now`;
    const row = this.#statements.prepare(sql).get({ now });
    return row?.at === null || row?.at === undefined ? null : Number(row.at);
  }

  /**
   * A window of the list, in the order of the queue. `tally` counts the rows of the batch or of all. Each state's rows are
   * found in order by an index; only what lies between the window and the nearer end is passed over.
   */
  page(
    filter: UploadFilter,
    batchId: string | null,
    { offset, limit, tally }: { offset: number; limit: number; tally: Readonly<Pick<Tally, 'counts' | 'duplicates'>> },
  ): { total: number; rows: Upload[] } {
    const filled = FILTER_STATES[filter].filter((state) => tally.counts[state] > 0);
    const total = countFor(filter, tally);
    const length = Math.min(limit, total - offset);
    if (length <= 0) return { total, rows: [] };
    const after = total - offset - length;
    const [skip, order] = offset <= after ? [offset, 'lane, rank, seq'] : [after, 'lane DESC, rank DESC, seq DESC'];
    const ofBatch = batchId === null ? '' : 'batch_id = $batchId AND';
    const also = ALSO[filter] ?? '';
    // All rows lie in one index. Of some states each has its own part: these are merged, not sorted.
    const parts =
      filter === 'all' && batchId === null
        ? ['SELECT lane, rank, seq FROM uploads']
        : filled.map((state) => `SELECT lane, rank, seq FROM uploads WHERE ${ofBatch} state = '${state}' ${also}`);
    // The inner question is answered by indexes alone; only the rows of the page are read.
    const rows = this.#statements
      .prepare(
        `SELECT * FROM uploads WHERE seq IN (SELECT seq FROM
         (${parts.join(' UNION ALL ')} ORDER BY ${order} LIMIT $length OFFSET $skip)) ORDER BY lane, rank, seq`,
      )
      .all({ ...(batchId === null ? {} : { batchId }), length, skip })
      .map(toUpload);
    return { total, rows };
  }

  /** Rows of a batch in the order in which they were added, after the row with number `after`. */
  ofBatch(batchId: string, after: number, limit: number): { upload: Upload; seq: number }[] {
    // They lie together: from the first one on, reading on is faster than looking each of them up.
    const first =
      after > 0
        ? null
        : this.#statements.prepare('SELECT min(seq) AS seq FROM uploads WHERE batch_id = $batchId').get({ batchId });
    return this.#statements
      .prepare(`SELECT * FROM uploads NOT INDEXED WHERE batch_id = $batchId AND seq > $after ORDER BY seq LIMIT $limit`)
      .all({ batchId, after: Math.max(after, Number(first?.seq ?? 1) - 1), limit })
      .map((row) => ({ upload: toUpload(row), seq: Number(row.seq) }));
  }

  /** Ids of the rows that a command is meant for and that are in one of `states`. */
  select(where: { ids: string[] } | { batchId: string } | 'all', states: readonly UploadState[]): string[] {
    if (where !== 'all' && 'ids' in where) {
      return where.ids.filter((id) => {
        const row = this.#statements.prepare('SELECT state FROM uploads WHERE id = $id').get({ id });
        return row !== undefined && states.includes(row.state as UploadState);
      });
    }
    return this.#idsIn(where, states, '');
  }

  /** Ids of a whole list, in the order of the queue. */
  listedIds(filter: UploadFilter, batchId: string | null): string[] {
    return this.#idsIn(batchId === null ? 'all' : { batchId }, FILTER_STATES[filter], ALSO[filter] ?? '');
  }

  #idsIn(where: { batchId: string } | 'all', states: readonly UploadState[], also: string): string[] {
    const only: Record<string, SqlValue> = where === 'all' ? {} : { batchId: where.batchId };
    const clause = where === 'all' ? '' : 'AND batch_id = $batchId';
    // As one value: a hundred thousand rows of an answer take far longer than the question.
    const row = this.#statements
      .prepare(
        `SELECT json_group_array(id) AS ids FROM
         (SELECT id FROM uploads WHERE state IN (${list(states)}) ${also} ${clause} ORDER BY lane, rank, seq)`,
      )
      .get(only);
    return JSON.parse(String(row?.ids ?? '[]')) as string[];
  }

  /** All rows, counted by batch and state. Reads through the whole queue: once, and kept up from then on. */
  tally(): TallyGroup[] {
    return this.#database
      .prepare(
        `SELECT batch_id, min(site_id) AS site_id, state, count(*) AS n, sum(size_bytes) AS bytes,
         sum(state = 'failed' AND ${ASKS}) AS duplicates,
         sum(CASE WHEN sent_at IS NOT NULL OR finished_at IS NOT NULL THEN size_bytes ELSE 0 END) AS delivered_bytes
         FROM uploads GROUP BY batch_id, state`,
      )
      .all()
      .map((row) => ({
        batchId: String(row.batch_id),
        siteId: String(row.site_id),
        state: row.state as UploadState,
        rows: Number(row.n),
        bytes: Number(row.bytes),
        duplicates: Number(row.duplicates),
        deliveredBytes: Number(row.delivered_bytes),
      }));
  }

  /**
   * Cancelled and skipped uploads whose leftovers in the library are still there, and those that were cancelled with a
   * complete file, of which it is unknown whether it was published.
   */
  uncleaned(): string[] {
    const sql = `SELECT id FROM uploads WHERE state IN ('cancelled', 'skipped')
      AND (media_id IS NOT NULL OR item_intent_at IS NOT NULL) AND (completed_at IS NULL OR cancelled_from IS NOT NULL)`;
    return this.#statements
      .prepare(sql)
      .all()
      .map((row) => String(row.id));
  }

  /** Whether an item is some row's already, of this account or of another one of the same library. */
  ownsMedia(siteId: string, mediaId: string): boolean {
    const sql = `SELECT 1 AS found FROM uploads WHERE media_id = $mediaId AND site_id IN (${OF_LIBRARY})`;
    return this.#statements.prepare(sql).get({ siteId, mediaId }) !== undefined;
  }

  /**
   * The uploads into a collection whose item may or may not have been created, of all accounts of the library, in the
   * order in which that was intended. Also those that ended meanwhile.
   */
  openCreations(siteId: string, collectionId: string): { id: string; title: string; intendedAt: number }[] {
    const sql = `SELECT id, title, item_intent_at FROM uploads INDEXED BY uploads_open_creations WHERE media_id IS NULL AND item_intent_at IS NOT NULL
      AND collection_id = $collectionId AND site_id IN (${OF_LIBRARY}) ORDER BY item_intent_at, seq`;
    return this.#statements
      .prepare(sql)
      .all({ siteId, collectionId })
      .map((row) => ({ id: String(row.id), title: String(row.title), intendedAt: Number(row.item_intent_at) }));
  }

  setting(name: string): string | null {
    const row = this.#statements.prepare('SELECT value FROM settings WHERE name = $name').get({ name });
    return row ? String(row.value) : null;
  }

  setSetting(name: string, value: string): void {
    const sql = 'INSERT INTO settings VALUES ($name, $value) ON CONFLICT (name) DO UPDATE SET value = $value';
    this.#run(sql, { name, value });
  }

  /** What is written by `write` is committed, and on the disk with the next `whenDurable`. */
  #lazily(write: () => void): void {
    this.#database.setDurable(false);
    try {
      write();
    } finally {
      this.#database.setDurable(true);
    }
  }

  #run(sql: string, parameters: Record<string, SqlValue>): void {
    this.#statements.prepare(sql).run(parameters);
  }
}

/** The words come from our own constants, never from outside. */
function list(states: readonly UploadState[]): string {
  return states.map((state) => `'${state}'`).join(', ');
}

function toParameter(upload: Upload, field: keyof typeof COLUMNS): SqlValue {
  const value = upload[field];
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function toParameters(upload: Upload): Record<string, SqlValue> {
  const parameters: Record<string, SqlValue> = { device: deviceOf(upload.identity) };
  for (const field of FIELDS) parameters[field] = toParameter(upload, field);
  return parameters;
}

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
    edgeHash: text('edge_hash'),
    movedFrom: text('moved_from'),
    title: String(row.title),
    tags: json<string[]>('tags') ?? [],
    publish: json<Upload['publish']>('publish') ?? { kind: 'draft' },
    priority: priorityOf(Number(row.lane)),
    duplicates: String(row.duplicates) as Upload['duplicates'],
    duplicateCheckedAt: number('duplicate_checked_at'),
    state: String(row.state) as UploadState,
    attempts: Number(row.attempts),
    tries: json<Upload['tries']>('tries') ?? {},
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
    followUps: json<Upload['followUps']>('follow_ups') ?? [],
    followUpAt: number('follow_up_at'),
    addedAt: Number(row.added_at),
    endedAt: number('ended_at'),
    cancelledFrom: json('cancelled_from'),
  };
}

/** Earlier versions stored the form fields as an object. */
function toDestination(stored: Upload['destination']): Upload['destination'] {
  if (stored === null || Array.isArray(stored.upload_post_params)) return stored;
  return { ...stored, upload_post_params: Object.entries(stored.upload_post_params as object) };
}

function toBatch(row: SqlRow): BatchRecord {
  return {
    id: String(row.id),
    siteId: String(row.site_id),
    collectionId: String(row.collection_id),
    collectionName: String(row.collection_name),
    collectionRef: row.collection_ref === null ? null : String(row.collection_ref),
    defaults: JSON.parse(String(row.defaults)) as BatchDefaults,
    addedAt: Number(row.added_at),
    roots: JSON.parse(String(row.roots)) as string[],
  };
}
