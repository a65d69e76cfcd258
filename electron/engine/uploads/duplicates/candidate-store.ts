import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { ENDED_STATES, type UploadState } from '../../../../shared/model/uploads/upload-states.ts';
import type { Database, SqlRow } from '../../store/database.ts';

/** Another upload to the same collection, of a file that may have the same contents. */
export interface DuplicateCandidate {
  id: string;
  path: string;
  fileName: string;
  sizeBytes: number;
  identity: string;
  volume: string;
  mtimeMs: number;
  edgeHash: string | null;
  sha256: string | null;
  title: string;
  state: UploadState;
  mediaId: string | null;
  endedAt: number | null;
}

const ENDED = ENDED_STATES.map((state) => `'${state}'`).join(', ');

/** The condition of the index `uploads_twins`, repeated so that SQLite can use it. */
const BEGUN = `(state = 'complete' OR duplicate_checked_at IS NOT NULL OR item_intent_at IS NOT NULL OR media_id IS NOT NULL)`;
/**
 * The condition for uploads that are complete or past the duplicate check. Only these can be duplicates, so that two uploads
 * never wait for each other. A retried upload is checked again only if none of its bytes can have arrived.
 */
const AHEAD = `(state = 'complete' OR (state NOT IN (${ENDED}) AND (duplicate_checked_at IS NOT NULL
  OR send_started_at IS NOT NULL
  OR (duplicates = 'upload' AND (item_intent_at IS NOT NULL OR media_id IS NOT NULL)))))`;

/** The condition that an upload belongs to an item: the thumbnail of a collection does not. */
const OF_ITEM = `coalesce(iif(json_valid(addition), addition ->> 'of', ''), '') <> 'collection'`;

/** The queries for uploads that may have equal contents. */
export class CandidateStore {
  readonly #candidates;
  readonly #candidatesByEdge;
  readonly #waiting;
  readonly #alike;

  constructor(database: Database) {
    const alikeRows = `SELECT * FROM uploads INDEXED BY uploads_twins
       WHERE site_id = $siteId AND collection_id = $collectionId AND size_bytes = $sizeBytes AND id != $id
         AND ${BEGUN} AND ${AHEAD} AND ${OF_ITEM}`;
    const order = `ORDER BY state = 'complete' DESC, seq`;
    this.#candidates = database.prepare(`${alikeRows} ${order}`);
    this.#candidatesByEdge = database.prepare(
      `SELECT * FROM (${alikeRows} AND edge_hash = $edgeHash UNION ALL ${alikeRows} AND edge_hash IS NULL) ${order}`,
    );
    this.#waiting = database.prepare(
      `SELECT id FROM uploads INDEXED BY uploads_twins_waiting
       WHERE site_id = $siteId AND collection_id = $collectionId AND size_bytes = $sizeBytes
         AND state = 'waiting' AND error_code = 'upload.duplicate-under-way' ORDER BY seq`,
    );
    this.#alike = database.prepare(
      `SELECT file_name, identity, mtime_ms, sha256 FROM uploads
       WHERE site_id = $siteId AND collection_id = $collectionId AND size_bytes = $sizeBytes
         AND state NOT IN ('failed', 'cancelled', 'skipped') AND ${OF_ITEM} LIMIT 100`,
    );
  }

  /** Returns the uploads that probably have this upload's contents, judged by size and edges, complete ones first. */
  candidatesOf(upload: Upload): DuplicateCandidate[] {
    const { id, siteId, collectionId, sizeBytes, edgeHash } = upload;
    const alike = { id, siteId, collectionId, sizeBytes };
    const rows = edgeHash === null ? this.#candidates.all(alike) : this.#candidatesByEdge.all({ ...alike, edgeHash });
    return rows.map(toCandidate);
  }

  /** Returns the ids of uploads that wait for the end of an upload with these properties. */
  waitingFor({ siteId, collectionId, sizeBytes }: Upload): string[] {
    return this.#waiting.all({ siteId, collectionId, sizeBytes }).map((row) => String(row.id));
  }

  /** Returns whether an upload to the collection probably has the contents of this file, judged without reading it. */
  looksKnown(
    collection: { siteId: string; collectionId: string },
    file: { fileName: string; sizeBytes: number; identity: string; mtimeMs: number; sha256: string | null },
  ): boolean {
    const { siteId, collectionId } = collection;
    return this.#alike.all({ siteId, collectionId, sizeBytes: file.sizeBytes }).some((row) => {
      if (row.identity === file.identity && Number(row.mtime_ms) === file.mtimeMs) return true;
      if (file.sha256 !== null && row.sha256 !== null) return row.sha256 === file.sha256;
      return String(row.file_name).normalize('NFC') === file.fileName.normalize('NFC');
    });
  }
}

function toCandidate(row: SqlRow): DuplicateCandidate {
  const text = (column: string) => (row[column] === null ? null : String(row[column]));
  return {
    id: String(row.id),
    path: String(row.path),
    fileName: String(row.file_name),
    sizeBytes: Number(row.size_bytes),
    identity: String(row.identity),
    volume: String(row.volume),
    mtimeMs: Number(row.mtime_ms),
    edgeHash: text('edge_hash'),
    sha256: text('sha256'),
    title: String(row.title),
    state: String(row.state) as UploadState,
    mediaId: text('media_id'),
    endedAt: row.ended_at === null ? null : Number(row.ended_at),
  };
}
