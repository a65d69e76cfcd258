import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { UploadState } from '../../../../shared/model/uploads/upload-states.ts';
import type { Database, SqlValue } from '../../store/database.ts';
import { lazily } from '../../store/lazily.ts';
import { OF_LIBRARY } from '../../store/site-store.ts';
import { Statements } from '../../store/statements.ts';
import { DROP_FOLLOW_UPS, followUpParameters, PUT_FOLLOW_UP } from './follow-up-columns.ts';
import { INSERT_UPLOAD, insertParameters, toUpload, UPLOAD_COLUMNS, updateOf } from './upload-columns.ts';
import { ASKS, idsInStates } from './upload-lists.ts';
import type { TallyGroup } from './upload-tally.ts';

/** A delivered upload that the library is processing. */
export interface PolledUpload extends Pick<Upload, 'id' | 'siteId' | 'collectionId' | 'watchedMs' | 'state'> {
  mediaId: string;
  fileId: string;
  /** Whether its item existed before it: then the list of the latest items does not show the item. */
  isAddition: boolean;
}

/** States in which the service works on a delivered upload. */
const POLLED_STATES: ReadonlySet<UploadState> = new Set(['processing', 'publishing']);

/** The number of cached rows. */
const MOST_RECENT = 256;

/** The durable rows of the queue. Every method is one transaction. */
export class UploadStore {
  readonly #database: Database;
  readonly #statements: Statements;
  /** Recently used rows, cached because each step reads its row many times. Only this process writes them. */
  readonly #recent = new Map<string, Upload>();
  /** The cached result of `polled`, which is read several times per second; null after a change of one of these rows. */
  #polled: readonly PolledUpload[] | null = null;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new Statements(database);
  }

  /**
   * Inserts rows, all of them or none. `rankOf` returns the place of each inside its priority. `alongside` runs first in the same
   * transaction: it may add the batch of the rows. A power cut may undo the insertion until `whenDurable` has resolved.
   */
  insert(
    uploads: readonly Upload[],
    rankOf: (upload: Upload, index: number) => number,
    alongside: () => void = () => {},
  ): void {
    this.#lazily(() =>
      this.#database.transaction(() => {
        alongside();
        this.#polled = null;
        for (const [index, upload] of uploads.entries()) {
          this.#run(INSERT_UPLOAD, insertParameters(upload, rankOf(upload, index)));
          this.#writeFollowUps([], upload);
        }
      }),
    );
  }

  /**
   * Stores the differences between `after` and `before`, the row as it is stored. A crash of the process does not undo this; a
   * power cut may, until `whenDurable` has resolved.
   */
  save(before: Upload, after: Upload): void {
    const write = () => this.#write(before, after);
    // Without changed follow-ups, the write is one statement and needs no transaction.
    this.#lazily(before.followUps === after.followUps ? write : () => this.#database.transaction(write));
  }

  /** Stores the differences of many rows like `save`, all of them or none; `alongside` is part of the transaction. */
  saveMany(changes: readonly { before: Upload; after: Upload }[], alongside: () => void = () => {}): void {
    this.#lazily(() =>
      this.#database.transaction(() => {
        for (const { before, after } of changes) this.#write(before, after);
        alongside();
      }),
    );
  }

  /** Writes the differences of one row. Called inside a transaction when follow-ups differ. */
  #write(before: Upload, after: Upload): void {
    this.#recent.delete(after.id);
    if (POLLED_STATES.has(before.state) || POLLED_STATES.has(after.state)) this.#polled = null;
    const update = updateOf(before, after);
    if (update !== null) this.#run(update.sql, update.parameters);
    if (before.followUps !== after.followUps) this.#writeFollowUps(before.followUps, after);
    this.#remember(after);
  }

  /** Writes only the follow-ups that changed. */
  #writeFollowUps(before: Upload['followUps'], { id, followUps }: Upload): void {
    for (const [position, followUp] of followUps.entries()) {
      if (followUp !== before[position]) this.#run(PUT_FOLLOW_UP, followUpParameters(id, position, followUp));
    }
    if (before.length > followUps.length) this.#run(DROP_FOLLOW_UPS, { id, position: followUps.length });
  }

  /** Clears the cached rows, after a change of rows by another way than `save`. */
  forgetRecent(): void {
    this.#recent.clear();
    this.#polled = null;
  }

  /** See `Database.whenDurable`. */
  whenDurable(): Promise<void> {
    return this.#database.whenDurable();
  }

  get(id: string): Upload | null {
    const known = this.#recent.get(id);
    if (known !== undefined) return known;
    const row = this.#statements.prepare(`SELECT ${UPLOAD_COLUMNS} FROM uploads WHERE id = $id`).get({ id });
    if (row === undefined) return null;
    const upload = toUpload(row);
    this.#remember(upload);
    return upload;
  }

  /** Caches a row. Rows are never changed in place, so many callers may get the same object. */
  #remember(upload: Upload): void {
    if (this.#recent.size >= MOST_RECENT) this.#recent.clear();
    this.#recent.set(upload.id, upload);
  }

  /** Returns the delivered uploads that the library is processing, in no particular order. */
  polled(): readonly PolledUpload[] {
    this.#polled ??= this.#readPolled();
    return this.#polled;
  }

  #readPolled(): PolledUpload[] {
    return this.#statements
      .prepare(
        `SELECT id, site_id, collection_id, media_id, file_id, watched_ms, state, addition IS NOT NULL AS is_addition
       FROM uploads
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
        isAddition: row.is_addition === 1,
      }));
  }

  /** Returns the SHA-256 of a file that was sent from this computer, in lower-case hex; null for every other file. */
  sha256Of(siteId: string, fileId: string): string | null {
    const row = this.#statements
      .prepare('SELECT sha256 FROM uploads WHERE file_id = $fileId AND site_id = $siteId AND sha256 IS NOT NULL')
      .get({ fileId, siteId });
    return row === undefined ? null : String(row.sha256);
  }

  /** Returns the earliest time after `now` at which a waiting row is due, in epoch milliseconds; null when there is none. */
  nextDueAt(now: number): number | null {
    const sql = `SELECT min(next_attempt_at) AS at FROM uploads INDEXED BY uploads_due
      WHERE state = 'waiting' AND next_attempt_at > $now`;
    const row = this.#statements.prepare(sql).get({ now });
    return row?.at === null || row?.at === undefined ? null : Number(row.at);
  }

  /** Returns the ids of selected rows that are in one of `states`. */
  select(where: { ids: string[] } | { batchId: string } | 'all', states: readonly UploadState[]): string[] {
    if (where !== 'all' && 'ids' in where) {
      return where.ids.filter((id) => {
        const row = this.#statements.prepare('SELECT state FROM uploads WHERE id = $id').get({ id });
        return row !== undefined && states.includes(row.state as UploadState);
      });
    }
    return idsInStates(this.#statements, states, where === 'all' ? null : where.batchId);
  }

  /**
   * Returns the numbers of all rows by batch, by state and by whether they are listed. Reads the whole queue, so it is called
   * once; `UploadTally` updates the numbers after that.
   */
  tally(): TallyGroup[] {
    return this.#database
      .prepare(
        `SELECT batch_id, min(site_id) AS site_id, state, count(*) AS n, sum(size_bytes) AS bytes,
         cleared_at IS NOT NULL AS cleared,
         sum(state = 'failed' AND ${ASKS}) AS duplicates,
         sum(CASE WHEN sent_at IS NOT NULL OR finished_at IS NOT NULL THEN size_bytes ELSE 0 END) AS delivered_bytes
         FROM uploads GROUP BY batch_id, state, cleared`,
      )
      .all()
      .map((row) => ({
        batchId: String(row.batch_id),
        siteId: String(row.site_id),
        state: row.state as UploadState,
        isCleared: Number(row.cleared) === 1,
        rows: Number(row.n),
        bytes: Number(row.bytes),
        duplicates: Number(row.duplicates),
        deliveredBytes: Number(row.delivered_bytes),
      }));
  }

  /**
   * Returns the ids of cancelled and skipped uploads that may have left something in the library, and of those that were
   * cancelled with a complete file while it was unknown whether their publication took effect.
   */
  uncleaned(): string[] {
    const sql = `SELECT id FROM uploads WHERE state IN ('cancelled', 'skipped')
      AND (media_id IS NOT NULL OR item_intent_at IS NOT NULL) AND (completed_at IS NULL OR cancelled_from IS NOT NULL)
      AND (addition IS NULL OR file_id IS NOT NULL OR file_intent_at IS NOT NULL)`;
    return this.#statements
      .prepare(sql)
      .all()
      .map((row) => String(row.id));
  }

  /** Returns whether a row of this account, or of another account of the same library, has created an item. */
  ownsMedia(siteId: string, mediaId: string): boolean {
    const sql = `SELECT 1 AS found FROM uploads
      WHERE media_id = $mediaId AND site_id IN (${OF_LIBRARY}) AND addition IS NULL`;
    return this.#statements.prepare(sql).get({ siteId, mediaId }) !== undefined;
  }

  /** Returns whether a file in the item of an upload belongs to another row. */
  ownsFile({ id, siteId, mediaId }: Pick<Upload, 'id' | 'siteId' | 'mediaId'>, fileId: string): boolean {
    const sql = `SELECT 1 AS found FROM uploads WHERE media_id = $mediaId AND file_id = $fileId AND id <> $id
      AND site_id IN (${OF_LIBRARY})`;
    return this.#statements.prepare(sql).get({ siteId, mediaId, fileId, id }) !== undefined;
  }

  /** Returns the latest uploads of the file at a path that created an item or may still do so, the newest first; at most 20. */
  ofPath(siteId: string, path: string): Upload[] {
    return this.#withItems('INDEXED BY uploads_by_path WHERE path = $path', { siteId, path });
  }

  /** Returns the same as `ofPath` for files of this size and time of change, whatever their path was. */
  ofContents(siteId: string, { sizeBytes, mtimeMs }: { sizeBytes: number; mtimeMs: number }): Upload[] {
    const alike = 'INDEXED BY uploads_by_contents WHERE size_bytes = $sizeBytes AND mtime_ms = $mtimeMs';
    return this.#withItems(alike, { siteId, sizeBytes, mtimeMs });
  }

  #withItems(where: string, parameters: Record<string, SqlValue>): Upload[] {
    const sql = `SELECT ${UPLOAD_COLUMNS} FROM uploads ${where}
      AND site_id = $siteId AND addition IS NULL AND state NOT IN ('failed', 'cancelled', 'skipped')
      ORDER BY seq DESC LIMIT 20`;
    return this.#statements.prepare(sql).all(parameters).map(toUpload);
  }

  /** Returns at most `most` different paths of uploads as in `ofPath` that begin with a text, in no particular order. */
  pathsThatBegin(siteId: string, beginning: string, most: number): string[] {
    const sql = `SELECT DISTINCT path FROM uploads INDEXED BY uploads_by_path
      WHERE path >= $beginning AND path < $end
        AND site_id = $siteId AND addition IS NULL AND state NOT IN ('failed', 'cancelled', 'skipped') LIMIT $most`;
    const end = `${beginning}\u{10ffff}`;
    return this.#statements
      .prepare(sql)
      .all({ siteId, beginning, end, most })
      .map(({ path }) => String(path));
  }

  /** Returns the additions to an item, the oldest first. */
  additionsTo(siteId: string, mediaId: string): Upload[] {
    const sql = `SELECT ${UPLOAD_COLUMNS} FROM uploads
      WHERE media_id = $mediaId AND site_id = $siteId AND addition IS NOT NULL ORDER BY seq`;
    return this.#statements.prepare(sql).all({ siteId, mediaId }).map(toUpload);
  }

  /**
   * Returns the uploads to a collection whose item may have been created, but is not known, of all accounts of the library, in
   * the order of their intents. Includes uploads that have ended.
   */
  openCreations(siteId: string, collectionId: string): { id: string; title: string; intendedAt: number }[] {
    const sql = `SELECT id, title, item_intent_at FROM uploads INDEXED BY uploads_open_creations
      WHERE media_id IS NULL AND item_intent_at IS NOT NULL AND collection_id = $collectionId AND site_id IN (${OF_LIBRARY}) ORDER BY item_intent_at, seq`;
    return this.#statements
      .prepare(sql)
      .all({ siteId, collectionId })
      .map((row) => ({ id: String(row.id), title: String(row.title), intendedAt: Number(row.item_intent_at) }));
  }

  /** Commits what `write` writes; it is on the disk when the next `whenDurable` resolves. */
  #lazily(write: () => void): void {
    try {
      lazily(this.#database, write);
    } catch (error) {
      // If a transaction fails at its end, the cache contains rows that are not stored.
      this.forgetRecent();
      throw error;
    }
  }

  #run(sql: string, parameters: Record<string, SqlValue>): void {
    this.#statements.prepare(sql).run(parameters);
  }
}
