import type { WatchedState } from '../../../../shared/model/watch/watched-states.ts';
import { hasFileNumber } from '../../ports/file-identity.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { lazily } from '../../store/lazily.ts';
import { Statements } from '../../store/statements.ts';
import { WatchedContentsStore } from './contents-store.ts';
import type { Fingerprint, NewWatchedFile, WatchedFile } from './watched-file.ts';
import { INSERT, toFile, UPDATE, watchedFileColumns } from './watched-file-columns.ts';

interface ComparedFacts extends Fingerprint {
  seq: number;
  kind: string;
  ctimeMs: number | null;
  isGone: boolean;
}

/** How many rows a folder has. */
export interface FolderTally {
  states: Partial<Record<WatchedState, number>>;
  /** The number of files that are done without an upload. */
  unsent: number;
}

/** The durable rows of watched files. */
export class WatchedFileStore {
  /** The handled contents, whatever the state of their rows is. */
  readonly contents: WatchedContentsStore;
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #onDidWrite: (folderId: string, path: string) => void;

  /** `onDidWrite`: called when the row of this path was added, changed or removed, or will be when its transaction ends. */
  constructor(database: Database, onDidWrite: (folderId: string, path: string) => void = () => {}) {
    this.#database = database;
    this.#onDidWrite = onDidWrite;
    this.#statements = new Statements(database);
    this.contents = new WatchedContentsStore(this.#statements);
  }

  /** Runs writes in one transaction. A crash does not undo them; a power cut may, and the next sweep finds the files again. */
  transaction(work: () => void): void {
    lazily(this.#database, () => this.#database.transaction(work));
  }

  get(seq: number): WatchedFile | null {
    return oneOf(this.#statements.prepare('SELECT * FROM watched_files WHERE seq = $seq').get({ seq }));
  }

  /** Returns the existing rows of these paths, by path. */
  byPaths(folderId: string, paths: readonly string[]): Map<string, WatchedFile> {
    const sql = `SELECT * FROM watched_files
      WHERE folder_id = $folderId AND path IN (SELECT value FROM json_each($paths))`;
    const rows = this.#statements.prepare(sql).all({ folderId, paths: JSON.stringify(paths) });
    return new Map(rows.map((row) => [String(row.path), toFile(row)]));
  }

  /** Returns the paths whose file has an upload, or needs none because it was uploaded or existed before. */
  handledPaths(folderId: string, paths: readonly string[]): Set<string> {
    const sql = `SELECT path FROM watched_files
      WHERE folder_id = $folderId AND state IN ('queued', 'done') AND path IN (SELECT value FROM json_each($paths))`;
    const rows = this.#statements.prepare(sql).all({ folderId, paths: JSON.stringify(paths) });
    return new Set(rows.map(({ path }) => String(path)));
  }

  /**
   * Returns the facts that a listing is compared with, by path: most files of a sweep are unchanged, and whole rows take longer
   * to read.
   */
  comparedFacts(folderId: string, paths: readonly string[]): Map<string, ComparedFacts> {
    const sql = `SELECT path, seq, kind, file_id, size_bytes, mtime_ms, ctime_ms, gone_at IS NOT NULL AS is_gone FROM watched_files
      WHERE folder_id = $folderId AND path IN (SELECT value FROM json_each($paths))`;
    const rows = this.#statements.prepare(sql).all({ folderId, paths: JSON.stringify(paths) });
    return new Map(
      rows.map((row) => [
        String(row.path),
        {
          seq: Number(row.seq),
          kind: String(row.kind),
          fileId: String(row.file_id),
          sizeBytes: Number(row.size_bytes),
          mtimeMs: Number(row.mtime_ms),
          ctimeMs: row.ctime_ms === null ? null : Number(row.ctime_ms),
          isGone: row.is_gone === 1,
        },
      ]),
    );
  }

  /** Rows below a folder (relative, with `/` at its end; empty: all) that were queued since a time (epoch milliseconds). */
  queuedBelow(folderId: string, base: string, since: number): WatchedFile[] {
    const sql = `SELECT * FROM watched_files WHERE folder_id = $folderId AND upload_id IS NOT NULL AND handled_at >= $since
      AND state IN ('queued', 'done') AND substr(path, 1, $length) = $base ORDER BY seq`;
    const length = Array.from(base).length;
    return this.#statements.prepare(sql).all({ folderId, since, base, length }).map(toFile);
  }

  /** Returns a row with these contents under another path that is handled, or existed before the folder was watched. */
  handledElsewhere(folderId: string, { fileId, sizeBytes, mtimeMs }: Fingerprint): WatchedFile | null {
    if (!hasFileNumber(fileId)) return null;
    const sql = `SELECT * FROM watched_files WHERE folder_id = $folderId AND file_id = $fileId
      AND size_bytes = $sizeBytes AND mtime_ms = $mtimeMs AND state IN ('done', 'queued') LIMIT 1`;
    return oneOf(this.#statements.prepare(sql).get({ folderId, fileId, sizeBytes, mtimeMs }));
  }

  /** Returns an unhandled row of the same file under another path: it was renamed while it was written. */
  openElsewhere(folderId: string, { fileId }: Fingerprint, path: string): WatchedFile | null {
    if (!hasFileNumber(fileId)) return null;
    const sql = `SELECT * FROM watched_files WHERE folder_id = $folderId AND file_id = $fileId AND path <> $path
      AND state IN ('settling', 'waiting', 'incomplete') LIMIT 1`;
    return oneOf(this.#statements.prepare(sql).get({ folderId, fileId, path }));
  }

  /** Returns the existing rows of a file under other paths. */
  ofFile(folderId: string, fileId: string, path: string): WatchedFile[] {
    const sql = `SELECT * FROM watched_files WHERE folder_id = $folderId AND file_id = $fileId AND path <> $path
      AND gone_at IS NULL LIMIT 20`;
    return this.#statements.prepare(sql).all({ folderId, fileId, path }).map(toFile);
  }

  /** Returns the queued upload of a file that left its path, with its new path; null unless both are known. */
  movedUpload(
    folderId: string,
    { fileId, sizeBytes, mtimeMs }: Fingerprint,
  ): { uploadId: string; path: string } | null {
    const isIt = (name: string) =>
      `${name}.folder_id = $folderId AND ${name}.file_id = $fileId AND ${name}.size_bytes = $sizeBytes AND ${name}.mtime_ms = $mtimeMs`;
    const sql = `SELECT queued.upload_id, here.path FROM watched_files AS queued JOIN watched_files AS here
      WHERE ${isIt('queued')} AND queued.state = 'queued' AND queued.upload_id IS NOT NULL AND queued.gone_at IS NOT NULL
        AND ${isIt('here')} AND here.state = 'done' AND here.kind = 'file' AND here.gone_at IS NULL LIMIT 1`;
    const row = this.#statements.prepare(sql).get({ folderId, fileId, sizeBytes, mtimeMs });
    return row === undefined ? null : { uploadId: String(row.upload_id), path: String(row.path) };
  }

  ofUpload(uploadId: string): WatchedFile[] {
    return this.#statements
      .prepare('SELECT * FROM watched_files WHERE upload_id = $uploadId')
      .all({ uploadId })
      .map(toFile);
  }

  insert(file: NewWatchedFile): void {
    this.#statements.prepare(INSERT).run(watchedFileColumns(file));
    this.#onDidWrite(file.folderId, file.path);
  }

  save(file: WatchedFile): void {
    this.#statements.prepare(UPDATE).run({ ...watchedFileColumns(file), seq: file.seq });
    this.#onDidWrite(file.folderId, file.path);
  }

  remove({ seq, folderId, path }: WatchedFile): void {
    this.#statements.prepare('DELETE FROM watched_files WHERE seq = $seq').run({ seq });
    this.#onDidWrite(folderId, path);
  }

  /** Removes some of the rows whose folder was removed. Returns whether more are left. */
  removeOrphans(limit: number): boolean {
    let isMore = false;
    for (const table of ['watched_files', 'watched_contents']) {
      const orphans = `SELECT seq FROM ${table} WHERE folder_id NOT IN (SELECT id FROM watched_folders) LIMIT $limit`;
      const { changes } = this.#statements.prepare(`DELETE FROM ${table} WHERE seq IN (${orphans})`).run({ limit });
      isMore ||= changes === limit;
    }
    this.#statements
      .prepare('DELETE FROM watched_batches WHERE folder_id NOT IN (SELECT id FROM watched_folders)')
      .run();
    return isMore;
  }

  /** Makes the file of an upload that has ended due at `now` (monotonic), to compare it with the sent file. */
  makeDueAfterUpload(uploadId: string, now: number): void {
    this.#statements
      .prepare(`UPDATE watched_files SET due_at = $now WHERE upload_id = $uploadId AND state = 'queued'`)
      .run({ uploadId, now });
  }

  /** Makes files that rules skipped or postponed due at `now` (monotonic), after the rules of their folder changed. */
  makeDueAfterRuleChange(folderId: string, now: number): void {
    this.#statements
      .prepare(
        `UPDATE watched_files SET due_at = $now WHERE folder_id = $folderId AND kind = 'file'
         AND state IN ('refused', 'waiting', 'attached') AND gone_at IS NULL AND upload_id IS NULL`,
      )
      .run({ folderId, now });
  }

  /** Rows without an upload are decided about again, at `now` (monotonic). */
  makeDueWithoutUpload(files: readonly WatchedFile[], now: number): void {
    if (files.length === 0) return;
    const sql = 'UPDATE watched_files SET due_at = $now WHERE seq = $seq AND upload_id IS NULL';
    this.transaction(() => {
      for (const { seq } of files) this.#statements.prepare(sql).run({ seq, now });
    });
  }

  /** Makes the rows of a folder that wait for a time due at `now` (monotonic). */
  makeDueInFolder(folderId: string, now: number): void {
    this.#statements
      .prepare('UPDATE watched_files SET due_at = $now WHERE folder_id = $folderId AND due_at IS NOT NULL')
      .run({ folderId, now });
  }

  /** Makes files whose polls have become rare due at `now` (monotonic), and their polls frequent again, after an event. */
  makeIdleDue(folderId: string, paths: readonly string[], now: number): boolean {
    const sql = `UPDATE watched_files SET due_at = $now, history = json_set(history, '$.idlePolls', 0)
      WHERE folder_id = $folderId AND path IN (SELECT value FROM json_each($paths))
        AND state IN ('settling', 'incomplete') AND iif(json_valid(history), history ->> '$.idlePolls', 0) > 0`;
    return this.#statements.prepare(sql).run({ folderId, paths: JSON.stringify(paths), now }).changes > 0;
  }

  /** Folders with rows that are due at `now` (monotonic). */
  dueFolders(now: number): string[] {
    return this.#statements
      .prepare('SELECT DISTINCT folder_id FROM watched_files WHERE due_at <= $now')
      .all({ now })
      .map((row) => String(row.folder_id));
  }

  /** The rows of a folder that are due, earliest first. */
  due(folderId: string, now: number, limit: number): WatchedFile[] {
    const sql = `SELECT * FROM watched_files WHERE folder_id = $folderId AND due_at <= $now ORDER BY due_at LIMIT $limit`;
    return this.#statements.prepare(sql).all({ folderId, now, limit }).map(toFile);
  }

  /** Returns the time at which the next row of these folders is due (monotonic); null: never. */
  nextDueAt(folderIds: readonly string[]): number | null {
    const sql = `SELECT min(due_at) AS at FROM watched_files
      WHERE due_at IS NOT NULL AND folder_id IN (SELECT value FROM json_each($folderIds))`;
    const row = this.#statements.prepare(sql).get({ folderIds: JSON.stringify(folderIds) });
    return row?.at === null || row?.at === undefined ? null : Number(row.at);
  }

  /** Makes every row that waits for a time due now: the monotonic clock of the last process is meaningless here. */
  makeAllDue(): void {
    // Larger than any monotonic time of this process, so that the history starts again with its clock.
    this.#statements
      .prepare(
        `UPDATE watched_files SET due_at = 0,
           history = iif(json_valid(history), json_set(history, '$.lastAtMs', 1e15), NULL) WHERE due_at IS NOT NULL`,
      )
      .run();
    // An upload that ended while no process was running.
    this.#statements
      .prepare(
        `UPDATE watched_files SET due_at = 0 WHERE state = 'queued' AND upload_id IN
         (SELECT id FROM uploads WHERE state IN ('complete', 'cancelled', 'skipped'))`,
      )
      .run();
  }

  /** Returns the rows of a folder whose files exist, a page of them in the order of their paths. */
  present(folderId: string, after: string, limit: number): { seq: number; path: string }[] {
    const sql = `SELECT seq, path FROM watched_files
      WHERE folder_id = $folderId AND gone_at IS NULL AND path > $after ORDER BY path LIMIT $limit`;
    return this.#statements
      .prepare(sql)
      .all({ folderId, after, limit })
      .map((row) => ({ seq: Number(row.seq), path: String(row.path) }));
  }

  /** Returns the number of the latest row of all folders; 0 without one. Later rows have higher numbers. */
  lastSeq(): number {
    return Number(this.#statements.prepare('SELECT max(seq) AS seq FROM watched_files').get()?.seq ?? 0);
  }

  /** The number of rows, by folder. */
  tally(): Map<string, FolderTally> {
    const tallies = new Map<string, FolderTally>();
    const sql = `SELECT folder_id, state, count(*) AS n, count(upload_id) AS uploads FROM watched_files
      GROUP BY folder_id, state`;
    for (const row of this.#statements.prepare(sql).all()) {
      const tally = tallies.get(String(row.folder_id)) ?? { states: {}, unsent: 0 };
      tallies.set(String(row.folder_id), tally);
      tally.states[row.state as WatchedState] = Number(row.n);
      if (row.state === 'done') tally.unsent = Number(row.n) - Number(row.uploads);
    }
    return tallies;
  }

  /**
   * Returns a page of rows in these states, the latest first; of one folder or of all (null). `done`: which of the rows that are
   * done belong to it, with an upload or without one.
   */
  page(
    folderId: string | null,
    { states, done }: { states: readonly WatchedState[]; done: 'none' | 'sent' | 'unsent' },
    { offset, limit }: { offset: number; limit: number },
  ): { total: number; files: WatchedFile[] } {
    const doneRows = { none: '', sent: 'AND upload_id IS NOT NULL', unsent: 'AND upload_id IS NULL' }[done];
    const where = `(state IN (SELECT value FROM json_each($states))
      ${done === 'none' ? '' : `OR (state = 'done' ${doneRows})`})
      ${folderId === null ? '' : 'AND folder_id = $folderId'}`;
    const parameters = { states: JSON.stringify(states), ...(folderId === null ? {} : { folderId }) };
    const total = this.#statements.prepare(`SELECT count(*) AS n FROM watched_files WHERE ${where}`).get(parameters);
    const files = this.#statements
      .prepare(
        `SELECT * FROM watched_files WHERE ${where}
         ORDER BY coalesce(handled_at, first_seen_at) DESC, seq DESC LIMIT $limit OFFSET $offset`,
      )
      .all({ ...parameters, offset, limit });
    return { total: Number(total?.n ?? 0), files: files.map(toFile) };
  }

  /** Returns the batch that collects uploads under this key; null when there is none yet. */
  batchOf(folderId: string, key: string): string | null {
    const row = this.#statements
      .prepare('SELECT batch_id FROM watched_batches WHERE folder_id = $folderId AND key = $key')
      .get({ folderId, key });
    return row === undefined ? null : String(row.batch_id);
  }

  setBatch(folderId: string, key: string, batchId: string): void {
    this.#statements
      .prepare(
        `INSERT INTO watched_batches (folder_id, key, batch_id) VALUES ($folderId, $key, $batchId)
         ON CONFLICT (folder_id, key) DO UPDATE SET batch_id = excluded.batch_id`,
      )
      .run({ folderId, key, batchId });
  }
}

function oneOf(row: SqlRow | undefined): WatchedFile | null {
  return row === undefined ? null : toFile(row);
}
