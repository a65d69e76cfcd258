/** The first and the last day of a period, both included, as `2026-03-31`. */
export interface Period {
  first: string;
  last: string;
}

const DAYS = { yesterday: -1, today: 0, tomorrow: 1 } as const;
const UNITS = ['day', 'week', 'month', 'year'] as const;
type Unit = (typeof UNITS)[number];

/** `this-week`, `last-month`, `next-year`. */
const WHOLE = /^(last|this|next)-(week|month|year)$/;
/** `last-7-days`, `next-1-month`. */
const COUNTED = /^(last|next)-([1-9]\d{0,3})-(day|week|month|year)s?$/;

const PAST = [
  'today',
  'yesterday',
  'this-week',
  'last-week',
  'last-7-days',
  'this-month',
  'last-month',
  'last-30-days',
];
const FUTURE = ['tomorrow', 'next-week', 'next-7-days', 'next-month', 'next-30-days'];

/** Relative dates that are offered, the most useful ones first: of what has happened, and of what can also be planned. */
export const OFFERED_DATES = {
  past: [...PAST, 'this-year', 'last-year'],
  any: [...PAST.slice(0, 3), ...FUTURE, ...PAST.slice(3), 'this-year', 'last-year'],
};

/** Reads a relative date, in any letter case; returns it in its one written form, null for any other text. */
export function readRelative(text: string): string | null {
  const word = text.toLowerCase();
  if (Object.hasOwn(DAYS, word) || WHOLE.test(word)) return word;
  const [, side, count, unit] = COUNTED.exec(word) ?? [];
  return count === undefined ? null : `${side}-${count}-${unit}${count === '1' ? '' : 's'}`;
}

/**
 * Returns the days of a relative date that `readRelative` returned. Weeks begin on Monday. `last-7-days` are today and the six
 * days before it, `next-7-days` today and the six days after it. Throws for other texts.
 */
export function periodOf(relative: string, today: string): Period {
  if (Object.hasOwn(DAYS, relative)) {
    const day = addDays(today, DAYS[relative as keyof typeof DAYS]);
    return { first: day, last: day };
  }
  const [, side, name] = WHOLE.exec(relative) ?? [];
  if (name !== undefined) return wholePeriod(name as Unit, side === 'last' ? -1 : side === 'next' ? 1 : 0, today);
  const [, direction, count, unit] = COUNTED.exec(relative) ?? [];
  if (unit === undefined) throw new Error(`Not a relative date: ${relative}`);
  const isLast = direction === 'last';
  const far = add(today, unit as Unit, isLast ? -Number(count) : Number(count));
  return isLast ? { first: addDays(far, 1), last: today } : { first: today, last: addDays(far, -1) };
}

function wholePeriod(unit: Unit, by: number, today: string): Period {
  const [year, month] = partsOf(today);
  const first =
    unit === 'year'
      ? dayAt(year + by, 0, 1)
      : unit === 'month'
        ? dayAt(year, month + by, 1)
        : addDays(today, 7 * by - ((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7));
  return { first, last: addDays(add(first, unit, 1), -1) };
}

/** Adds days, weeks, months or years; a day that the month doesn't have becomes its last one. */
function add(day: string, unit: Unit, count: number): string {
  if (unit === 'day' || unit === 'week') return addDays(day, unit === 'week' ? 7 * count : count);
  const [year, month, date] = partsOf(day);
  const months = month + (unit === 'year' ? 12 * count : count);
  const lastDate = Number(dayAt(year, months + 1, 0).slice(8));
  return dayAt(year, months, Math.min(date, lastDate));
}

/** Returns the day that is a number of days after another one. */
export function addDays(day: string, days: number): string {
  const [year, month, date] = partsOf(day);
  return dayAt(year, month, date + days);
}

function partsOf(day: string): [year: number, month: number, date: number] {
  return [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10))];
}

const [FIRST_DAY, LAST_DAY] = ['1000-01-01', '9999-12-31'];

/**
 * Returns a day; `month` from 0, also of other years. Days beyond the first and the last year that a date can have are the first or the
 * last day.
 */
export function dayAt(year: number, month: number, date: number): string {
  const time = Date.UTC(year, month, date);
  if (!(time >= Date.parse(FIRST_DAY))) return FIRST_DAY;
  return time > Date.parse(LAST_DAY) ? LAST_DAY : new Date(time).toISOString().slice(0, 10);
}
