import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTsv, toTsv } from '../../../../shared/model/table/parse-tsv.ts';
import { TABLE_LIMITS } from '../../../../shared/model/table/table-error.ts';

/** Clipboard texts of programs, with the cells that the user sees in the program. */
const SAMPLES: readonly (readonly [name: string, text: string, cells: string[][]])[] = [
  // Plain ranges.
  ['an empty text', '', []],
  ['one cell', 'a', [['a']]],
  ['one cell with the line end of a spreadsheet', 'a\r\n', [['a']]],
  ['one cell, Unix', 'a\n', [['a']]],
  ['one cell, old Mac', 'a\r', [['a']]],
  ['a row', 'a\tb\tc\r\n', [['a', 'b', 'c']]],
  ['a column', 'a\r\nb\r\nc\r\n', [['a'], ['b'], ['c']]],
  ['a column, Unix', 'a\nb\nc\n', [['a'], ['b'], ['c']]],
  ['a column, old Mac', 'a\rb\rc', [['a'], ['b'], ['c']]],
  [
    'a range',
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a range without a line end at its end',
    'a\tb\nc\td',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['rows of different lengths', 'a\r\nb\tc\r\n', [['a'], ['b', 'c']]],
  // Empty cells.
  ['an empty cell', '\r\n', [['']]],
  ['empty cells in a row', '\t\t\r\n', [['', '', '']]],
  ['an empty first cell', '\tb\r\n', [['', 'b']]],
  ['an empty last cell', 'a\t\r\n', [['a', '']]],
  ['an empty row between', 'a\r\n\r\nb\r\n', [['a'], [''], ['b']]],
  ['an empty row at the end', 'a\r\n\r\n', [['a'], ['']]],
  ['two empty rows', '\r\n\r\n', [[''], ['']]],
  [
    'empty rows of a range',
    'a\tb\r\n\t\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['', ''],
      ['c', 'd'],
    ],
  ],
  // Several lines in a cell.
  ['two lines, Excel', '"a\nb"\r\n', [['a\nb']]],
  ['two lines, LibreOffice', '"a\nb"\n', [['a\nb']]],
  ['two lines, Windows', '"a\r\nb"\tc\r\n', [['a\r\nb', 'c']]],
  ['two lines between cells', 'x\t"a\nb"\ty\r\n', [['x', 'a\nb', 'y']]],
  [
    'two lines in the last cell',
    'x\t"a\nb"\r\nc\td\r\n',
    [
      ['x', 'a\nb'],
      ['c', 'd'],
    ],
  ],
  ['an empty line in a cell', '"a\n\nb"\r\n', [['a\n\nb']]],
  ['only a line break in a cell', '"\n"\r\n', [['\n']]],
  ['a line break at the end of a cell', '"a\n"\tb\r\n', [['a\n', 'b']]],
  ['multi-line cells below each other', '"a\nb"\r\n"c\nd"\r\n', [['a\nb'], ['c\nd']]],
  ['a tab in a cell', '"a\tb"\tc\r\n', [['a\tb', 'c']]],
  // Quotes.
  ['quotes in a multi-line cell', '"say ""hi""\nb"\r\n', [['say "hi"\nb']]],
  ['a cell that is one quote, Excel', '"\r\n', [['"']]],
  ['a cell in quotes, as Excel writes it', '"a"\r\n', [['a']]],
  ['a cell in quotes, as Google Sheets writes it', '"""a"""\r\n', [['"a"']]],
  ['quotes as signs of inches', '6" pipe\tb\r\n', [['6" pipe', 'b']]],
  ['quotes as signs of inches at the end of cells', '6"\t7"\r\n', [['6"', '7"']]],
  ['a quotation at the beginning', '"Quote" starts here\tb\r\n', [['"Quote" starts here', 'b']]],
  ['a quotation and an open quote', '"a" "b\tc\r\n', [['"a" "b', 'c']]],
  ['an open quote', '"abc\r\n', [['"abc']]],
  [
    'an open quote in the second row',
    'a\tb\r\n"c\td\r\n',
    [
      ['a', 'b'],
      ['"c', 'd'],
    ],
  ],
  ['an empty quoted cell', '""\tb\r\n', [['', 'b']]],
  ['doubled quotes in a plain cell', 'a""b\r\n', [['a""b']]],
  ['a quote before a tab', 'a"\tb\r\n', [['a"', 'b']]],
  ['two quotations', '"a" and "b"\r\n', [['"a" and "b"']]],
  ['an apostrophe', "'=A1\tb\r\n", [["'=A1", 'b']]],
  // Texts that look like other content.
  ['a formula', '=A1+B1\r\n', [['=A1+B1']]],
  ['commas and semicolons', 'a, b; c\td\r\n', [['a, b; c', 'd']]],
  ['leading zeros', '007\t000\r\n', [['007', '000']]],
  ['a long number', '12345678901234567890\r\n', [['12345678901234567890']]],
  ['an id', 'm:123\tTitle\r\n', [['m:123', 'Title']]],
  ['blanks', '  a \t b\r\n', [['  a ', ' b']]],
  ['a non-breaking blank', '\u00a0a\r\n', [['\u00a0a']]],
  ['HTML', '<p>a &amp; b</p>\t<br>\r\n', [['<p>a &amp; b</p>', '<br>']]],
  ['a byte order mark', '\ufeffa\r\n', [['\ufeffa']]],
  ['line separators of Unicode', 'a\u2028b\u2029c\r\n', [['a\u2028b\u2029c']]],
  ['a vertical tab, as Word writes line breaks', 'a\vb\tc\r\n', [['a\vb', 'c']]],
  // Scripts.
  ['umlauts', 'Größe\tÄrger\r\n', [['Größe', 'Ärger']]],
  ['combined letters', 'e\u0301\r\n', [['e\u0301']]],
  ['emoji', '👩‍🚀\t🎧\r\n', [['👩‍🚀', '🎧']]],
  ['right to left', 'שלום\tمرحبا\r\n', [['שלום', 'مرحبا']]],
  ['Japanese', '講義\t第一回\r\n', [['講義', '第一回']]],
];

describe('parseTsv', () => {
  it('is tested with at least 60 samples', () => expect(SAMPLES.length).toBeGreaterThanOrEqual(60));

  it.each(SAMPLES)('reads %s', (_, text, cells) => {
    expect(parseTsv(text)).toEqual(cells);
  });

  it('returns the cells that toTsv wrote', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', ' ', '😀') });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (rows) => {
        expect(parseTsv(toTsv(rows))).toEqual(rows);
      }),
      { numRuns: 500 },
    );
  });

  it('never loses a letter, whatever quotes, tabs and line ends are around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r'), maxLength: 40 }), (text) => {
        expect(parseTsv(text).flat().join('').replace(/[^a]/g, '')).toBe(text.replace(/[^a]/g, ''));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['cell-too-long', 'x'.repeat(TABLE_LIMITS.cellChars + 1)],
    ['too-many-columns', '\t'.repeat(TABLE_LIMITS.columns)],
    ['too-many-rows', '\n'.repeat(TABLE_LIMITS.rows + 1)],
  ])('throws %s beyond a limit', (problem, text) => {
    expect(() => parseTsv(text)).toThrow(expect.objectContaining({ problem }));
  });
});
