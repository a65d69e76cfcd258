import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate/browser';
import { describe, expect, it } from 'vitest';
import { readXlsx } from '../../../../electron/engine/manifest/table/read-xlsx.ts';
import { xlsxOf } from '../../../../electron/engine/manifest/table/write-xlsx.ts';
import { MOST_EXPANDED_BYTES } from '../../../../electron/engine/manifest/table/zip-entries.ts';
import { TableError } from '../../../../shared/model/table/table-error.ts';

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';

interface Workbook {
  sheet?: string;
  strings?: string;
  styles?: string;
  workbook?: string;
}

/** Returns the bytes of a workbook with these parts. */
function workbook({ sheet = '', strings, styles, workbook: book }: Workbook): Uint8Array {
  const parts: Record<string, string> = {
    'xl/workbook.xml':
      book ??
      `<workbook ${MAIN} xmlns:r="r"><workbookPr/><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships ${RELS}><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${MAIN}><sheetData>${sheet}</sheetData></worksheet>`,
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': `<sst ${MAIN}>${strings}</sst>` }),
    ...(styles === undefined ? {} : { 'xl/styles.xml': `<styleSheet ${MAIN}>${styles}</styleSheet>` }),
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)])));
}

const cellsOf = (bytes: Uint8Array) => readXlsx(bytes, null).rows.map(({ cells }) => cells);
const only = (cell: string, more: Workbook = {}) =>
  cellsOf(workbook({ ...more, sheet: `<row r="1">${cell}</row>` }))[0]?.[0];

describe('readXlsx', () => {
  it.each([
    ['a shared string', '<c r="A1" t="s"><v>1</v></c>', 'b'],
    ['rich text', '<c r="A1" t="s"><v>2</v></c>', 'rich text'],
    ['a text with a phonetic hint', '<c r="A1" t="s"><v>3</v></c>', '課'],
    ['an inline string', '<c r="A1" t="inlineStr"><is><t xml:space="preserve"> a &amp; b </t></is></c>', ' a & b '],
    ['an escaped character', '<c r="A1" t="inlineStr"><is><t>a_x000D_b_x005F_x0041_</t></is></c>', 'a\rb_x0041_'],
    ['a formula with a text', '<c r="A1" t="str"><f>UPPER("a")</f><v>A</v></c>', 'A'],
    ['a formula with a number', '<c r="A1"><f>1+1</f><v>2</v></c>', '2'],
    ['a formula that failed', '<c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c>', '#DIV/0!'],
    ['a formula without a result, as openpyxl writes it', '<c r="A1"><f>1+1</f><v></v></c>', '#NOT_CALCULATED!'],
    ['a formula without a result, as SheetJS writes it', '<c r="A1"><f>1+1</f></c>', '#NOT_CALCULATED!'],
    ['a formula with an empty text', '<c r="A1" t="str"><f>""</f><v></v></c><c r="B1"><v>1</v></c>', ''],
    ['true', '<c r="A1" t="b"><v>1</v></c>', 'TRUE'],
    ['a year', '<c r="A1"><v>2031</v></c>', '2031'],
    ['a sum with a rounding error', '<c r="A1"><v>0.30000000000000004</v></c>', '0.3'],
    ['an id as a number', '<c r="A1"><v>12345678901234567</v></c>', '12345678901234567'],
    ['an id that Excel rounded', '<c r="A1"><v>1.2345678901234567E+19</v></c>', '12345678901234600000'],
    ['a day', '<c r="A1" s="1"><v>47974</v></c>', '2031-05-06'],
    ['a day with a time', '<c r="A1" s="2"><v>47974.375</v></c>', '2031-05-06T09:00:00'],
    ['a number whose format has a unit with the letter d', '<c r="A1" s="3"><v>5</v></c>', '5'],
    ['a day before March 1900', '<c r="A1" s="1"><v>59</v></c>', '1900-02-28'],
    ['a number that is too large for a day', '<c r="A1" s="1"><v>99999999</v></c>', '99999999'],
    ['a cell without a reference', '<c t="inlineStr"><is><t>x</t></is></c>', 'x'],
  ])('reads %s', (_, cell, text) => {
    const strings =
      '<si><t>a</t></si><si><t>b</t></si><si><r><t>rich</t></r><r><t xml:space="preserve"> text</t></r></si><si><t>課</t><rPh><t>か</t></rPh></si>';
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="165" formatCode="0 &quot;dB&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>';
    expect(only(cell, { strings, styles })).toBe(text);
  });

  it('reads texts that openpyxl saved as references to characters', () => {
    const saved = new URL('../../../fixtures/spreadsheets/openpyxl.xlsx', import.meta.url);
    const titles = cellsOf(readFileSync(saved)).map((cells) => cells[1]);
    expect(titles).toContain('😀'.repeat(50));
  });

  it('counts days from 1904 when the workbook does', () => {
    const styles = '<cellXfs><xf numFmtId="14"/></cellXfs>';
    const book = `<workbook ${MAIN} xmlns:r="r"><workbookPr date1904="1"/><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`;
    expect(only('<c r="A1" s="0"><v>46512</v></c>', { styles, workbook: book })).toBe('2031-05-06');
  });

  it('keeps the positions of cells and rows when others are absent', () => {
    const sheet =
      '<row r="2"><c r="B2"><v>1</v></c><c r="D2"><v>2</v></c></row><row r="5"><c r="A5"><v>3</v></c></row>';
    expect(readXlsx(workbook({ sheet }), null).rows).toEqual([
      { row: 2, line: null, cells: ['', '1', '', '2'] },
      { row: 5, line: null, cells: ['3'] },
    ]);
  });

  it.each([
    [
      'a row with the number 1,000,000,000',
      '<row r="1000000000"><c r="A1000000000"><v>1</v></c></row>',
      'too-many-rows',
    ],
    ['a row whose number is no number', '<row r="x"><c r="A1"><v>1</v></c></row>', 'too-many-rows'],
    ['a cell in the last column of Excel', '<row r="1"><c r="XFD1"><v>1</v></c></row>', 'too-many-columns'],
    ['a sheet without rows', '', 'empty'],
    ['XML that ends early', '<row r="1"><c r="A1"><v>1', 'damaged'],
  ])('rejects %s with a code', (_, sheet, problem) => {
    expect(() => readXlsx(workbook({ sheet }), null)).toThrow(expect.objectContaining({ problem }));
  });

  it('rejects other zip files and cut ones with a code, and throws no other error after a change of any byte', () => {
    const good = workbook({ sheet: '<row r="1"><c r="A1"><v>1</v></c></row>' });
    for (const bytes of [zipSync({ 'a.txt': strToU8('a') }), good.subarray(0, good.length - 30), new Uint8Array(40)]) {
      expect(() => readXlsx(bytes, null)).toThrow(expect.objectContaining({ problem: 'damaged' }));
    }
    for (let at = 0; at < good.length; at += 1) {
      for (const bits of [0xff, 0x80, 0x01]) {
        const damaged = good.slice();
        damaged[at] = (damaged[at] ?? 0) ^ bits;
        try {
          readXlsx(damaged, null);
        } catch (error) {
          expect(error).toBeInstanceOf(TableError);
        }
      }
    }
  });

  it('does not expand a zip bomb, whether it declares its size or not', () => {
    const size = MOST_EXPANDED_BYTES + 1;
    const bytes = workbook({ sheet: '<row r="1"><c r="A1"><v>1</v></c></row>' });
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const central: number[] = [];
    for (let at = 0; at + 4 < bytes.length; at += 1) if (view.getUint32(at, true) === 0x02014b50) central.push(at);
    expect(central.length).toBeGreaterThan(2);
    for (const at of central) view.setUint32(at + 24, size, true);
    expect(() => readXlsx(bytes, null)).toThrow(expect.objectContaining({ problem: 'too-large' }));
    // Each part declares a size of one byte, so the reader provides memory for one byte only.
    const huge = workbook({ sheet: `<row r="1"><c r="A1"><v>${'1'.repeat(20_000_000)}</v></c></row>` });
    const hugeView = new DataView(huge.buffer, huge.byteOffset);
    for (let at = 0; at + 4 < huge.length; at += 1) {
      if (hugeView.getUint32(at, true) === 0x02014b50) hugeView.setUint32(at + 24, 1, true);
    }
    const before = process.memoryUsage().arrayBuffers;
    expect(() => readXlsx(huge, null)).toThrow(TableError);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  });

  it('does not expand entities that the file defines', () => {
    const sheet = '<row r="1"><c r="A1" t="inlineStr"><is><t>&lol;</t></is></c></row>';
    const text = only(sheet.replace(/<\/?row[^>]*>/g, ''));
    expect(text).toBe('&lol;');
  });
});

describe('xlsxOf', () => {
  it('writes every text so that it is read again unchanged', async () => {
    const unit = fc.oneof(
      fc.constantFrom(
        '=',
        '<',
        '&',
        '"',
        ' ',
        '\n',
        '\r',
        '\t',
        '_x0041_',
        '_x',
        '\u0000',
        '\u0007',
        '\u0085',
        '\ufffd',
        '\ud800',
        '😀',
        'é',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit, minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 6 }),
        async (given) => {
          const texts = given.map((text) => `x${text}`);
          const bytes = Buffer.concat([...xlsxOf('Items', [texts.map((_, index) => `h${index}`), texts])]);
          expect(cellsOf(bytes)[1]).toEqual(texts);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('writes formulas, numbers and dates as text', async () => {
    const row = ['=1+1', '0012345678901234567890', '2031-05-06T09:00:00+02:00[Europe/Vienna]', '1E5', 'TRUE'];
    expect(cellsOf(Buffer.concat([...xlsxOf('Items', [['a', 'b', 'c', 'd', 'e'], row])]))[1]).toEqual(row);
  });
});
