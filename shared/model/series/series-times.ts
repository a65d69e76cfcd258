import type { Series, SeriesInterval, SeriesNote } from '../../contract/series.ts';
import { instantOf, isTimeZone, localTimeIn } from '../zoned-time.ts';
import {
  type DayNumber,
  dayNumberOf,
  dayOfMonth,
  dayTextOf,
  LAST_DAY_NUMBER,
  monthsLater,
  weekdayOfNumber,
} from './calendar.ts';

/** One publish time of a series, epoch milliseconds, and what is special about it. */
export interface SeriesTime {
  at: number;
  notes: readonly SeriesNote[];
}

/**
 * Why a series has no times:
 *
 * - `first`  the first date and time is incomplete or does not exist in the calendar
 * - `zone`   the time zone is unknown
 * - `no-day` every date in the ten years from `from` (`YYYY-MM-DD`) is a day without publication
 * - `end`    the calendar of the library ends before all items have a time
 */
export type SeriesProblem = { kind: 'first' | 'zone' | 'end' } | { kind: 'no-day'; from: string };

export type SeriesTimes = { times: readonly SeriesTime[] } | { problem: SeriesProblem };

/** So many skipped days in a row end the search for a date: ten years. */
const MOST_DAYS_SKIPPED = 3653;

/**
 * Returns the publish times of so many items, in their order. Dates without publication are left out; the following items then
 * come later. A time that clocks skip is moved forward by as much as the clocks are; of a time that occurs twice it is the first.
 * Takes time in proportion to `count` and to the length of the list of skipped days. `nowMs`: times before it get the note `past`.
 */
export function seriesTimes({ first, timeZone, interval, skipped }: Series, count: number, nowMs: number): SeriesTimes {
  if (!isTimeZone(timeZone)) return { problem: { kind: 'zone' } };
  const [firstDay = '', time = ''] = first.split('T');
  const start = dayNumberOf(firstDay);
  if (start === null || instantOf(first, timeZone) === null) return { problem: { kind: 'first' } };
  const free = freeDay(new Set(skipped));
  const dates = datesOf(start, interval);
  const times: SeriesTime[] = [];
  let left: DayNumber[] = [];
  let absent: SeriesNote[] = [];
  while (times.length < count) {
    const { day, notes } = dates.next().value;
    if (day > LAST_DAY_NUMBER) return { problem: { kind: 'end' } };
    if (!free(day)) {
      left.push(day);
      const [from = day] = left;
      if (day - from >= MOST_DAYS_SKIPPED) return { problem: { kind: 'no-day', from: dayTextOf(from) } };
      continue;
    }
    const at = timeOn(day, time, timeZone);
    if (at === null) {
      absent.push({ kind: 'absent', wanted: dayTextOf(day) });
      continue;
    }
    const past: SeriesNote[] = at.at < nowMs ? [{ kind: 'past' }] : [];
    times.push({ at: at.at, notes: [...skippedNote(left), ...absent, ...notes, ...at.notes, ...past] });
    left = [];
    absent = [];
  }
  return { times };
}

function freeDay(skipped: ReadonlySet<string>): (day: DayNumber) => boolean {
  return (day) => !skipped.has(dayTextOf(day));
}

function skippedNote(left: readonly DayNumber[]): SeriesNote[] {
  const [from] = left;
  const to = left.at(-1);
  if (from === undefined || to === undefined) return [];
  return [{ kind: 'skipped', count: left.length, from: dayTextOf(from), to: dayTextOf(to) }];
}

/** Returns the time of day on a day; null when the zone leaves out the whole day, as at the date line. */
function timeOn(day: DayNumber, time: string, timeZone: string): SeriesTime | null {
  const text = dayTextOf(day);
  const meant = instantOf(`${text}T${time}`, timeZone);
  if (meant === null) return null;
  const { at, kind } = meant;
  if (kind === 'one') return { at, notes: [] };
  if (kind === 'twice') return { at, notes: [{ kind: 'twice' }] };
  if (!localTimeIn(at, timeZone).startsWith(text)) return null;
  return { at, notes: [{ kind: 'forward', wanted: time }] };
}

interface SeriesDate {
  day: DayNumber;
  notes: readonly SeriesNote[];
}

/** The dates of an interval without end. Each is computed from the first, so that a short month does not change later ones. */
function* datesOf(start: DayNumber, interval: SeriesInterval): Generator<SeriesDate, never> {
  if (interval.unit === 'weekdays') return yield* weekdayDates(start, new Set(interval.days));
  for (let index = 0; ; index += 1) {
    const steps = index * interval.count;
    if (interval.unit === 'day') yield { day: start + steps, notes: [] };
    else if (interval.unit === 'week') yield { day: start + 7 * steps, notes: [] };
    else {
      const day = monthsLater(start, steps);
      const wanted = dayOfMonth(start);
      yield { day, notes: dayOfMonth(day) === wanted ? [] : [{ kind: 'short', wanted }] };
    }
  }
}

function* weekdayDates(start: DayNumber, days: ReadonlySet<number>): Generator<SeriesDate, never> {
  let notes: readonly SeriesNote[] = days.has(weekdayOfNumber(start))
    ? []
    : [{ kind: 'start', wanted: dayTextOf(start) }];
  for (let day = start; ; day += 1) {
    if (!days.has(weekdayOfNumber(day))) continue;
    yield { day, notes };
    notes = [];
  }
}
