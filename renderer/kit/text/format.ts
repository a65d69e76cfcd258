import {
  dateTimeText,
  dayText,
  type HourCycle,
  localParts,
  MONTH_NAMES,
  MONTHS,
  timeOfDayText,
  utcParts,
  zonedParts,
} from '../../../shared/model/date-time.ts';

const KILO = 1000;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Returns a number of bytes such as `1.4 GB`: decimal units as in file managers and networks, at most three digits. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= KILO;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  const text = value.toFixed(digits);
  return `${digits > 0 ? Number(text) : text} ${UNITS[unit]}`;
}

export function formatSpeed(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** `1,204`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `1 file`, `2 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** The duration of media: `48:12`, `1:02:03`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** A remaining time, rounded: `40 s`, `4 min`, `1 h 20 min`, `2 days`. */
export function formatWait(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return counted(Math.round(hours / 24), 'day');
}

/** Returns a share in whole per cent; 100 only when no part is missing. */
export function percent(part: number, whole: number): number {
  if (whole <= 0) return 0;
  return part >= whole ? 100 : Math.min(99, Math.max(0, Math.floor((part / whole) * 100)));
}

/** The format of hours in all times of day. The start of the app sets it to the format of the system. */
let hourCycle: HourCycle = 'h23';

export function setHourCycle(cycle: HourCycle): void {
  hourCycle = cycle;
}

/** Returns the number of hours on the clock of fields for a time of day, the same as in texts. */
export function fieldHourCycle(): 12 | 24 {
  return hourCycle === 'h12' ? 12 : 24;
}

/** Returns a time of day such as `14:02` or `2:02 PM`, in the format of the system. */
export function formatTimeOfDay(hours: number, minutes: number): string {
  return timeOfDayText(hours, minutes, hourCycle);
}

/** The local time of day of an instant. */
export function formatClock(instant: Date): string {
  return formatTimeOfDay(instant.getHours(), instant.getMinutes());
}

/** Returns a date for lists: `14:02` today, `19 Nov` this year, `19 Nov 2024` for earlier years. */
export function formatListDate(iso: string, nowMs: number): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const now = new Date(nowMs);
  if (date.toDateString() === now.toDateString()) return formatClock(date);
  const { day, month, year } = localParts(date);
  return year === now.getFullYear() ? `${day} ${MONTHS[month - 1]}` : dayText({ day, month, year });
}

/** A month such as `2026-11` as `November 2026`. */
export function formatMonth(month: string): string {
  const [year, number] = month.split('-');
  return `${MONTH_NAMES[Number(number) - 1] ?? ''} ${year}`;
}

/** Returns a day, a month or a year without a time: `19 Nov 2026` for `2026-11-19`, `November 2026` for `2026-11`, `2026`. */
export function formatDay(date: string): string {
  const [year = '', month, day] = date.split('-');
  if (month === undefined) return year;
  return day === undefined
    ? formatMonth(date)
    : dayText({ day: Number(day), month: Number(month), year: Number(year) });
}

/** `19 Nov 2026, 14:02`, in the local zone. */
export function formatDateTime(iso: string | number): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : dateTimeText(localParts(date), hourCycle);
}

/** An instant in UTC, for tooltips: `19 Nov 2026, 13:02 UTC`. */
export function formatUtc(iso: string | number): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : `${dateTimeText(utcParts(date), hourCycle)} UTC`;
}

/** Returns an instant as the local time of a time zone: `19 Nov 2026, 14:02`. */
export function formatInZone(epochMs: number, timeZone: string): string {
  return dateTimeText(zonedParts(new Date(epochMs), timeZone), hourCycle);
}
