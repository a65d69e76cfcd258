import type { Separator } from '../../../shared/model/table/delimited-reader.ts';
import { CSV_DEFAULTS, csvOf } from '../../../shared/model/table/write-csv.ts';
import { xlsxOf } from './table/write-xlsx.ts';

/** Returns the bytes of a spreadsheet file in pieces. */
export function savedTable(
  format: 'csv' | 'xlsx',
  rows: Iterable<readonly string[]>,
  { protects, separator = CSV_DEFAULTS.separator }: { protects: boolean; separator?: Separator | undefined },
): Iterable<Uint8Array> {
  if (format === 'xlsx') return xlsxOf('Items', rows);
  return encoded(csvOf(rows, { ...CSV_DEFAULTS, protects, separator }));
}

/** Rows are joined to pieces of this many characters. */
const PIECE_CHARS = 65_536;

function* encoded(texts: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = '';
  for (const each of texts) {
    text += each;
    if (text.length < PIECE_CHARS) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}
