import { describe, expect, it } from 'vitest';
import { headedLines } from '../../../../../renderer/kit/lists/headed-lines.ts';

const headingsAt = (indexes: readonly number[]) => indexes.map((index) => ({ index, text: `at ${index}`, detail: '' }));

/** The lines of a list, written one by one: `h2` is the heading above row 2, `r2` the row. */
function written(total: number, starts: readonly number[]): string[] {
  const lines: string[] = [];
  for (let row = 0; row < total; row += 1) {
    if (row > 0 && starts.includes(row)) lines.push(`h${row}`);
    lines.push(`r${row}`);
  }
  return lines;
}

describe('the lines of a list with headings', () => {
  it.for<[number, number[]]>([
    [0, []],
    [5, []],
    [5, [0]],
    [6, [0, 1, 4]],
    [9, [0, 1, 2, 3, 8]],
    [4, [0, 1, 2, 3]],
  ])('of %i rows in groups at %j are those that a person would write', ([total, starts]) => {
    const expected = written(total, starts);
    const lines = headedLines(total, headingsAt(starts));
    expect(lines.count).toBe(expected.length);
    for (let row = 0; row < total; row += 1) expect(lines.lineOf(row)).toBe(expected.indexOf(`r${row}`));
    for (const [line, text] of expected.entries()) {
      const rowsBelow = expected.slice(line).find((each) => each.startsWith('r'));
      const rowsAbove = expected.slice(0, line + 1).findLast((each) => each.startsWith('r'));
      expect(`r${lines.rowFrom(line)}`, text).toBe(rowsBelow);
      expect(`r${lines.rowUntil(line)}`, text).toBe(rowsAbove);
      const found = lines.headingsIn(line, expected.length - 1).map(({ heading, line: at }) => [heading.index, at]);
      const below = expected.flatMap((each, at) =>
        at >= line && each.startsWith('h') ? [[Number(each.slice(1)), at]] : [],
      );
      expect(found).toEqual(below);
    }
  });

  it('name the group of the rows at the top, whose heading is above the first visible line', () => {
    const lines = headedLines(6, headingsAt([0, 2, 3]));
    // r0 r1 h2 r2 h3 r3 r4 r5
    expect([0, 1, 2, 3, 4, 5, 7].map((line) => lines.headingAt(line)?.index)).toEqual([0, 0, 0, 2, 2, 3, 3]);
    expect(headedLines(6, []).headingAt(3)).toBeNull();
  });
});

/** The lines of a grid, written one by one: `h2` is the heading above tile 2, `t2-4` a line of a row with tiles 2 to 4. */
function writtenTiles(total: number, starts: readonly number[], columns: number, lines: number): string[] {
  const found: string[] = [];
  for (const [at, start] of starts.entries()) {
    const end = starts[at + 1] ?? total;
    if (at > 0) found.push(`h${start}`);
    for (let from = start; from < end; from += columns) {
      found.push(...Array.from({ length: lines }, () => `t${from}-${Math.min(end, from + columns) - 1}`));
    }
  }
  return found;
}

describe('the lines of a grid with headings', () => {
  it.for<[number, number[], number, number]>([
    [0, [0], 3, 6],
    [7, [0], 3, 6],
    [6, [0, 1, 4], 3, 6],
    [20, [0, 5, 6, 12], 4, 5],
    [20, [0, 5, 6, 12], 1, 2],
    [9, [0, 3, 6], 3, 1],
  ])(
    'of %i tiles in groups at %j, %i in a row of %i lines, are those that a person would write',
    ([total, starts, columns, lines]) => {
      const expected = writtenTiles(total, starts, columns, lines);
      const headed = headedLines(total, headingsAt(starts), { columns, lines });
      expect(headed.count).toBe(expected.length);
      const rows = expected.filter((text, line) => text !== expected[line - 1]);
      expect(headed.rowCount).toBe(rows.length);
      for (const [line, text] of expected.entries()) {
        expect(headed.rowsAbove(line), `${line}`).toBe(rows.indexOf(text));
        const below = expected.slice(line).find((each) => each.startsWith('t')) ?? '';
        const above = expected.slice(0, line + 1).findLast((each) => each.startsWith('t')) ?? '';
        expect(headed.rowFrom(line), `${line}`).toBe(Number(/t(\d+)/.exec(below)?.[1]));
        expect(headed.rowUntil(line), `${line}`).toBe(Number(/-(\d+)/.exec(above)?.[1]));
      }
      const tileRows = rows.flatMap((text) => {
        const [, from, to] = /t(\d+)-(\d+)/.exec(text) ?? [];
        return from === undefined ? [] : [{ from: Number(from), to: Number(to) }];
      });
      for (const [row, { from, to }] of tileRows.entries()) {
        for (let index = from; index <= to; index += 1) {
          expect(headed.lineOf(index)).toBe(expected.indexOf(`t${from}-${to}`));
          for (const by of [-100, -2, -1, 0, 1, 2, 100]) {
            const target = tileRows[Math.min(tileRows.length - 1, Math.max(0, row + by))] ?? { from: 0, to: 0 };
            expect(headed.moved(index, by), `${index} by ${by}`).toBe(Math.min(target.to, target.from + index - from));
          }
        }
      }
    },
  );
});
