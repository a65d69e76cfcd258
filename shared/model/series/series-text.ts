import type { Series, SeriesNote } from '../../contract/series.ts';
import { dayText } from '../date-time.ts';
import { dayNumberOf } from './calendar.ts';
import { MOST_SKIPPED_DAYS } from './series-limits.ts';
import type { SeriesProblem } from './series-times.ts';

/** A list of days that was read, without repetitions and in order; or the first line that is no day, or how many days it has. */
export type ReadDays =
  | { days: string[] }
  | { problem: { kind: 'no-day'; line: number; text: string } | { kind: 'too-many'; count: number } };

/** Reads days, `2027-12-25`, one a line or separated by commas. Empty lines are ignored. */
export function readSkippedDays(text: string): ReadDays {
  const days = new Set<string>();
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    for (const part of line.split(',')) {
      const day = part.trim();
      if (day === '') continue;
      if (dayNumberOf(day) === null) return { problem: { kind: 'no-day', line: index + 1, text: shortened(day) } };
      days.add(day);
    }
  }
  if (days.size > MOST_SKIPPED_DAYS) return { problem: { kind: 'too-many', count: days.size } };
  return { days: [...days].sort() };
}

const LONGEST_QUOTE = 40;

function shortened(text: string): string {
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE)}…`;
}

/** Returns `25 Dec 2027` for `2027-12-25`. */
function shownDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return dayText({ year, month, day: date });
}

/** Returns the sentence about what is special about a time of a series. */
export function seriesNoteText(note: SeriesNote): string {
  switch (note.kind) {
    case 'forward':
      return `Clocks are set forward that day, so ${note.wanted} doesn’t occur: the time is later.`;
    case 'twice':
      return 'Clocks are set back that day, so this time occurs twice: the first one is used.';
    case 'short':
      return `This month has no day ${note.wanted}: its last day is used.`;
    case 'start':
      return `${shownDay(note.wanted)} isn’t one of the chosen days of the week: the series starts on the next one.`;
    case 'skipped':
      return note.count === 1
        ? `${shownDay(note.from)} is a day without publication and was skipped.`
        : `${note.count} days without publication were skipped, ${shownDay(note.from)} to ${shownDay(note.to)}.`;
    case 'absent':
      return `The time zone has no ${shownDay(note.wanted)}: that day was left out.`;
    case 'past':
      return 'This time has passed: the library would publish the item at once.';
  }
}

/** Returns the sentence about why a series has no times. */
export function seriesProblemText(
  problem: SeriesProblem,
  { first, timeZone }: Pick<Series, 'first' | 'timeZone'>,
): string {
  switch (problem.kind) {
    case 'first':
      return `The series needs a first date and time; “${first.replace('T', ' ')}” isn’t one.`;
    case 'zone':
      return `Unknown time zone: ${timeZone}.`;
    case 'no-day':
      return `Every date in the ten years from ${shownDay(problem.from)} is a day without publication.`;
    case 'end':
      return 'The series goes beyond the year 9999.';
  }
}
