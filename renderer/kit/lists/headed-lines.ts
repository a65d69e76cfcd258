/** A heading above a row of a long list. The first one belongs to row 0. */
export interface RowHeading {
  /** The row below the heading. */
  index: number;
  text: string;
  /** Shown beside the text, such as the number of rows. */
  detail: string;
}

/**
 * The lines of a list whose rows have headings: each heading but the first takes a line above its row, as high as a row, so that
 * the positions of lines stay a product. The first one, or that of the rows at the top, is shown above the list.
 */
export interface HeadedLines {
  count: number;
  lineOf(index: number): number;
  /** The first row at or below a line, and the last one at or above it; -1 when there is none. */
  rowFrom(line: number): number;
  rowUntil(line: number): number;
  /** The headings within lines, both ends included, with the place of each. */
  headingsIn(first: number, last: number): { heading: RowHeading; line: number }[];
  /** The heading of the rows at the top of the list when `line` is its first visible one; null without headings. */
  headingAt(line: number): RowHeading | null;
}

/** `headings` ascend; without any, lines are rows. */
export function headedLines(total: number, headings: readonly RowHeading[]): HeadedLines {
  const below = headings.slice(1);
  /** The number of entries of `below` for which a rule holds that holds for the first ones only. */
  const countWhile = (holds: (heading: RowHeading, at: number) => boolean): number => {
    let [from, to] = [0, below.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const heading = below[middle];
      if (heading !== undefined && holds(heading, middle)) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  const headingsUntil = (line: number) => countWhile(({ index }, at) => index + at <= line);
  const isHeading = (line: number) => {
    const count = headingsUntil(line);
    const last = below[count - 1];
    return last !== undefined && last.index + count - 1 === line;
  };
  const count = total + below.length;
  return {
    count,
    lineOf: (index) => index + countWhile((heading) => heading.index <= index),
    rowFrom: (line) => (isHeading(line) ? line + 1 : line) - headingsUntil(line),
    rowUntil: (line) => line - headingsUntil(line),
    headingsIn(first, last) {
      const from = headingsUntil(first - 1);
      return below
        .slice(from, headingsUntil(last))
        .map((heading, at) => ({ heading, line: heading.index + from + at }));
    },
    // A heading whose line is the first visible one is still shown there.
    headingAt: (line) => headings[headingsUntil(line - 1)] ?? null,
  };
}
