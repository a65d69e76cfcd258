import type { ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';
import type { UploadFilter } from '../../../../shared/contract/uploads.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { countFor } from '../../../../shared/model/uploads/upload-counts.ts';
import { FILTER_STATES, type UploadState } from '../../../../shared/model/uploads/upload-states.ts';
import type { Database } from '../../store/database.ts';
import { Statements } from '../../store/statements.ts';
import { toUpload, UPLOAD_COLUMNS } from './upload-columns.ts';
import { allCounts, type Tally } from './upload-tally.ts';

/** The condition that a failed row needs a decision about a duplicate. Partial indexes have the same condition. */
export const ASKS = `error_code IS 'upload.duplicate'`;

/** The lists of failed rows. Each names its own index, because SQLite would read every failed row otherwise. */
const FAILED = {
  from: 'uploads INDEXED BY uploads_failed',
  where: `state = 'failed' AND error_code IS NOT 'upload.duplicate'`,
};
const FAILED_LISTS: Partial<Record<UploadFilter, { from: string; where: string }>> = {
  failed: FAILED,
  'needs-decision': { from: 'uploads INDEXED BY uploads_asking', where: `state = 'failed' AND ${ASKS}` },
};

/** The condition for listed rows. Rows that the user cleared are only in receipts. */
const LISTED = 'AND cleared_at IS NULL';

interface PageOptions {
  offset: number;
  limit: number;
  /** The number of rows by state, of the batch or of all. */
  tally: Readonly<Pick<Tally, 'counts' | 'duplicates' | 'cleared'>>;
  /** Whether cleared rows are included, as in a receipt; they follow the listed ones in the order in which they were cleared. */
  withCleared?: boolean;
}

/** The lists of uploads that screens and receipts show. */
export class UploadLists {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /**
   * Returns a window of the list, in the order of the queue. An index has the rows of each state in order; SQLite skips only the
   * rows between the window and the nearer end of the list.
   */
  page(
    filter: UploadFilter,
    batchId: string | null,
    { offset, limit, tally, withCleared = false }: PageOptions,
  ): { total: number; rows: Upload[] } {
    const counted = withCleared ? withClearedRows(tally) : tally;
    const filled = FILTER_STATES[filter].filter((state) => counted.counts[state] > 0);
    const total = countFor(filter, counted);
    const length = Math.min(limit, total - offset);
    if (length <= 0) return { total, rows: [] };
    const after = total - offset - length;
    const columns = withCleared ? ['cleared_at', 'lane', 'rank', 'seq'] : ['lane', 'rank', 'seq'];
    const [skip, order] = offset <= after ? [offset, columns] : [after, columns.map((column) => `${column} DESC`)];
    const where = withCleared ? '' : LISTED;
    const ofBatch = batchId === null ? '' : 'batch_id = $batchId AND';
    const failed = FAILED_LISTS[filter];
    const byState = filled.map((state) => ({ from: 'uploads', where: `state = '${state}'` }));
    // For all rows, one index has the order. Otherwise each state has its own part of an index, and SQLite merges these parts.
    const parts =
      filter === 'all' && batchId === null
        ? [`SELECT ${columns} FROM uploads WHERE true ${where}`]
        : (failed === undefined ? byState : [failed]).map(
            (list) => `SELECT ${columns} FROM ${list.from} WHERE ${ofBatch} ${list.where} ${where}`,
          );
    // Only the rows of the page are read in full.
    const rows = this.#statements
      .prepare(
        `SELECT ${UPLOAD_COLUMNS} FROM uploads WHERE seq IN (SELECT seq FROM
         (${parts.join(' UNION ALL ')} ORDER BY ${order} LIMIT $length OFFSET $skip)) ORDER BY ${columns}`,
      )
      .all({ ...(batchId === null ? {} : { batchId }), length, skip })
      .map(toUpload);
    return { total, rows };
  }

  /** Returns rows of a batch in the order in which they were added, after the row with number `after`. */
  ofBatch(batchId: string, after: number, limit: number): { upload: Upload; seq: number }[] {
    // Rows of a batch are stored together, so a scan from the first one is faster than a lookup of each row by an index.
    const first =
      after > 0
        ? null
        : this.#statements.prepare('SELECT min(seq) AS seq FROM uploads WHERE batch_id = $batchId').get({ batchId });
    return this.#statements
      .prepare(
        `SELECT ${UPLOAD_COLUMNS} FROM uploads NOT INDEXED WHERE batch_id = $batchId AND seq > $after ORDER BY seq LIMIT $limit`,
      )
      .all({ batchId, after: Math.max(after, Number(first?.seq ?? 1) - 1), limit })
      .map((row) => ({ upload: toUpload(row), seq: Number(row.seq) }));
  }

  /** Returns the ids of a whole list, without cleared rows, in the order of the queue. */
  ids(filter: UploadFilter, batchId: string | null): string[] {
    const list = FAILED_LISTS[filter] ?? { from: 'uploads', where: inStates(FILTER_STATES[filter]) };
    return idsOf(this.#statements, { from: list.from, where: `${list.where} ${LISTED}` }, batchId);
  }

  /** Returns the ids of the listed rows of a batch that failed with this error. */
  idsFailedWith(code: ErrorCode, batchId: string): string[] {
    const where = `${FAILED.where} AND error_code = '${code}' ${LISTED}`;
    return idsOf(this.#statements, { from: FAILED.from, where }, batchId);
  }
}

function withClearedRows({ counts, duplicates, cleared }: PageOptions['tally']): Pick<Tally, 'counts' | 'duplicates'> {
  return { counts: allCounts({ counts, cleared }), duplicates: duplicates + cleared.duplicates };
}

/** Returns the ids of rows of a batch (null: of all) in one of `states`, cleared ones included, in the order of the queue. */
export function idsInStates(statements: Statements, states: readonly UploadState[], batchId: string | null): string[] {
  return idsOf(statements, { from: 'uploads', where: inStates(states) }, batchId);
}

function idsOf(
  statements: Statements,
  { from, where }: { from: string; where: string },
  batchId: string | null,
): string[] {
  const ofBatch = batchId === null ? '' : 'AND batch_id = $batchId';
  // Selected as one value, because reading a hundred thousand result rows takes far longer than the query.
  const row = statements
    .prepare(
      `SELECT json_group_array(id) AS ids FROM
       (SELECT id FROM ${from} WHERE ${where} ${ofBatch} ORDER BY lane, rank, seq)`,
    )
    .get(batchId === null ? {} : { batchId });
  return JSON.parse(String(row?.ids ?? '[]')) as string[];
}

function inStates(states: readonly UploadState[]): string {
  return `state IN (${states.map((state) => `'${state}'`).join(', ')})`;
}
