/** How times of day are shown: `2:02 PM` or `14:02`. */
export type HourCycle = 'h12' | 'h23';

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
export const MONTH_NAMES = [
  ...(['January', 'February', 'March', 'April', 'May', 'June'] as const),
  ...(['July', 'August', 'September', 'October', 'November', 'December'] as const),
] as const;

const two = (value: number): string => String(value).padStart(2, '0');

/** A time of day: `14:02` or `2:02 PM`. Hours are 0 to 23; 24 is the end of the day, `24:00` or `12:00 AM`. */
export function timeOfDayText(hours: number, minutes: number, cycle: HourCycle): string {
  if (cycle === 'h23') return `${two(hours)}:${two(minutes)}`;
  return `${hours % 12 === 0 ? 12 : hours % 12}:${two(minutes)} ${hours % 24 < 12 ? 'AM' : 'PM'}`;
}

/** The parts of a date that are shown, in any time zone. `month` is 1 to 12. */
export interface DateParts {
  year: number;
  month: number;
  day: number;
  hours: number;
  minutes: number;
}

/** `19 Nov 2026`. */
export function dayText({ day, month, year }: Pick<DateParts, 'day' | 'month' | 'year'>): string {
  return `${day} ${MONTHS[month - 1]} ${year}`;
}

/** Returns `19 Nov 2026, 14:02` or `19 Nov 2026, 2:02 PM`: the only form of a date with a time. */
export function dateTimeText(parts: DateParts, cycle: HourCycle): string {
  return `${dayText(parts)}, ${timeOfDayText(parts.hours, parts.minutes, cycle)}`;
}

/** Returns the parts of an instant in a time zone, such as `Europe/Vienna` or `UTC`. */
export function zonedParts(instant: Date, timeZone: string): DateParts {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const values = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const partOf = (type: Intl.DateTimeFormatPartTypes) => values.get(type) ?? 0;
  return {
    year: partOf('year'),
    month: partOf('month'),
    day: partOf('day'),
    hours: partOf('hour'),
    minutes: partOf('minute'),
  };
}

/** Returns the parts of an instant in the time zone of this computer. */
export function localParts(instant: Date): DateParts {
  return {
    year: instant.getFullYear(),
    month: instant.getMonth() + 1,
    day: instant.getDate(),
    hours: instant.getHours(),
    minutes: instant.getMinutes(),
  };
}

/** Returns the parts of an instant in UTC. Much faster than `zonedParts`, for the rows of long lists. */
export function utcParts(instant: Date): DateParts {
  return {
    year: instant.getUTCFullYear(),
    month: instant.getUTCMonth() + 1,
    day: instant.getUTCDate(),
    hours: instant.getUTCHours(),
    minutes: instant.getUTCMinutes(),
  };
}
