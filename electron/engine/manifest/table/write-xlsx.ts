import { Zip, ZipDeflate } from 'fflate/browser';
import { inPieces } from './in-pieces.ts';

/** The longest text of a cell in a spreadsheet file. */
export const LONGEST_XLSX_CELL = 32_767;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const KINDS = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const WIDTHS: Readonly<Record<string, number>> = {
  title: 40,
  description: 60,
  tags: 30,
  collection: 30,
  publish_on: 45,
};

/**
 * Yields a spreadsheet file with one sheet, whose first row is a header, in pieces, so that a large one is never in memory as a
 * whole. Every cell is text (format `@`), so that a spreadsheet changes and calculates nothing.
 */
export function* xlsxOf(sheet: string, rows: Iterable<readonly string[]>): Generator<Uint8Array, void, undefined> {
  const parts: Readonly<Record<string, Iterable<string>>> = {
    '[Content_Types].xml': [contentTypes()],
    '_rels/.rels': [relationships('officeDocument', 'xl/workbook.xml')],
    'xl/workbook.xml': [
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    'xl/_rels/workbook.xml.rels': [relationships('worksheet', 'worksheets/sheet1.xml', 'styles', 'styles.xml')],
    'xl/styles.xml': [styles()],
    'xl/worksheets/sheet1.xml': worksheet(rows),
  };
  const written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    written.push(bytes);
  });
  for (const [path, xml] of Object.entries(parts)) {
    const part = new ZipDeflate(path, { level: 6 });
    zip.add(part);
    for (const piece of inPieces(xml)) {
      part.push(piece);
      yield* written.splice(0);
    }
    part.push(new Uint8Array(0), true);
  }
  zip.end();
  yield* written.splice(0);
}

function contentTypes(): string {
  const part = (path: string, kind: string) => `<Override PartName="${path}" ContentType="${KINDS}.${kind}+xml"/>`;
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${part('/xl/workbook.xml', 'sheet.main')}${part('/xl/worksheets/sheet1.xml', 'worksheet')}${part('/xl/styles.xml', 'styles')}</Types>`;
}

/** Returns relationships with the ids `rId1`, `rId2` and so on. `pairs`: the kind and the target of each. */
function relationships(...pairs: readonly string[]): string {
  const lines = pairs.flatMap((kind, index) =>
    index % 2 === 1
      ? []
      : [`<Relationship Id="rId${index / 2 + 1}" Type="${OFFICE}/${kind}" Target="${pairs[index + 1]}"/>`],
  );
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${lines.join('')}</Relationships>`;
}

/** Style 1 is text, style 2 a bold text. */
function styles(): string {
  const fonts =
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>';
  const fills =
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>';
  const borders = '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>';
  const base = '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>';
  const style = (format: number, font: number) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
  return `${HEAD}<styleSheet xmlns="${MAIN}">${fonts}${fills}${borders}${base}<cellXfs count="3">${style(0, 0)}${style(49, 0)}${style(49, 1)}</cellXfs></styleSheet>`;
}

/** Yields a sheet, whose header stays visible while it is scrolled. */
function* worksheet(rows: Iterable<readonly string[]>): Generator<string> {
  let number = 0;
  for (const row of rows) {
    number += 1;
    yield number === 1 ? `${sheetStart(row)}${line(row, number, 2)}` : line(row, number, 1);
  }
  if (number === 0) yield sheetStart([]);
  yield '</sheetData></worksheet>';
}

function sheetStart(header: readonly string[]): string {
  const columns = header.map(
    (name, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${WIDTHS[name] ?? 18}" style="1" customWidth="1"/>`,
  );
  const view =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
  return `${HEAD}<worksheet xmlns="${MAIN}">${view}${columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`}<sheetData>`;
}

function line(cells: readonly string[], row: number, style: number): string {
  const written = cells.map((text, column) =>
    text === ''
      ? ''
      : `<c r="${lettersOf(column)}${row}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`,
  );
  return `<row r="${row}">${written.join('')}</row>`;
}

/** 0 is `A`, 26 is `AA`. */
function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : `${lettersOf(Math.floor(column / 26) - 1)}${last}`;
}

/** Characters that XML does not allow or changes, and underscores that a reader would mistake for the start of an escape. */
const CODED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
  /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9a-f]{4}_)|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gi;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  const code = (sign: string) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return text.replace(CODED, code).replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
