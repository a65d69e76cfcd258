// Clipboard texts of programs, pasted into a grid: each sample with the exact cells of the grid afterwards.
import { describe, expect, it } from 'vitest';
import { paste, readClipboard } from '../../../../shared/model/grid/grid-clipboard.ts';
import { createGrid, type GridColumn, type GridModel } from '../../../../shared/model/grid/grid-model.ts';
import { focusCell } from '../../../../shared/model/grid/grid-selection.ts';

const COLUMNS: readonly GridColumn[] = [
  { key: 'title', label: 'Title', width: 100, kind: 'text' },
  { key: 'description', label: 'Description', width: 100, kind: 'multiline' },
  { key: 'tags', label: 'Tags', width: 100, kind: 'tags' },
  { key: 'file', label: 'File', width: 100, kind: 'text', readOnly: true },
  { key: 'status', label: 'Status', width: 100, kind: 'choice', choices: ['draft', 'published'] },
  { key: 'explicit', label: 'Explicit', width: 100, kind: 'check' },
];
const ROWS = 4;
/** The cells of a row before the paste. */
const OLD = ['t', 'd', 'g', 'f', 'draft', 'no'];

interface Sample {
  /** The program, and the content that was copied in it. */
  name: string;
  text: string;
  /** The changed rows, each with its cells from the first column on; all other rows stay. */
  becomes: readonly (readonly string[])[];
  /** The cell in which the paste begins; default: the first cell. */
  at?: readonly [row: number, column: number];
  /** The last selected cell; default: the first cell. */
  to?: readonly [row: number, column: number];
  readOnly?: number;
  outside?: number;
}

const SAMPLES: readonly Sample[] = [
  // Microsoft Excel: CRLF, a line end after the last row, quotes only around cells with line breaks or tabs.
  { name: 'Excel, one cell', text: 'New\r\n', becomes: [['New']] },
  { name: 'Excel, a row', text: 'New\tText\ta|b\r\n', becomes: [['New', 'Text', 'a|b']] },
  { name: 'Excel, a column', text: 'A\r\nB\r\nC\r\n', becomes: [['A'], ['B'], ['C']] },
  {
    name: 'Excel, a range',
    text: 'A\t1\r\nB\t2\r\n',
    becomes: [
      ['A', '1'],
      ['B', '2'],
    ],
  },
  { name: 'Excel, a cell with two lines', text: '"One\nTwo"\r\n', at: [0, 1], becomes: [['t', 'One\nTwo']] },
  { name: 'Excel, two lines into a title', text: '"One\nTwo"\r\n', becomes: [['One Two']] },
  { name: 'Excel, two lines into tags', text: '"a\nb"\r\n', at: [0, 2], becomes: [['t', 'd', 'a|b']] },
  {
    name: 'Excel, a range with a cell of two lines',
    text: 'A\t"x\ny"\r\nB\tz\r\n',
    becomes: [
      ['A', 'x\ny'],
      ['B', 'z'],
    ],
  },
  {
    name: 'Excel, quotes in a cell of two lines',
    text: '"say ""hi""\nbye"\r\n',
    at: [0, 1],
    becomes: [['t', 'say "hi"\nbye']],
  },
  { name: 'Excel, quotes in a plain cell', text: 'say "hi"\r\n', becomes: [['say "hi"']] },
  { name: 'Excel, an empty cell', text: '\r\n', becomes: [['']] },
  { name: 'Excel, an empty column', text: '\r\n\r\n\r\n', becomes: [[''], [''], ['']] },
  { name: 'Excel, an empty cell in a row', text: 'A\t\tx\r\n', becomes: [['A', '', 'x']] },
  {
    name: 'Excel, an empty row in a range',
    text: 'A\t1\r\n\t\r\nC\t3\r\n',
    becomes: [
      ['A', '1'],
      ['', ''],
      ['C', '3'],
    ],
  },
  {
    name: 'Excel, a whole row with empty cells at its end',
    text: 'A\t1\tx\tfile\tdraft\tyes\t\t\t\r\n',
    becomes: [['A', '1', 'x', 'f', 'draft', 'yes']],
    readOnly: 1,
    outside: 3,
  },
  {
    name: 'Excel, TRUE and FALSE',
    text: 'TRUE\r\nFALSE\r\n',
    at: [0, 5],
    becomes: [['t', 'd', 'g', 'f', 'draft', 'yes'], OLD],
  },
  { name: 'Excel, a number with its thousands', text: '1,234.50\r\n', becomes: [['1,234.50']] },
  { name: 'Excel, a number with leading zeros as text', text: '007\r\n', becomes: [['007']] },
  { name: 'Excel, the error of a formula', text: '#N/A\r\n', becomes: [['#N/A']] },
  { name: 'Excel, a date as it is shown', text: '06.05.2031 09:00\r\n', becomes: [['06.05.2031 09:00']] },
  {
    name: 'Excel for Mac, line ends of old Macs',
    text: 'A\t1\rB\t2\r',
    becomes: [
      ['A', '1'],
      ['B', '2'],
    ],
  },
  {
    name: 'Excel, a line break of Windows in a cell',
    text: '"One\r\nTwo"\r\n',
    at: [0, 1],
    becomes: [['t', 'One\nTwo']],
  },
  { name: 'Excel, blanks around a cell', text: ' New \r\n', becomes: [[' New ']] },
  // LibreOffice Calc: LF, no line end after the last row, all quotes doubled in quoted cells.
  { name: 'LibreOffice, one cell', text: 'New', becomes: [['New']] },
  {
    name: 'LibreOffice, a range',
    text: 'A\t1\nB\t2\n',
    becomes: [
      ['A', '1'],
      ['B', '2'],
    ],
  },
  { name: 'LibreOffice, a cell with two lines', text: '"One\nTwo"\tx', at: [0, 1], becomes: [['t', 'One\nTwo', 'x']] },
  { name: 'LibreOffice, a quotation', text: '"Quoted" title\t1', becomes: [['"Quoted" title', '1']] },
  { name: 'LibreOffice, a lone quote', text: '"\t1', becomes: [['"', '1']] },
  { name: 'LibreOffice, inches', text: '6" pipe\t7"', becomes: [['6" pipe', '7"']] },
  { name: 'LibreOffice, a tab in a cell', text: '"a\tb"\tx', becomes: [['a\tb', 'x']] },
  { name: 'LibreOffice, a cell with an empty line', text: '"One\n\nTwo"', at: [0, 1], becomes: [['t', 'One\n\nTwo']] },
  { name: 'LibreOffice, an empty line into a title', text: '"One\n\nTwo"', becomes: [['One Two']] },
  // Google Sheets: LF, no line end after the last row, quotes around cells that begin with a quote.
  { name: 'Sheets, one cell', text: 'New', becomes: [['New']] },
  {
    name: 'Sheets, a range',
    text: 'A\t1\nB\t2',
    becomes: [
      ['A', '1'],
      ['B', '2'],
    ],
  },
  { name: 'Sheets, a cell in quotes', text: '"""All"" of it"', becomes: [['"All" of it']] },
  { name: 'Sheets, a cell with two lines', text: 'A\t"One\nTwo"', becomes: [['A', 'One\nTwo']] },
  {
    name: 'Sheets, check boxes',
    text: 'TRUE\nFALSE',
    at: [0, 5],
    becomes: [['t', 'd', 'g', 'f', 'draft', 'yes'], OLD],
  },
  {
    name: 'Sheets, a status with a capital letter',
    text: 'Published',
    at: [0, 4],
    becomes: [['t', 'd', 'g', 'f', 'published', 'no']],
  },
  {
    name: 'Sheets, empty cells at the end of a range',
    text: 'A\t\nB\t',
    becomes: [
      ['A', ''],
      ['B', ''],
    ],
  },
  // Apple Numbers: LF, quotes around cells with line breaks, no doubled quotes in other cells.
  { name: 'Numbers, one cell', text: 'New', becomes: [['New']] },
  {
    name: 'Numbers, a table',
    text: 'A\t1\nB\t2\nC\t3',
    becomes: [
      ['A', '1'],
      ['B', '2'],
      ['C', '3'],
    ],
  },
  { name: 'Numbers, a cell with two lines', text: '"One\nTwo"\n', at: [0, 1], becomes: [['t', 'One\nTwo']] },
  { name: 'Numbers, an emoji', text: '🎧 Show\t👩‍🚀', becomes: [['🎧 Show', '👩‍🚀']] },
  { name: 'Numbers, typographic quotes', text: '“New”\t‘x’', becomes: [['“New”', '‘x’']] },
  // Text editors, word processors, mail and browsers.
  { name: 'an editor, one line without an end', text: 'New', becomes: [['New']] },
  { name: 'an editor, lines', text: 'A\nB\nC', becomes: [['A'], ['B'], ['C']] },
  { name: 'an editor, lines with an empty one', text: 'A\n\nC\n', becomes: [['A'], [''], ['C']] },
  { name: 'an editor, rows of different lengths', text: 'A\nB\t2\nC\n', becomes: [['A'], ['B', '2'], ['C']] },
  { name: 'an editor, a byte order mark', text: '\uFEFFNew\n', becomes: [['New']] },
  { name: 'an editor, mixed line ends', text: 'A\r\nB\nC\rD', becomes: [['A'], ['B'], ['C'], ['D']] },
  { name: 'an editor, a quote without an end', text: '"open\nB', becomes: [['"open'], ['B']] },
  { name: 'an editor, a NUL character', text: 'Ne\0w', becomes: [['New']] },
  { name: 'an editor, commas', text: 'A, B; C\n', becomes: [['A, B; C']] },
  { name: 'Word, a line break in a paragraph', text: 'One\vTwo', becomes: [['One Two']] },
  { name: 'Word, a line break into a description', text: 'One\vTwo', at: [0, 1], becomes: [['t', 'One\nTwo']] },
  { name: 'Word, a line separator of Unicode', text: 'One\u2028Two', becomes: [['One Two']] },
  { name: 'a browser, non-breaking blanks', text: 'A\u00a0B\t\u00a0', becomes: [['A\u00a0B', '\u00a0']] },
  {
    name: 'a browser, a table with an empty header',
    text: '\tA\nx\t1\n',
    becomes: [
      ['', 'A'],
      ['x', '1'],
    ],
  },
  { name: 'a mail, HTML as text', text: '<b>x</b>\t&amp;', becomes: [['<b>x</b>', '&amp;']] },
  { name: 'right to left', text: 'שלום\tمرحبا\n', becomes: [['שלום', 'مرحبا']] },
  { name: 'marks of direction', text: '\u200fשלום\u200e', becomes: [['\u200fשלום\u200e']] },
  { name: 'combined letters stay as they are', text: 'e\u0301', becomes: [['e\u0301']] },
  { name: 'Japanese', text: '講義\t第一回', becomes: [['講義', '第一回']] },
  { name: 'a formula', text: '=A1+1\t+49', becomes: [['=A1+1', '+49']] },
  { name: 'an empty text', text: '', becomes: [] },
  // Pastes at other cells and into a selection.
  { name: 'one value into several cells', text: 'Same', to: [2, 0], becomes: [['Same'], ['Same'], ['Same']] },
  {
    name: 'an empty value into several cells',
    text: '\r\n',
    to: [1, 1],
    becomes: [
      ['', ''],
      ['', ''],
    ],
  },
  {
    name: 'a row into several rows',
    text: 'A\t1',
    to: [2, 1],
    becomes: [
      ['A', '1'],
      ['A', '1'],
      ['A', '1'],
    ],
  },
  { name: 'two rows into three rows', text: 'A\nB', to: [2, 0], becomes: [['A'], ['B']] },
  {
    name: 'a row across a read-only column',
    text: 'x\tnew file\tpublished',
    at: [0, 2],
    becomes: [['t', 'd', 'x', 'f', 'published', 'no']],
    readOnly: 1,
  },
  { name: 'more rows than there are', text: 'A\nB\nC', at: [2, 0], becomes: [OLD, OLD, ['A'], ['B']], outside: 1 },
  {
    name: 'more columns than there are',
    text: 'yes\tx\ty',
    at: [0, 5],
    becomes: [['t', 'd', 'g', 'f', 'draft', 'yes']],
    outside: 2,
  },
];

function gridAt({ at: [row, column] = [0, 0], to }: Sample): GridModel {
  const base = Array.from({ length: ROWS }, (_, index) => ({ id: String(index), cells: OLD }));
  const model = focusCell(createGrid(COLUMNS, base), { row, column }, { extends: false });
  return to === undefined ? model : focusCell(model, { row: to[0], column: to[1] }, { extends: true });
}

describe('the paste of a clipboard text', () => {
  it('is covered by at least 60 samples', () => expect(SAMPLES.length).toBeGreaterThanOrEqual(60));

  it.each(SAMPLES)('changes the expected cells and no other: $name', (sample) => {
    const { text, becomes, readOnly = 0, outside = 0 } = sample;
    const model = paste(gridAt(sample), readClipboard(text));
    const expected = Array.from({ length: ROWS }, (_, row) => OLD.map((old, column) => becomes[row]?.[column] ?? old));
    expect(model.rows.map(({ cells }) => cells)).toEqual(expected);
    expect(model.last).toMatchObject({ readOnly, outside });
    expect(model.undos.length).toBe(model.changedCells === 0 ? 0 : 1);
  });

  it('is refused with the kind of problem when the text is beyond a limit', () => {
    const limits = { cellChars: 100, columns: 3, rows: 10, chars: 1000 };
    const problems = ['x'.repeat(101), 'a\tb\tc\td', 'a\n'.repeat(11), 'x'.repeat(1001)].map((text) => {
      try {
        return readClipboard(text, limits);
      } catch (error) {
        return error;
      }
    });
    expect(problems).toEqual(
      ['cell-too-long', 'too-many-columns', 'too-many-rows', 'too-large'].map((problem) =>
        expect.objectContaining({ problem }),
      ),
    );
  });
});
