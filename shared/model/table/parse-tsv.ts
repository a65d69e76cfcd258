import { TABLE_LIMITS, TableError, type TableLimits } from './table-error.ts';

/**
 * Reads cells from a clipboard: tab-separated, as spreadsheets copy them. A cell that begins with a quote, and whose closing
 * quote ends the cell, is quoted and may have line breaks; any other quote is plain text. One line break at the end
 * ends the last row. Returns rows of cells, which may have different lengths. Throws `TableError` beyond the limits.
 */
export function parseTsv(text: string, limits: TableLimits = TABLE_LIMITS): string[][] {
  if (text === '') return [];
  if (text.length > limits.chars) throw new TableError('too-large');
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  for (;;) {
    const { value, end } = cellAt(text, at);
    row.push(value);
    if (row.length > limits.columns) throw tooMany('too-many-columns', rows.length + 1);
    if (value.length > limits.cellChars) throw tooMany('cell-too-long', rows.length + 1);
    if (text.charAt(end) === '\t') {
      at = end + 1;
      continue;
    }
    rows.push(row);
    if (rows.length > limits.rows) throw tooMany('too-many-rows', rows.length);
    at = end + (text.startsWith('\r\n', end) ? 2 : 1);
    if (at >= text.length) return rows;
    row = [];
  }
}

function tooMany(problem: 'too-many-columns' | 'too-many-rows' | 'cell-too-long', row: number): TableError {
  return new TableError(problem, { row, column: null, line: null });
}

const CELL_END = /[\t\r\n]/g;

/** Returns the cell that begins at a position, and the position after it. */
function cellAt(text: string, at: number): { value: string; end: number } {
  if (text.charAt(at) === '"') {
    const quoted = quotedAt(text, at);
    if (quoted !== null) return quoted;
  }
  CELL_END.lastIndex = at;
  const end = CELL_END.exec(text)?.index ?? text.length;
  return { value: text.slice(at, end), end };
}

/** A cell in quotes; null when the quotes are part of the text. */
function quotedAt(text: string, at: number): { value: string; end: number } | null {
  for (let close = text.indexOf('"', at + 1); close >= 0; close = text.indexOf('"', close + 2)) {
    if (text.charAt(close + 1) === '"') continue;
    const end = close + 1;
    const isEnd = end === text.length || /[\t\r\n]/.test(text.charAt(end));
    return isEnd ? { value: text.slice(at + 1, close).replaceAll('""', '"'), end } : null;
  }
  return null;
}

/** Returns rows as tab-separated text for the clipboard; cells with tabs, line breaks or a leading quote are quoted. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => (/[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map(cell).join('\t')}\r\n`).join('');
}
