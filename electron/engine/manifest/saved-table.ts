import type { Separator } from '../../../shared/model/table/delimited-reader.ts';
import { CSV_DEFAULTS, csvOf } from '../../../shared/model/table/write-csv.ts';
import { inPieces } from './table/in-pieces.ts';
import { xlsxOf } from './table/write-xlsx.ts';

/** Returns the bytes of a spreadsheet file in pieces. */
export function savedTable(
  format: 'csv' | 'xlsx',
  rows: Iterable<readonly string[]>,
  { protects, separator = CSV_DEFAULTS.separator }: { protects: boolean; separator?: Separator | undefined },
): Iterable<Uint8Array> {
  if (format === 'xlsx') return xlsxOf('Items', rows);
  return inPieces(csvOf(rows, { ...CSV_DEFAULTS, protects, separator }));
}
