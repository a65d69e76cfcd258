// Small XLSX files that expand to millions of elements. All data after a limit is damaged here, so that a reader that expands more
// than necessary reports a damaged file.
import { strToU8, zipSync } from 'fflate/browser';
import { describe, expect, it } from 'vitest';
import { readXlsx } from '../../../../electron/engine/manifest/table/read-xlsx.ts';

const ROW = '<row r="1"><c r="A1"><v>1</v></c></row>';

/** Returns a workbook whose sheet, texts and styles have these elements. */
function workbook({ sheet = ROW, strings = '', styles = '' }): Uint8Array {
  const parts = {
    'xl/workbook.xml': '<workbook><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/styles.xml': `<styleSheet><cellXfs>${styles}</cellXfs></styleSheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])));
}

/** Damages the largest part of a workbook after this share of its bytes. */
function damagedAfter(bytes: Uint8Array, share: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  let begin = 0;
  let size = 0;
  for (let at = 0; at + 4 < bytes.length; at += 1) {
    if (view.getUint32(at, true) !== 0x02014b50 || view.getUint32(at + 20, true) < size) continue;
    size = view.getUint32(at + 20, true);
    begin = view.getUint32(at + 42, true) + 30 + view.getUint16(at + 46 - 18, true);
  }
  const from = begin + Math.ceil(size * share);
  return bytes.slice().fill(0xff, from, begin + size);
}

const attributes = (count: number) => Array.from({ length: count }, (_, index) => ` a${index}="x"`).join('');

describe('an XLSX file that expands to millions of elements', () => {
  it.each([
    ['rows', { sheet: '<row r="2"></row>'.repeat(2_000_000) }, 'too-many-rows'],
    ['rows with a cell', { sheet: '<row><c><v>1</v></c></row>'.repeat(400_000) }, 'too-many-rows'],
    ['empty cells', { sheet: `<row>${'<c/>'.repeat(8_000_000)}</row>` }, 'too-large'],
    ['attributes in one tag', { sheet: `<row${attributes(1_000_000)}/>` }, 'too-large'],
    ['attributes in many tags', { sheet: `<row${attributes(1200)}/>`.repeat(1000) }, 'too-large'],
    ['styles', { styles: '<xf numFmtId="14"/>'.repeat(500_000) }, 'too-large'],
    ['number formats', { styles: '<numFmt numFmtId="200"/>'.repeat(500_000) }, 'too-large'],
    ['empty texts', { strings: '<si/>'.repeat(3_000_000) }, 'too-large'],
    ['elements in each other', { sheet: '<a>'.repeat(7_000_000) }, 'too-large'],
    ['characters of one text', { strings: `<si><t>${'x'.repeat(20_000_000)}</t></si>` }, 'too-large'],
    ['characters of a comment', { sheet: `<!--${'<'.repeat(20_000_000)}-->` }, 'too-large'],
  ])('is refused before more of it is read when it has millions of %s', (_, parts, problem) => {
    const bytes = workbook(parts);
    const refused = (damaged: Uint8Array) => {
      try {
        return readXlsx(damaged, null).rows.length;
      } catch (error) {
        return (error as { problem?: unknown }).problem;
      }
    };
    expect(refused(damagedAfter(bytes, 0.7))).toBe(problem);
    expect(refused(damagedAfter(bytes, 0))).toBe('damaged');
  });

  it('is read when it is only very repetitive', () => {
    const sheet = Array.from({ length: 60_000 }, (_, index) => {
      const row = index + 1;
      return `<row r="${row}" ht="12.8" customHeight="true"><c r="A${row}" s="0"><v>1</v></c><c r="B${row}" s="0"/></row>`;
    }).join('');
    const bytes = workbook({ sheet });
    expect(sheet.length / bytes.length).toBeGreaterThan(10);
    expect(readXlsx(bytes, null).rows).toHaveLength(60_000);
  });

  it('is read when rows far below have a number, and others only formats', () => {
    const empty = Array.from({ length: 120_000 }, (_, index) => `<row r="${index + 2}"><c s="0"/></row>`).join('');
    const rows = readXlsx(
      workbook({ sheet: `${ROW}${empty}<row r="1048576"><c r="A1048576"><v>2</v></c></row>` }),
      null,
    );
    expect(rows.rows.map(({ row, cells }) => [row, ...cells])).toEqual([
      [1, '1'],
      [1_048_576, '2'],
    ]);
  });
});
