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
