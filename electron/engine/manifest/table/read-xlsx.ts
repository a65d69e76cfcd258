import { isFormulaError, NOT_CALCULATED } from '../../../../shared/model/manifest/formula-errors.ts';
import {
  TABLE_LIMITS,
  TableError,
  type TableLimits,
  type TableRow,
} from '../../../../shared/model/table/table-error.ts';
import { otherPackage } from './other-formats.ts';
import { readSheetXml } from './read-sheet-xml.ts';
import { serialDate, serialTime, type TimeKind, timeStylesOf } from './xlsx-dates.ts';
import { type Parts, partsOf, type Sheet, workbookOf } from './xlsx-parts.ts';

/** A sheet of a workbook. */
export interface XlsxSheet {
  name: string;
  /** The number of sheets in its workbook, with hidden ones, without charts. */
  sheets: number;
  rows: TableRow[];
}

/**
 * Reads the sheet with this name, or the first one that is visible and has a text. Cells become texts: formulas their last result, or
 * `NOT_CALCULATED` without one, dates `2031-05-06` or `2031-05-06T09:00:00`, times `09:00:00`, numbers as a spreadsheet stores them.
 * Nothing is calculated. Throws `TableError`: `damaged`, `too-large` and the limits of tables.
 */
export function readXlsx(bytes: Uint8Array, sheetName: string | null, limits: TableLimits = TABLE_LIMITS): XlsxSheet {
  const parts = partsOf(bytes);
  refuseOtherPackages(parts);
  const { sheets, starts1904, stringsPath, stylesPath } = workbookOf(parts);
  const wanted = sheetName === null ? shownOf(sheets) : sheets.filter(({ name }) => name === sheetName);
  if (wanted.length === 0 || !wanted.every(({ path }) => parts.has(path))) throw new TableError('damaged');
  const workbook: Workbook = {
    strings: stringsOf(parts.text(stringsPath), limits),
    timeStyles: timeStylesOf(parts.text(stylesPath)),
    starts1904,
  };
  const reading = new SheetReading(workbook, limits);
  for (const { name, path } of wanted) {
    readSheetXml(parts.text(path), reading);
    if (reading.rows.length > 0) return { name, sheets: sheets.length, rows: reading.rows };
  }
  throw new TableError('empty');
}

/** Throws `not-a-table` for a zip file of another program whose format is known. */
function refuseOtherPackages(parts: Parts): void {
  let mimeType = '';
  for (const piece of parts.text('mimetype')) {
    mimeType += piece;
    if (mimeType.length > MOST_MIME_TYPE) break;
  }
  const format = otherPackage(parts.has, mimeType);
  if (format !== null) throw new TableError('not-a-table', null, format);
}

const MOST_MIME_TYPE = 200;

/** The visible sheets; of a workbook whose sheets are all hidden, all of them. */
function shownOf(sheets: readonly Sheet[]): readonly Sheet[] {
  const shown = sheets.filter(({ isHidden }) => !isHidden);
  return shown.length === 0 ? sheets : shown;
}

/** The maximum number of different texts of a workbook. */
const MOST_STRINGS = 1_250_000;

/** Returns the shared strings: rich text is joined, phonetic hints are omitted. */
function stringsOf(xml: Iterable<string>, limits: TableLimits): string[] {
  const strings: string[] = [];
  let text = '';
  let isHint = false;
  let isText = false;
  let chars = 0;
  readSheetXml(xml, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') isHint = true;
      isText = name === 't' && !isHint;
    },
    text(piece) {
      if (!isText) return;
      text += piece;
      if (text.length > limits.chars) throw new TableError('too-large');
    },
    close(name) {
      if (name === 't') isText = false;
      if (name === 'rPh') isHint = false;
      if (name !== 'si') return;
      chars += text.length;
      if (chars > limits.chars || strings.length >= MOST_STRINGS) throw new TableError('too-large');
      strings.push(unescaped(text));
    },
  });
  return strings;
}

/** Replaces escapes such as `_x000D_`, which spreadsheets write for characters that XML does not allow. */
function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

interface Workbook {
  strings: readonly string[];
  timeStyles: ReadonlyMap<number, TimeKind>;
  starts1904: boolean;
}

/** One cell while it is read. */
interface Cell {
  column: number;
  kind: string;
  style: number;
  value: string;
  inline: string;
  hasFormula: boolean;
}

/** The most elements of rows in a sheet, also without cells: the number of rows that spreadsheet programs have. */
const MOST_ROW_ELEMENTS = 1_048_576;
/** The most cells of a sheet, also empty ones. */
const MOST_CELL_ELEMENTS = 5_000_000;

/**
 * Reads the cells of sheets, until one has a text. Rows and cells without a text don't count: programs store the formats of empty
 * ones. The limits of elements are those of all sheets together.
 */
class SheetReading {
  readonly rows: TableRow[] = [];
  readonly #workbook: Workbook;
  readonly #limits: TableLimits;
  #rowElements = 0;
  #cellElements = 0;
  #row = 0;
  #cells: string[] = [];
  #cell: Cell | null = null;
  #before = 0;
  #within = '';
  #isHint = false;
  #chars = 0;

  constructor(workbook: Workbook, limits: TableLimits) {
    this.#workbook = workbook;
    this.#limits = limits;
  }

  open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    if (name === 'sheetData') this.#row = 0;
    else if (name === 'row') this.#openRow(attributes.r);
    else if (name === 'c') {
      this.#cellElements += 1;
      if (this.#cellElements > MOST_CELL_ELEMENTS) throw new TableError('too-large');
      this.#cell = newCell(attributes, this.#before);
      this.#before = this.#cell.column;
    } else if (name === 'rPh') this.#isHint = true;
    else if (name === 'f' && this.#cell !== null) this.#cell.hasFormula = true;
    this.#within = name;
  };

  text = (piece: string): void => {
    if (this.#cell === null) return;
    if (this.#within === 'v') this.#cell.value += piece;
    else if (this.#within === 't' && !this.#isHint) this.#cell.inline += piece;
    if (this.#cell.value.length + this.#cell.inline.length <= this.#limits.chars) return;
    throw new TableError('cell-too-long', placeOf(this.#row, this.#cell));
  };

  close = (name: string): void => {
    this.#within = '';
    if (name === 'rPh') this.#isHint = false;
    else if (name === 'row') this.#closeRow();
    else if (name === 'c' && this.#cell !== null) this.#closeCell(this.#cell);
  };

  #openRow(given: string | undefined): void {
    this.#row = Number(given ?? this.#row + 1);
    this.#cells = [];
    this.#before = 0;
    this.#rowElements += 1;
    const isNumber = Number.isSafeInteger(this.#row) && this.#row >= 1 && this.#row <= MOST_ROW_ELEMENTS;
    if (isNumber && this.#rowElements <= MOST_ROW_ELEMENTS) return;
    throw new TableError('too-many-rows', { row: this.#row, column: null, line: null });
  }

  #closeRow(): void {
    if (this.#cells.length > 0) {
      if (this.rows.length >= this.#limits.rows) {
        throw new TableError('too-many-rows', { row: this.#row, column: null, line: null });
      }
      this.rows.push({ row: this.#row, line: null, cells: this.#cells });
    }
    this.#cells = [];
  }

  #closeCell(cell: Cell): void {
    this.#cell = null;
    const text = textOf(cell, this.#workbook);
    if (text === '') return;
    this.#chars += text.length;
    if (cell.column > this.#limits.columns) throw new TableError('too-many-columns', placeOf(this.#row, cell));
    if (text.length > this.#limits.cellChars) throw new TableError('cell-too-long', placeOf(this.#row, cell));
    if (this.#chars > this.#limits.chars) throw new TableError('too-large');
    while (this.#cells.length < cell.column - 1) this.#cells.push('');
    this.#cells[cell.column - 1] = text;
  }
}

function placeOf(row: number, { column }: Cell) {
  return { row, column, line: null };
}

function newCell(attributes: Readonly<Record<string, string>>, before: number): Cell {
  const letters = /^([A-Z]{1,3})\d*$/.exec(attributes.r ?? '')?.[1];
  return {
    column: letters === undefined ? before + 1 : columnOf(letters),
    kind: attributes.t ?? 'n',
    style: Number(attributes.s ?? -1),
    value: '',
    inline: '',
    hasFormula: false,
  };
}

/** `A` is 1, `AA` is 27. */
function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

function textOf(
  { kind, style, value, inline, hasFormula }: Cell,
  { strings, timeStyles, starts1904 }: Workbook,
): string {
  switch (kind) {
    case 's':
      return strings[Number(value)] ?? '';
    case 'inlineStr':
      return unescaped(inline);
    case 'b':
      return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : value;
    case 'e':
      // Programs invent new errors. None of them may become a value.
      return isFormulaError(value) ? value : '#VALUE!';
    case 'n':
      // An empty text as a result has the kind of texts.
      if (value.trim() === '') return hasFormula ? NOT_CALCULATED : '';
      return numberAs(timeStyles.get(style), value, starts1904);
    default:
      return unescaped(value);
  }
}

/** Returns a number as its style shows it. A day below 1 in a style with a day is a time, too. */
function numberAs(kind: TimeKind | undefined, value: string, starts1904: boolean): string {
  if (kind === undefined) return numberText(value);
  const serial = Number(value);
  if (kind !== 'date') return serialTime(serial, kind);
  return serial >= 0 && serial < 1 ? serialTime(serial, 'time') : serialDate(serial, starts1904);
}

/** Returns a stored number such as 0.30000000000000004 as 0.3. Long integers keep the digits of the file. */
function numberText(value: string): string {
  if (/^-?\d{1,17}$/.test(value)) return value;
  const shown = Number(Number(value).toPrecision(15));
  return Number.isFinite(shown) ? String(shown) : value;
}
