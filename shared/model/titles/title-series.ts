import { folded } from '../library-query/searched-text.ts';

/** The numbered titles of a collection, such as `Folge 11: Wind` and `Folge 12: Rain`. */
export interface TitleSeries {
  /** The text before the number in the last title. */
  before: string;
  /** The text between the number and what the titles call their subject; empty when they have none. */
  between: string;
  /** The highest number, and its minimum number of digits. */
  number: number;
  digits: number;
  /** The title with the highest number. */
  title: string;
  /** The number of titles. */
  titles: number;
}

interface Numbered {
  before: string;
  number: number;
  digits: number;
  /** The spaces and signs after the number. */
  between: string;
  subject: string;
}

interface Found {
  numbers: Set<number>;
  lowest: number;
  last: Numbered;
  title: string;
  titles: number;
  withSubject: number;
}

const FEWEST = 2;
/** Numbers that are spread more are no series, such as those of rooms. */
const MOST_SPREAD = 3;
const YEARS = { first: 1900, last: 2099 };
const MOST_DIGITS = 5;

/** Finds the series of a collection in its titles. */
export class SeriesFinder {
  readonly #found = new Map<string, Found>();

  add(title: string): void {
    const numbered = readNumbered(title);
    if (numbered === null) return;
    const key = folded(numbered.before);
    const { number } = numbered;
    const known = this.#found.get(key);
    const hasSubject = numbered.subject === '' ? 0 : 1;
    if (known === undefined) {
      const first = { numbers: new Set([number]), lowest: number, last: numbered, title, titles: 1 };
      this.#found.set(key, { ...first, withSubject: hasSubject });
      return;
    }
    known.numbers.add(number);
    known.lowest = Math.min(known.lowest, number);
    known.titles += 1;
    known.withSubject += hasSubject;
    if (number >= known.last.number) Object.assign(known, { last: numbered, title });
  }

  /** The series with the most numbers; null: the titles are not numbered. */
  result(): TitleSeries | null {
    let best: Found | null = null;
    for (const found of this.#found.values()) {
      const { size } = found.numbers;
      const isSeries = size >= FEWEST && found.last.number - found.lowest < size * MOST_SPREAD;
      if (isSeries && size > (best?.numbers.size ?? 0)) best = found;
    }
    if (best === null) return null;
    const { last, title, titles, withSubject } = best;
    const { before, number, digits, between } = last;
    const isAlone = withSubject * 2 < titles;
    return { before, number, digits, title, titles, between: isAlone ? '' : between || ' ' };
  }
}

/** Returns whether a title continues a series by itself: it has the text before the number, and a higher number. */
export function continuesAlone({ before, number }: TitleSeries, title: string): boolean {
  const numbered = readNumbered(title);
  return numbered !== null && folded(numbered.before) === folded(before) && numbered.number > number;
}

/**
 * Returns the title of the next recording but `ahead` (0: the next one). `subject`: its own title; a number of the same series in
 * it is replaced.
 */
export function continuedTitle(series: TitleSeries, ahead: number, subject: string): string {
  const { before, between, number, digits } = series;
  const next = `${before}${String(number + 1 + ahead).padStart(digits, '0')}`;
  const own = readNumbered(subject);
  const rest = own !== null && folded(own.before) === folded(before) ? own.subject : subject.trim();
  return between === '' || rest === '' ? next : `${next}${between}${rest}`;
}

/** Reads the first number of a title that counts: no year, date, time or part of a longer number. */
function readNumbered(title: string): Numbered | null {
  for (const match of title.matchAll(/\d+(?:[.,:/-]\d+)*/g)) {
    const [digits] = match;
    const number = Number(digits);
    if (digits.length > MOST_DIGITS || !Number.isInteger(number) || /\D/.test(digits)) continue;
    if (digits.length === 4 && number >= YEARS.first && number <= YEARS.last) continue;
    const before = title.slice(0, match.index);
    // A letter before or after it: `mp3`, `4K`.
    const after = title.slice(match.index + digits.length);
    if (/\p{L}$/u.test(before) || /^\p{L}/u.test(after)) continue;
    const [between = ''] = /^[^\p{L}\p{N}]*/u.exec(after) ?? [];
    return {
      before,
      number,
      digits: digits.startsWith('0') ? digits.length : 1,
      between,
      subject: after.slice(between.length).trim(),
    };
  }
  return null;
}
