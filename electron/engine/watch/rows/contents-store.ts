import { hasFileNumber } from '../../ports/file-identity.ts';
import type { SqlRow } from '../../store/database.ts';
import type { Statements } from '../../store/statements.ts';
import type { Fingerprint, HandledContents } from './watched-file.ts';

/** The contents of watched folders that were handled: they need not be uploaded again. */
export class WatchedContentsStore {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Contents of the same file with equal size and time. */
  byFile(folderId: string, { fileId, sizeBytes, mtimeMs }: Fingerprint): HandledContents | null {
    if (!hasFileNumber(fileId)) return null;
    const sql = `SELECT * FROM watched_contents WHERE folder_id = $folderId AND file_id = $fileId
      AND size_bytes = $sizeBytes AND mtime_ms = $mtimeMs ORDER BY at DESC LIMIT 1`;
    return this.#one(sql, { folderId, fileId, sizeBytes, mtimeMs });
  }

  /** Returns contents of equal size and equal ends. Rows whose ends were never read don't match: see `unread`. */
  byEdges(folderId: string, sizeBytes: number, edgeHash: string): HandledContents[] {
    const sql = `SELECT * FROM watched_contents WHERE folder_id = $folderId AND size_bytes = $sizeBytes
      AND edge_hash = $edgeHash ORDER BY at DESC LIMIT 20`;
    return this.#statements.prepare(sql).all({ folderId, sizeBytes, edgeHash }).map(toHandled);
  }

  /** Returns contents of equal size and time whose ends were never read: of a file that existed before, and left its path. */
  unread(folderId: string, { sizeBytes, mtimeMs }: Fingerprint): HandledContents | null {
    const sql = `SELECT * FROM watched_contents WHERE folder_id = $folderId AND size_bytes = $sizeBytes
      AND edge_hash IS NULL AND mtime_ms = $mtimeMs LIMIT 1`;
    return this.#one(sql, { folderId, sizeBytes, mtimeMs });
  }

  /** Contents of equal size and time under the same path. */
  byPath(folderId: string, path: string, { sizeBytes, mtimeMs }: Fingerprint): HandledContents | null {
    const sql = `SELECT * FROM watched_contents WHERE folder_id = $folderId AND size_bytes = $sizeBytes
      AND path = $path AND mtime_ms = $mtimeMs ORDER BY at DESC LIMIT 1`;
    return this.#one(sql, { folderId, path, sizeBytes, mtimeMs });
  }

  add({ folderId, path, fileId, sizeBytes, mtimeMs, edgeHash, uploadId, at }: HandledContents): void {
    this.#statements
      .prepare(
        `INSERT INTO watched_contents (folder_id, path, file_id, size_bytes, mtime_ms, edge_hash, upload_id, at)
         VALUES ($folderId, $path, $fileId, $sizeBytes, $mtimeMs, $edgeHash, $uploadId, $at)`,
      )
      .run({ folderId, path, fileId, sizeBytes, mtimeMs, edgeHash, uploadId, at });
  }

  #one(sql: string, values: Record<string, string | number>): HandledContents | null {
    const row = this.#statements.prepare(sql).get(values);
    return row === undefined ? null : toHandled(row);
  }
}

function toHandled(row: SqlRow): HandledContents {
  return {
    folderId: String(row.folder_id),
    path: String(row.path),
    fileId: String(row.file_id),
    sizeBytes: Number(row.size_bytes),
    mtimeMs: Number(row.mtime_ms),
    edgeHash: row.edge_hash === null ? null : String(row.edge_hash),
    uploadId: row.upload_id === null ? null : String(row.upload_id),
    at: Number(row.at),
  };
}
