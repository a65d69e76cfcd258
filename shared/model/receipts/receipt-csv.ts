import type { Receipt } from '../../contract/uploads.ts';
import { csvOf, protectedCell } from '../table/write-csv.ts';
import { followUpText } from './follow-up-text.ts';

/**
 * Returns a receipt as CSV after RFC 4180: fields separated by commas, lines by CRLF, quotes doubled, a header line, then one
 * line for each file.
 *
 * File names are untrusted text: a cell that a spreadsheet would run as a formula gets a leading apostrophe.
 */
export function receiptToCsv(receipt: Receipt): string {
  const rows: Cell[][] = [COLUMNS.map((column) => column)];
  for (const line of receipt.lines) {
    rows.push([
      line.outcome,
      line.fileName,
      line.title,
      line.sizeBytes,
      line.sha256,
      line.mediaId,
      line.fileId,
      line.attempts,
      line.addedAt,
      line.endedAt,
      line.errorCode,
      line.errorMessage,
      line.path,
      receipt.batchId,
      receipt.site,
      receipt.collectionId,
      receipt.collectionName,
      line.followUps.map(followUpText).join('; '),
    ]);
  }
  const texts = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? protectedCell(cell) : String(cell ?? ''))),
  );
  return [...csvOf(texts, { separator: ',', bom: false, protects: false })].join('');
}

type Cell = string | number | null;

const COLUMNS = [
  'outcome',
  'file_name',
  'title',
  'size_bytes',
  'sha256',
  'media_id',
  'file_id',
  'attempts',
  'added_at',
  'ended_at',
  'error_code',
  'error_message',
  'path',
  'batch_id',
  'site',
  'collection_id',
  'collection_name',
  'follow_ups',
] as const;
