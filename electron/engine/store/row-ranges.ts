/**
 * Returns the numbers of `json_group_array(…) AS numbers`: they are read as one value, because reading a hundred thousand rows
 * takes much longer than the query.
 */
export function numbersIn(row: Record<string, unknown> | undefined): number[] {
  return JSON.parse(String(row?.numbers ?? '[]')) as number[];
}

/** Returns ascending numbers as the first and last of each run: rows that were added together are mostly consecutive. */
export function toRanges(numbers: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

/** Far more rows than one command can name: a larger number means that the row was damaged. */
const MOST_NUMBERS = 10_000_000;

/** Parses the text of `toRanges`; null for any other text. */
export function fromRanges(text: string): number[] | null {
  let ranges: unknown;
  try {
    ranges = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(ranges)) return null;
  const numbers: number[] = [];
  for (const range of ranges as unknown[]) {
    const [first, last] = Array.isArray(range) ? (range as unknown[]) : [];
    if (!isNumber(first) || !isNumber(last) || last - first + numbers.length > MOST_NUMBERS) return null;
    if (first <= (numbers.at(-1) ?? 0) || last < first) return null;
    for (let number = first; number <= last; number += 1) numbers.push(number);
  }
  return numbers;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
