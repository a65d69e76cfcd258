import writeXlsxFile, { type SheetData } from 'write-excel-file/universal';

/** The longest text of a cell in a spreadsheet file. */
export const LONGEST_XLSX_CELL = 32_767;

/** Characters that XML or the writer drops, and underscores that a reader would take for the begin of an escape. */
const ESCAPED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffd-\uffff]|_(?=x[0-9a-f]{4}_)|[\ud800-\udbff](?:[\udffe\udfff]|(?![\udc00-\udfff]))|(?<![\ud800-\udbff])[\udc00-\udfff]/gi;

const WIDTHS: Readonly<Record<string, number>> = {
  title: 40,
  description: 60,
  tags: 30,
  collection: 30,
  publish_on: 45,
};

/** Returns a spreadsheet file with one sheet. Every cell is text, so that a spreadsheet changes and calculates nothing. */
export async function writeXlsx(sheet: string, rows: readonly (readonly string[])[]): Promise<Uint8Array> {
  const [header = [], ...others] = rows;
  const data: SheetData = [
    header.map((value) => ({ value: escaped(value), type: String, format: '@', fontWeight: 'bold' as const })),
    ...others.map((row) =>
      row.map((value) => (value === '' ? null : { value: escaped(value), type: String, format: '@' })),
    ),
  ];
  const columns = header.map((name) => ({ width: WIDTHS[name] ?? 16 }));
  const blob = await writeXlsxFile(data, { sheet, columns, stickyRowsCount: 1 }).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}

function escaped(text: string): string {
  const code = (sign: string) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
  return text.replace(ESCAPED, (signs) => signs.split('').map(code).join(''));
}
