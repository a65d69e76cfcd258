import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DelimitedReader, SEPARATORS, type Separator } from '../../../../shared/model/table/delimited-reader.ts';
import { TABLE_LIMITS, type TableLimits, type TableRow } from '../../../../shared/model/table/table-error.ts';
import { csvOf, protectedCell, unprotected } from '../../../../shared/model/table/write-csv.ts';

function read(
  text: string,
  separator: Separator = ',',
  limits?: TableLimits,
  pieceChars = text.length || 1,
): TableRow[] {
  const rows: TableRow[] = [];
  const reader = new DelimitedReader(separator, (row) => rows.push(row), limits);
  for (let at = 0; at < text.length; at += pieceChars) reader.push(text.slice(at, at + pieceChars));
  reader.end();
  return rows;
}
const cells = (text: string, separator?: Separator) => read(text, separator).map((row) => row.cells);

describe('DelimitedReader', () => {
  it.each([
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\rc,d\r',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"a,b","c"', [['a,b', 'c']]],
    ['"a\r\nb",c', [['a\r\nb', 'c']]],
    ['"say ""hi""",x', [['say "hi"', 'x']]],
    ['""', []],
    ['"",x', [['', 'x']]],
    [',,\n,x,', [['', 'x', '']]],
    ['6" pipe,x', [['6" pipe', 'x']]],
    ['a,\n', [['a', '']]],
    [
      'a,b\n\n\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('reads %j', (text, expected) => {
    expect(cells(text)).toEqual(expected);
  });

  it('numbers rows as a spreadsheet does, and lines as an editor does', () => {
    const rows = read('h\n"a\nb"\n\r\nc\r"d\r\ne"\nf');
    expect(rows.map(({ row, line }) => [row, line])).toEqual([
      [1, 1],
      [2, 2],
      [4, 5],
      [5, 6],
      [6, 8],
    ]);
  });

  it.each([
    ['a\n"b', 'quote-open', { row: 2, column: 1, line: 2 }],
    ['a\nb,"c\nd\ne', 'quote-open', { row: 2, column: 2, line: 2 }],
    ['a,b\n"c"d,e', 'quote-stray', { row: 2, column: 1, line: 2 }],
    ['a,b\nc,d\0e', 'nul', { row: 2, column: 2, line: 2 }],
    ['a,"b\0"', 'nul', { row: 1, column: 2, line: 1 }],
  ])('reports the kind and the place of the problem in %j', (text, problem, place) => {
    for (const piece of [1, 2, 100]) {
      expect(() => read(text, ',', undefined, piece)).toThrow(expect.objectContaining({ problem, place }));
    }
  });

  it.each([
    [{ cellChars: 3 }, 'abcd', 'cell-too-long'],
    [{ cellChars: 3 }, '"abcd', 'cell-too-long'],
    [{ columns: 2 }, 'a,b,c', 'too-many-columns'],
    [{ rows: 2 }, 'a\nb\nc', 'too-many-rows'],
    [{ chars: 5 }, 'abc\ndef', 'too-large'],
  ])('stops at the limit %j', (limit, text, problem) => {
    expect(() => read(text, ',', { ...TABLE_LIMITS, ...limit })).toThrow(expect.objectContaining({ problem }));
  });

  it('returns the same rows for pieces of any size, and for the output of `csvOf`', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', '\r', '=', "'", ' ', '😀') });
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 6 }),
        fc.constantFrom(...SEPARATORS),
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        (rows, separator, protects, piece) => {
          const text = [...csvOf(rows, { separator, bom: false, protects })].join('');
          const found = read(text, separator, undefined, piece).map((row) =>
            row.cells.map((each) => (protects ? unprotected(each) : each)),
          );
          expect(found).toEqual(rows.filter((row) => row.some((each) => each !== '')));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('gets protected cells that never begin like a formula, and that `unprotected` restores', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('=', '+', '-', '@', "'", 'a', '\t', '＝', ' ', '\ufeff', '\u00a0') }),
        (text) => {
          expect(unprotected(protectedCell(text))).toBe(text);
          expect(/^[=+\-@＝＋－＠\t\r\n]/.test(protectedCell(text))).toBe(false);
          // Programs that drop blanks and byte order marks at the beginning see no formula either.
          expect(/^[=+\-@＝＋－＠]/.test(protectedCell(text).trimStart())).toBe(false);
        },
      ),
    );
  });
});
