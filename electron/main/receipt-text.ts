import type { Receipt } from '../../shared/contract/uploads.ts';

type Line = Receipt['lines'][number];

const COLUMNS = [
  'outcome',
  'path',
  'fileName',
  'title',
  'sizeBytes',
  'sha256',
  'mediaId',
  'fileId',
  'attempts',
  'addedAt',
  'endedAt',
  'errorCode',
  'errorMessage',
] as const satisfies readonly (keyof Line)[];

function cell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A receipt as a file. CSV follows RFC 4180 (one line per file, CRLF) and starts with a byte order mark, without which
 * spreadsheets misread names with umlauts.
 */
export function receiptText(receipt: Receipt, format: 'json' | 'csv'): string {
  if (format === 'json') return `${JSON.stringify(receipt, null, 2)}\n`;
  const rows = receipt.lines.map((line) => COLUMNS.map((column) => cell(line[column])).join(','));
  return `\uFEFF${[COLUMNS.join(','), ...rows].join('\r\n')}\r\n`;
}
