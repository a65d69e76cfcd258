import type { Separator } from './delimited-reader.ts';

export interface CsvOptions {
  separator: Separator;
  /** Spreadsheets read a file without a byte order mark in the encoding of the system. */
  bom: boolean;
  /** Puts an apostrophe before cells that a spreadsheet would run as formulas; see `unprotected`. */
  protects: boolean;
}

export const CSV_DEFAULTS: CsvOptions = { separator: ',', bom: true, protects: true };

/**
 * Yields separated values after RFC 4180, one piece for each row: fields in quotes where necessary, lines end with CRLF,
 * in UTF-8.
 */
export function* csvOf(
  rows: Iterable<readonly string[]>,
  options: CsvOptions = CSV_DEFAULTS,
): Generator<string, void, undefined> {
  if (options.bom) yield '\uFEFF';
  for (const row of rows) yield `${row.map((cell) => csvCell(cell, options)).join(options.separator)}\r\n`;
}

function csvCell(value: string, { separator, protects }: CsvOptions): string {
  const text = protects ? protectedCell(value) : value;
  const needsQuotes = /["\r\n]/.test(text) || text.includes(separator) || /^\s|\s$/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The beginning of a text that a spreadsheet runs as a formula; apostrophes before it are from an earlier protection. Some programs
 * drop blanks and byte order marks (which `\s` includes) before they decide.
 */
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** Returns a text that a spreadsheet shows instead of running it. `unprotected` is the inverse. */
export function protectedCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Returns a text without the apostrophe that `protectedCell` adds. */
export function unprotected(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}
