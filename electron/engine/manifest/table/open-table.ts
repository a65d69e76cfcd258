import { appError } from '../../../../shared/contract/app-error.ts';
import { ERROR_CATALOG, type ErrorCode } from '../../../../shared/contract/errors/error-catalog.ts';
import { Bytes } from '../../../../shared/formats/bytes/bounded-bytes.ts';
import { begins } from '../../../../shared/formats/signatures.ts';
import { isKnownHeader } from '../../../../shared/model/manifest/fields.ts';
import type { Separator } from '../../../../shared/model/table/delimited-reader.ts';
import type { SeparatorEvidence } from '../../../../shared/model/table/detect-separator.ts';
import type { EncodingEvidence, TextEncoding } from '../../../../shared/model/table/encodings.ts';
import { TableError, type TablePlace, type TableRow } from '../../../../shared/model/table/table-error.ts';
import type { Files, OpenFile } from '../../ports/files.ts';
import { COMPOUND_DIRECTORY_BYTES, COMPOUND_HEAD_BYTES, compoundDirectoryAt, compoundError } from './other-formats.ts';
import { readDelimited } from './read-delimited.ts';
import { readXlsx } from './read-xlsx.ts';

/** A spreadsheet file: the cells of its header, and its other rows. */
export interface OpenedTable {
  format: 'csv' | 'xlsx';
  headers: string[];
  headerRow: TableRow;
  rows: TableRow[];
  /** null for XLSX. */
  encoding: { name: TextEncoding; evidence: EncodingEvidence } | null;
  separator: { value: Separator; evidence: SeparatorEvidence } | null;
  /** The sheet of an XLSX file whose rows these are, and the number of its sheets; null for CSV. */
  sheet: { name: string; count: number } | null;
}

/** The maximum size of an XLSX file, which is compressed. */
const MOST_XLSX_BYTES = 64 * 1024 * 1024;
const PIECE_BYTES = 65_536;

/**
 * Reads a CSV or XLSX file; its contents decide which. Throws `table.…` with row, column and line in its details, and the errors
 * of `Files`.
 */
export async function openTable(
  files: Files,
  path: string,
  chosen: { encoding: TextEncoding | null; separator: Separator | null },
): Promise<OpenedTable> {
  const file = await files.open(path);
  try {
    const head = new Uint8Array(COMPOUND_HEAD_BYTES);
    const start = head.subarray(0, await file.read(head, 0, head.length, 0));
    const isZip = begins(new Bytes(start), 'zip');
    if (!isZip) await refuseCompound(file, start);
    return isZip ? await openXlsx(file) : await openCsv(file, chosen);
  } catch (error) {
    throw error instanceof TableError ? asAppError(error, path) : error;
  } finally {
    await file.close();
  }
}

/** Throws the error for an old Office file, or one with a password. */
async function refuseCompound(file: OpenFile, start: Uint8Array): Promise<void> {
  const position = compoundDirectoryAt(start);
  if (position === null) return;
  const directory = new Uint8Array(COMPOUND_DIRECTORY_BYTES);
  const length = await file.read(directory, 0, directory.length, position);
  throw compoundError(directory.subarray(0, length));
}

async function openCsv(
  file: OpenFile,
  chosen: { encoding: TextEncoding | null; separator: Separator | null },
): Promise<OpenedTable> {
  const { rows, encoding, separator } = await readDelimited(piecesOf(file), { ...chosen, isKnown: isKnownHeader });
  return {
    format: 'csv',
    ...withHeader(rows),
    encoding: { name: encoding.encoding, evidence: encoding.evidence },
    separator: { value: separator.separator, evidence: separator.evidence },
    sheet: null,
  };
}

async function openXlsx(file: OpenFile): Promise<OpenedTable> {
  const { sizeBytes } = await file.facts();
  if (sizeBytes > MOST_XLSX_BYTES) throw new TableError('too-large');
  const bytes = new Uint8Array(sizeBytes);
  let filled = 0;
  for await (const piece of piecesOf(file, sizeBytes)) {
    bytes.set(piece, filled);
    filled += piece.length;
  }
  const { name, sheets, rows } = readXlsx(bytes.subarray(0, filled), null);
  const sheet = { name, count: sheets };
  return { format: 'xlsx', ...withHeader(rows), encoding: null, separator: null, sheet };
}

function withHeader([headerRow, ...rows]: TableRow[]): Pick<OpenedTable, 'headers' | 'headerRow' | 'rows'> {
  if (headerRow === undefined) throw new TableError('empty');
  return { headers: headerRow.cells, headerRow, rows };
}

/** Yields the pieces of a file. A file that grows while it is read is read to `most` bytes. */
async function* piecesOf(file: OpenFile, most = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < most; ) {
    const buffer = new Uint8Array(Math.min(PIECE_BYTES, most - position));
    const length = await file.read(buffer, 0, buffer.length, position);
    if (length === 0) return;
    yield buffer.subarray(0, length);
    position += length;
  }
}

function asAppError({ problem, place, format }: TableError, path: string) {
  const code: ErrorCode = `table.${problem}`;
  const message = format === null ? ERROR_CATALOG[code].message : `This file is ${format}, not a CSV or XLSX file.`;
  return appError(code, { message: `${message}${placeText(place)}`, details: { path, ...place } });
}

/** Returns the end of a message, such as ` Row 5, column 2 (line 7).`; empty without a place. */
function placeText(place: TablePlace | null): string {
  if (place === null) return '';
  const column = place.column === null ? '' : `, column ${place.column}`;
  const line = place.line === null || place.line === place.row ? '' : ` (line ${place.line})`;
  return ` Row ${place.row}${column}${line}.`;
}
