// A patience diff: a range is divided at the tokens that occur once on each side. A range without such tokens is compared by the
// algorithm of Myers, up to a maximum number of differences.

/** A changed part: `base[baseFrom, baseTo)` became `other[from, to)`. Between two parts are equal tokens. */
export interface Hunk {
  baseFrom: number;
  baseTo: number;
  from: number;
  to: number;
}

type Range = Readonly<Hunk>;

/** The maximum number of differences in a range without unique common tokens; with more, the range is one changed part. */
const MOST_DIFFERENCES = 400;
/** The maximum depth of divisions. */
const DEEPEST = 12;

/**
 * Compares two lists of numbers. Returns the changed parts in order, not always the fewest. The time is bounded by a
 * constant for each token: a part that differs too much is one change.
 */
export function diffTokens(base: Int32Array, other: Int32Array): Hunk[] {
  const hunks: Hunk[] = [];
  compare(base, other, { baseFrom: 0, baseTo: base.length, from: 0, to: other.length }, 0, hunks);
  return hunks;
}

function compare(base: Int32Array, other: Int32Array, range: Range, depth: number, hunks: Hunk[]): void {
  let { baseFrom, baseTo, from, to } = range;
  while (baseFrom < baseTo && from < to && base[baseFrom] === other[from]) {
    baseFrom += 1;
    from += 1;
  }
  while (baseFrom < baseTo && from < to && base[baseTo - 1] === other[to - 1]) {
    baseTo -= 1;
    to -= 1;
  }
  if (baseFrom === baseTo && from === to) return;
  const rest = { baseFrom, baseTo, from, to };
  if (baseFrom === baseTo || from === to) {
    hunks.push(rest);
    return;
  }
  const anchors = depth < DEEPEST ? uniqueInBoth(base, other, rest) : [];
  if (anchors.length === 0) {
    hunks.push(...(fewestChanges(base, other, rest) ?? [rest]));
    return;
  }
  for (const anchor of [...anchors, { at: baseTo, otherAt: to }]) {
    compare(base, other, { baseFrom, baseTo: anchor.at, from, to: anchor.otherAt }, depth + 1, hunks);
    baseFrom = anchor.at;
    from = anchor.otherAt;
  }
}

interface Anchor {
  at: number;
  otherAt: number;
}

/** Returns the longest sequence of tokens that occur once on each side and have the same order on both. */
function uniqueInBoth(base: Int32Array, other: Int32Array, { baseFrom, baseTo, from, to }: Range): Anchor[] {
  const here = placesOf(base, baseFrom, baseTo);
  const there = placesOf(other, from, to);
  const anchors: Anchor[] = [];
  for (const [token, at] of here) {
    const otherAt = there.get(token);
    if (at !== REPEATED && otherAt !== undefined && otherAt !== REPEATED) anchors.push({ at, otherAt });
  }
  anchors.sort((one, two) => one.at - two.at);
  return longestAscending(anchors);
}

const REPEATED = -1;

function placesOf(tokens: Int32Array, from: number, to: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let at = from; at < to; at += 1) {
    const token = tokens[at] as number;
    places.set(token, places.has(token) ? REPEATED : at);
  }
  return places;
}

/** Returns the longest increasing subsequence by `otherAt`. */
function longestAscending(anchors: readonly Anchor[]): Anchor[] {
  /** For each length, the index of the last anchor of an increasing subsequence: the one with the smallest `otherAt`. */
  const ends: number[] = [];
  const before = new Int32Array(anchors.length).fill(-1);
  for (const [index, { otherAt }] of anchors.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((anchors[ends[middle] as number] as Anchor).otherAt < otherAt) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = ends[low - 1] as number;
    ends[low] = index;
  }
  const longest: Anchor[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] as number) {
    longest.push(anchors[index] as Anchor);
  }
  return longest.reverse();
}

/** Returns the shortest edit script (Myers, greedy); null when it needs too many changes. */
function fewestChanges(base: Int32Array, other: Int32Array, range: Range): Hunk[] | null {
  const { baseFrom, from } = range;
  const rows = range.baseTo - baseFrom;
  const columns = range.to - from;
  const most = Math.min(rows + columns, MOST_DIFFERENCES);
  const center = most + 1;
  const reach = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let changes = 0; changes <= most; changes += 1) {
    trace.push(reach.slice(center - changes - 1, center + changes + 2));
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      const down = reach[center + diagonal + 1] as number;
      const right = (reach[center + diagonal - 1] as number) + 1;
      let row = diagonal === -changes || (diagonal !== changes && right <= down) ? down : right;
      let column = row - diagonal;
      while (row < rows && column < columns && base[baseFrom + row] === other[from + column]) {
        row += 1;
        column += 1;
      }
      reach[center + diagonal] = row;
      if (row >= rows && column >= columns) return hunksOf(trace, range);
    }
  }
  return null;
}

/** Follows the steps of `fewestChanges` back from the end. */
function hunksOf(trace: readonly Int32Array[], { baseFrom, baseTo, from, to }: Range): Hunk[] {
  const hunks: Hunk[] = [];
  let row = baseTo - baseFrom;
  let column = to - from;
  for (let changes = trace.length - 1; changes > 0; changes -= 1) {
    const reach = trace[changes] as Int32Array;
    const at = (diagonal: number) => reach[diagonal + changes + 1] as number;
    const diagonal = row - column;
    const isDown = diagonal === -changes || (diagonal !== changes && at(diagonal - 1) + 1 <= at(diagonal + 1));
    const rowBefore = isDown ? at(diagonal + 1) : at(diagonal - 1);
    const columnBefore = rowBefore - (isDown ? diagonal + 1 : diagonal - 1);
    const [rowAfter, columnAfter] = isDown ? [rowBefore, columnBefore + 1] : [rowBefore + 1, columnBefore];
    const last = hunks.at(-1);
    if (last !== undefined && last.baseFrom === baseFrom + rowAfter && last.from === from + columnAfter) {
      last.baseFrom = baseFrom + rowBefore;
      last.from = from + columnBefore;
    } else {
      hunks.push({
        baseFrom: baseFrom + rowBefore,
        baseTo: baseFrom + rowAfter,
        from: from + columnBefore,
        to: from + columnAfter,
      });
    }
    row = rowBefore;
    column = columnBefore;
  }
  return hunks.reverse();
}
