import { TABLE_LIMITS, TableError, type TableLimits, type TablePlace, type TableRow } from './table-error.ts';

/** Which character separates cells. */
export const SEPARATORS = [',', ';', '\t'] as const;
export type Separator = (typeof SEPARATORS)[number];

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/**
 * - `start`  at the beginning of a cell
 * - `plain`  in a cell without quotes
 * - `quoted` between quotes
 * - `after`  after a quote that closed the cell, or is the first half of a doubled quote
 */
type State = 'start' | 'plain' | 'quoted' | 'after';

/**
 * Reads separated values in pieces of any size: RFC 4180 with any separator and any line ends. A quote in the middle of a cell is
 * plain text, as in spreadsheets. Rows without any text are omitted, but counted. Keeps one row in memory; throws `TableError` at
 * the first limit that is exceeded.
 */
export class DelimitedReader {
  readonly #separator: number;
  readonly #limits: TableLimits;
  readonly #onRow: (row: TableRow) => void;
  #state: State = 'start';
  #cells: string[] = [];
  #cell = '';
  /** The number of characters of all rows so far. */
  #chars = 0;
  #row = 1;
  #line = 1;
  /** The line where the present row begins. */
  #rowLine = 1;
  /** The last character was a carriage return: a line feed after it belongs to it. */
  #isAfterCr = false;

  constructor(separator: Separator, onRow: (row: TableRow) => void, limits: TableLimits = TABLE_LIMITS) {
    this.#separator = separator.charCodeAt(0);
    this.#onRow = onRow;
    this.#limits = limits;
  }

  /** The position of the next character. */
  get place(): TablePlace {
    return { row: this.#row, column: this.#cells.length + 1, line: this.#line };
  }

  push(text: string): void {
    for (let at = 0; at < text.length; ) at = this.#step(text, at);
  }

  /** Ends the table. Throws `quote-open` with the start of the unfinished row. */
  end(): void {
    if (this.#state === 'quoted') throw new TableError('quote-open', { ...this.place, line: this.#rowLine });
    if (this.#state !== 'start' || this.#cells.length > 0) this.#endRow();
  }

  /** Reads one step at a position; returns the next position. */
  #step(text: string, at: number): number {
    if (this.#state === 'quoted') return this.#quoted(text, at);
    if (this.#state === 'plain') return this.#plain(text, at);
    return this.#between(text, at);
  }

  #quoted(text: string, at: number): number {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    const piece = text.slice(at, end);
    this.#take(piece);
    this.#countLines(piece);
    if (quote < 0) return end;
    this.#state = 'after';
    return end + 1;
  }

  #plain(text: string, at: number): number {
    let end = at;
    while (end < text.length && !this.#isEnd(text.charCodeAt(end))) end += 1;
    this.#take(text.slice(at, end));
    return end === text.length ? end : this.#endAt(text.charCodeAt(end), end);
  }

  /** Reads one step at the beginning of a cell, or after a quote. */
  #between(text: string, at: number): number {
    const code = text.charCodeAt(at);
    const isSecondHalf = code === LF && this.#isAfterCr;
    this.#isAfterCr = false;
    if (isSecondHalf) return at + 1;
    if (code === QUOTE) {
      if (this.#state === 'after') this.#take('"');
      this.#state = 'quoted';
      return at + 1;
    }
    if (this.#isEnd(code)) return this.#endAt(code, at);
    if (this.#state === 'after') throw this.#error('quote-stray');
    this.#state = 'plain';
    return at;
  }

  #isEnd(code: number): boolean {
    return code === this.#separator || code === LF || code === CR;
  }

  /** Ends the cell, or the row, before the character at a position. */
  #endAt(code: number, at: number): number {
    if (code === this.#separator) this.#endCell();
    else {
      this.#endRow();
      this.#isAfterCr = code === CR;
      this.#line += 1;
      this.#rowLine = this.#line;
    }
    this.#state = 'start';
    return at + 1;
  }

  /** Adds text to the cell, within the limits. */
  #take(text: string): void {
    if (text.includes('\0')) throw this.#error('nul');
    this.#cell += text;
    this.#chars += text.length;
    if (this.#cell.length > this.#limits.cellChars) throw this.#error('cell-too-long');
    if (this.#chars > this.#limits.chars) throw this.#error('too-large');
  }

  #countLines(piece: string): void {
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (code === CR || (code === LF && !this.#isAfterCr)) this.#line += 1;
      this.#isAfterCr = code === CR;
    }
  }

  #endCell(): void {
    if (this.#cells.length >= this.#limits.columns) throw this.#error('too-many-columns');
    this.#cells.push(this.#cell);
    this.#cell = '';
  }

  #endRow(): void {
    this.#endCell();
    const cells = this.#cells;
    this.#cells = [];
    if (this.#row > this.#limits.rows) throw this.#error('too-many-rows');
    if (cells.some((cell) => cell !== '')) this.#onRow({ row: this.#row, line: this.#rowLine, cells });
    this.#row += 1;
  }

  #error(problem: ConstructorParameters<typeof TableError>[0]): TableError {
    return new TableError(problem, this.place);
  }
}
