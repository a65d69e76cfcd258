import type { Settings, TimetableWindow } from '../contract/settings.ts';

/** The active limit at an instant, and when it changes. */
export interface ActiveLimit {
  /** null: no limit; 0: nothing is sent. */
  bytesPerSecond: number | null;
  /** The time of the next change, epoch milliseconds; null: never. */
  until: number | null;
}

/** The timetable repeats weekly. The checked spans extend beyond one week, so that none is truncated. */
const WEEK_MS = 7 * 24 * 60 * 60_000;
const DAYS_AHEAD = 9;

/**
 * Returns the bandwidth limit at `now` by the local clock of this computer: the limit of the strictest active window,
 * otherwise the general limit.
 */
export function activeLimit(
  { limitBytesPerSecond, timetable }: Pick<Settings, 'limitBytesPerSecond' | 'timetable'>,
  now: number,
): ActiveLimit {
  const spans = timetable.flatMap((window) => spansOf(window, now));
  const limitAt = (instant: number): number | null => {
    const holding = spans.filter(({ from, to }) => from <= instant && instant < to);
    const [first, ...others] = holding.map(({ limit }) => limit);
    return first === undefined ? limitBytesPerSecond : others.reduce(stricter, first);
  };
  const bytesPerSecond = limitAt(now);
  const bounds = spans.flatMap(({ from, to }) => [from, to]).filter((bound) => bound > now && bound <= now + WEEK_MS);
  const until = bounds.sort((a, b) => a - b).find((bound) => limitAt(bound) !== bytesPerSecond) ?? null;
  return { bytesPerSecond, until };
}

function stricter(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

interface Span {
  from: number;
  to: number;
  limit: number | null;
}

/** Returns the spans of the window as instants, from yesterday (a span can begin before midnight) to a week ahead. */
function spansOf({ days, from, to, limitBytesPerSecond }: TimetableWindow, now: number): Span[] {
  const today = new Date(now);
  const spans: Span[] = [];
  for (let offset = -1; offset <= DAYS_AHEAD; offset += 1) {
    const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() + offset, 12);
    if (!days.includes(day.getDay())) continue;
    const span = { from: instantOf(day, 0, from), to: instantOf(day, to > from ? 0 : 1, to) };
    if (span.to > span.from) spans.push({ ...span, limit: limitBytesPerSecond });
  }
  return spans;
}

const MINUTE_MS = 60_000;

/**
 * Returns the first instant of that day at which the local clock shows `time` or later. If the clock is set forward
 * past `time`, this is the moment of the change; if `time` occurs twice, its first occurrence.
 */
function instantOf(day: Date, daysLater: number, time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const at = new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater, hour, minute);
  if (at.getHours() === hour && at.getMinutes() === minute) return at.getTime();
  // The clock skips this time on that day, so `at` is too late by the length of the skip: use the moment of the change.
  let instant = at.getTime();
  const offset = at.getTimezoneOffset();
  while (new Date(instant - MINUTE_MS).getTimezoneOffset() === offset) instant -= MINUTE_MS;
  return instant;
}
