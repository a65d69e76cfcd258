/**
 * Why a table can't be read:
 * - `encoding`         bytes that are invalid in the encoding
 * - `nul`              a NUL character: the file is damaged, or is no text
 * - `quote-open`       the file ends inside quotes
 * - `quote-stray`      text directly after a closing quote
 * - `cell-too-long`, `too-many-columns`, `too-many-rows`, `too-large`  a limit of `TABLE_LIMITS`
 * - `empty`            no rows at all
 * - `separator-unclear` several separators are equally probable
 * - `not-a-table`      the file is of another kind, such as an old `.xls` file or a picture
 * - `password`         a spreadsheet that is protected by a password
 * - `damaged`          a spreadsheet whose contents can't be read
 */
export type TableProblem =
  | 'encoding'
  | 'nul'
  | 'quote-open'
  | 'quote-stray'
  | 'cell-too-long'
  | 'too-many-columns'
  | 'too-many-rows'
  | 'too-large'
  | 'empty'
  | 'separator-unclear'
  | 'not-a-table'
  | 'password'
  | 'damaged';

/** A position in a table. All numbers start at 1. */
export interface TablePlace {
  /** The row number, as in a spreadsheet. */
  row: number;
  /** null: the whole row. */
  column: number | null;
  /** The line of the file; null in a spreadsheet file, which has no lines. */
  line: number | null;
}

/** A table can't be read. `place` null: the problem concerns the file as a whole. */
export class TableError extends Error {
  override readonly name = 'TableError';
  readonly problem: TableProblem;
  readonly place: TablePlace | null;
  /** Of `not-a-table`: what the file is, such as `an ODS spreadsheet`; null: unknown. */
  readonly format: string | null;

  constructor(problem: TableProblem, place: TablePlace | null = null, format: string | null = null) {
    super(place === null ? problem : `${problem} in row ${place.row}, column ${place.column ?? '-'}`);
    this.problem = problem;
    this.place = place;
    this.format = format;
  }
}

/** The limits of reading a table. Every limit bounds memory. */
export interface TableLimits {
  /** UTF-16 code units of one cell. */
  cellChars: number;
  columns: number;
  /** Rows with the header. */
  rows: number;
  /** UTF-16 code units of all cells together. */
  chars: number;
}

export const TABLE_LIMITS: TableLimits = { cellChars: 262_144, columns: 256, rows: 100_001, chars: 32 * 1024 * 1024 };

/** One row of a table, which can have fewer cells than the header. */
export interface TableRow {
  row: number;
  line: number | null;
  cells: string[];
}
