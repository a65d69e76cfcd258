/** A heading above a row of a long list. The first one belongs to row 0. */
export interface RowHeading {
  /** The row below the heading. */
  index: number;
  text: string;
  /** Shown beside the text, such as the number of rows. */
  detail: string;
}

/** Rows of a list, or tiles of a grid. */
interface LineShape {
  /** Tiles beside each other: a heading begins a new row of them. */
  columns: number;
  /** Lines that a row takes. A heading takes one. */
  lines: number;
}

/**
 * The lines of a list whose rows have headings. All lines have one height, so that their positions stay a product: each heading but the
 * first takes one above its row. The first one, or that of the rows at the top, is shown above the list. `index` is that of an entry:
 * of a row, or of a tile.
 */
export interface HeadedLines {
  /** The number of lines. */
  count: number;
  /** The number of rows of entries and of headings between them. */
  rowCount: number;
  /** The first line of the row of an entry. */
  lineOf(index: number): number;
  /** The first entry of a line or below it, and the last one of it or above; -1 when there is none. */
  rowFrom(line: number): number;
  rowUntil(line: number): number;
  /** How many rows of entries and headings are above a line. */
  rowsAbove(line: number): number;
  /** The headings within lines, both ends included, with the place of each. */
  headingsIn(first: number, last: number): { heading: RowHeading; line: number }[];
  /** The heading of the rows at the top of the list when `line` is its first visible one; null without headings. */
  headingAt(line: number): RowHeading | null;
  /** The entry in the same column, so many rows of entries below (or above) another one; the nearest one there is. */
  moved(index: number, rows: number): number;
}

/** The entries below a heading. */
interface Group {
  heading: RowHeading | null;
  /** Its place among the groups. */
  place: number;
  index: number;
  count: number;
  /** Its heading's line, or for the first group, which has none within the list, its first one. */
  top: number;
  /** Its first line of entries. */
  line: number;
  /** Its rows of entries, and those above it. */
  rows: number;
  rowsAbove: number;
}

const ROWS: LineShape = { columns: 1, lines: 1 };

/** `headings` ascend; without any, all entries are one group. */
export function headedLines(total: number, headings: readonly RowHeading[], { columns, lines } = ROWS): HeadedLines {
  const groups: Group[] = [];
  let [top, rowsAbove] = [0, 0];
  for (const [place, heading] of headings.length === 0 ? [[0, null] as const] : headings.entries()) {
    const index = heading?.index ?? 0;
    const count = (headings[place + 1]?.index ?? total) - index;
    const line = place === 0 ? top : top + 1;
    const rows = Math.ceil(count / columns);
    groups.push({ heading, place, index, count, top, line, rows, rowsAbove });
    top = line + rows * lines;
    rowsAbove += rows;
  }
  const [first] = groups as [Group];
  /** The last group for which a rule holds that holds for the first ones only. */
  const lastWhere = (holds: (group: Group) => boolean): Group => {
    let [from, to] = [1, groups.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (holds(groups[middle] as Group)) from = middle + 1;
      else to = middle;
    }
    return groups[from - 1] ?? first;
  };
  const groupOf = (index: number) => lastWhere((group) => group.index <= index);
  const groupAt = (line: number) => lastWhere((group) => group.top <= line);
  const rowAt = (group: Group, line: number) => Math.floor((line - group.line) / lines);
  return {
    count: top,
    rowCount: rowsAbove + groups.length - 1,
    lineOf(index) {
      const group = groupOf(index);
      return group.line + Math.floor((index - group.index) / columns) * lines;
    },
    rowFrom(line) {
      const group = groupAt(line);
      return group.index + Math.max(0, rowAt(group, line)) * columns;
    },
    rowUntil(line) {
      const group = groupAt(line);
      if (line < group.line) return group.index - 1;
      return group.index + Math.min(group.count, (rowAt(group, line) + 1) * columns) - 1;
    },
    rowsAbove(line) {
      const group = groupAt(line);
      return group.rowsAbove + group.place + rowAt(group, line);
    },
    headingsIn(from, to) {
      const within = groups.slice(1).filter((group) => group.top >= from && group.top <= to);
      return within.flatMap((group) => (group.heading === null ? [] : [{ heading: group.heading, line: group.top }]));
    },
    // A heading whose line is the first visible one is still shown there.
    headingAt: (line) => groupAt(line - 1).heading,
    moved(index, rows) {
      const group = groupOf(index);
      const column = (index - group.index) % columns;
      const row = group.rowsAbove + Math.floor((index - group.index) / columns) + rows;
      const within = Math.min(rowsAbove - 1, Math.max(0, row));
      const target = lastWhere((each) => each.rowsAbove <= within);
      const wanted = (within - target.rowsAbove) * columns + column;
      return target.index + Math.min(target.count - 1, wanted);
    },
  };
}
