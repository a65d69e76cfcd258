import { unzipSync } from 'fflate/browser';
import {
  TABLE_LIMITS,
  TableError,
  type TableLimits,
  type TableRow,
} from '../../../../shared/model/table/table-error.ts';
import { readXml } from './read-sheet-xml.ts';
import { dateStylesOf, serialDate } from './xlsx-dates.ts';

/** A sheet of a workbook. */
export interface XlsxSheet {
  name: string;
  rows: TableRow[];
}

/** The maximum size of the expanded parts of a workbook. `unzipSync` never writes more than a part declares. */
export const MOST_EXPANDED_BYTES = 256 * 1024 * 1024;
const MOST_PARTS = 2000;

/**
 * Reads the sheet with this name, or the first one. Cells become texts: formulas their last result, dates `2031-05-06` or
 * `2031-05-06T09:00:00`, numbers as a spreadsheet stores them. Nothing is calculated. Throws `TableError`: `damaged`,
 * `too-large` and the limits of tables.
 */
export function readXlsx(bytes: Uint8Array, sheetName: string | null, limits: TableLimits = TABLE_LIMITS): XlsxSheet {
  const parts = partsOf(bytes);
  const { sheets, starts1904 } = workbookOf(parts);
  const sheet = sheetName === null ? sheets[0] : sheets.find(({ name }) => name === sheetName);
  const xml = sheet === undefined ? undefined : parts.text(sheet.path);
  if (sheet === undefined || xml === undefined) throw new TableError('damaged');
  const workbook: Workbook = {
    strings: stringsOf(parts.text('xl/sharedStrings.xml') ?? '', limits),
    dateStyles: dateStylesOf(parts.text('xl/styles.xml') ?? ''),
    starts1904,
  };
  return { name: sheet.name, rows: rowsOf(xml, workbook, limits) };
}

interface Parts {
  text(path: string): string | undefined;
}

/** Expands the parts that are read. The sum of their declared sizes is checked before anything is expanded. */
function partsOf(bytes: Uint8Array): Parts {
  let expanded = 0;
  let count = 0;
  let parts: Record<string, Uint8Array>;
  try {
    parts = unzipSync(bytes, {
      filter({ name, originalSize }) {
        count += 1;
        if (count > MOST_PARTS) throw new TableError('too-large');
        if (!/^xl\/.*\.xml(?:\.rels)?$/i.test(name) || name.includes('/media/')) return false;
        expanded += originalSize;
        if (expanded > MOST_EXPANDED_BYTES) throw new TableError('too-large');
        return true;
      },
    });
  } catch (error) {
    throw error instanceof TableError ? error : new TableError('damaged');
  }
  const decoder = new TextDecoder();
  return { text: (path) => (parts[path] === undefined ? undefined : decoder.decode(parts[path])) };
}

/** Returns the sheets of a workbook in their order, with the paths of their parts; and whether its days count from 1904. */
function workbookOf(parts: Parts): { sheets: { name: string; path: string }[]; starts1904: boolean } {
  const targets = new Map<string, string>();
  readXml(parts.text('xl/_rels/workbook.xml.rels') ?? '', {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const target = (attributes.Target ?? '').replace(/^\/(?:xl\/)?|^\.\//, '');
      targets.set(attributes.Id ?? '', `xl/${target}`);
    },
  });
  const sheets: { name: string; path: string }[] = [];
  let starts1904 = false;
  readXml(parts.text('xl/workbook.xml') ?? '', {
    open(name, attributes) {
      if (name === 'workbookPr') starts1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      const path = name === 'sheet' ? targets.get(attributes['r:id'] ?? '') : undefined;
      if (path !== undefined) sheets.push({ name: attributes.name ?? '', path });
    },
  });
  return { sheets, starts1904 };
}

/** Returns the shared strings: rich text is joined, phonetic hints are omitted. */
function stringsOf(xml: string, limits: TableLimits): string[] {
  const strings: string[] = [];
  let text = '';
  let isHint = false;
  let isText = false;
  let chars = 0;
  readXml(xml, {
    open(name) {
      if (name === 'si') text = '';
      if (name === 'rPh') isHint = true;
      isText = name === 't' && !isHint;
    },
    text(piece) {
      if (isText) text += piece;
    },
    close(name) {
      if (name === 't') isText = false;
      if (name === 'rPh') isHint = false;
      if (name !== 'si') return;
      chars += text.length;
      if (chars > limits.chars) throw new TableError('too-large');
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
  dateStyles: ReadonlySet<number>;
  starts1904: boolean;
}

/** One cell while it is read. */
interface Cell {
  column: number;
  kind: string;
  style: number;
  value: string;
  inline: string;
}

function rowsOf(xml: string, workbook: Workbook, limits: TableLimits): TableRow[] {
  const rows: TableRow[] = [];
  let row = 0;
  let cells: string[] = [];
  let cell: Cell | null = null;
  let within = '';
  let chars = 0;
  readXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes.r ?? row + 1);
        cells = [];
        if (!(row >= 1 && row <= limits.rows)) throw new TableError('too-many-rows', { row, column: null, line: null });
      } else if (name === 'c') {
        cell = newCell(attributes, cells.length);
        if (cell.column > limits.columns) throw new TableError('too-many-columns', placeOf(row, cell));
      }
      within = name;
    },
    text(piece) {
      if (cell === null) return;
      if (within === 'v') cell.value += piece;
      else if (within === 't') cell.inline += piece;
    },
    close(name) {
      within = '';
      if (name === 'row') {
        if (cells.some((text) => text !== '')) rows.push({ row, line: null, cells });
        cells = [];
      }
      if (name !== 'c' || cell === null) return;
      const text = textOf(cell, workbook);
      chars += text.length;
      if (text.length > limits.cellChars) throw new TableError('cell-too-long', placeOf(row, cell));
      if (chars > limits.chars) throw new TableError('too-large');
      while (cells.length < cell.column - 1) cells.push('');
      cells[cell.column - 1] = text;
      cell = null;
    },
  });
  if (rows.length === 0) throw new TableError('empty');
  return rows;
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
  };
}

/** `A` is 1, `AA` is 27. */
function columnOf(letters: string): number {
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

function textOf({ kind, style, value, inline }: Cell, { strings, dateStyles, starts1904 }: Workbook): string {
  switch (kind) {
    case 's':
      return strings[Number(value)] ?? '';
    case 'inlineStr':
      return unescaped(inline);
    case 'b':
      return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : value;
    case 'n':
      if (value === '') return '';
      return dateStyles.has(style) ? serialDate(Number(value), starts1904) : numberText(value);
    default:
      return unescaped(value);
  }
}

/** Returns a stored number such as 0.30000000000000004 as 0.3. Long integers keep the digits of the file. */
function numberText(value: string): string {
  if (/^-?\d{1,17}$/.test(value)) return value;
  const shown = Number(Number(value).toPrecision(15));
  return Number.isFinite(shown) ? String(shown) : value;
}
