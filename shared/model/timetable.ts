import type { Settings, TimetableWindow } from '../contract/settings.ts';

/** What holds at an instant, and until when. */
export interface LimitInForce {
  /** null: no limit; 0: nothing is sent. */
  bytesPerSecond: number | null;
  /** When it changes next, epoch milliseconds; null: never. */
  until: number | null;
}

/** A week tells everything; the spans that are looked at reach beyond it, so that none of them is cut off in it. */
const WEEK_MS = 7 * 24 * 60 * 60_000;
const DAYS_AHEAD = 9;

/**
 * The bandwidth limit at `now` by the local clock of this computer: that of the strictest window that holds, otherwise
 * the general one.
 */
export function limitInForce(
  { limitBytesPerSecond, timetable }: Pick<Settings, 'limitBytesPerSecond' | 'timetable'>,
  now: number,
): LimitInForce {
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

/** The window's spans from yesterday (it may have begun before midnight) to a week ahead, as instants. */
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
 * The first instant at which the clock on the wall shows `time` or more on that day. Where the clock is put forward over
 * it, that is the moment when it is; where the time comes twice, its first coming.
 */
function instantOf(day: Date, daysLater: number, time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const at = new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater, hour, minute);
  if (at.getHours() === hour && at.getMinutes() === minute) return at.getTime();
  // The asked time does not exist, and `at` is as much later as the clock was put forward: back to that moment.
  let instant = at.getTime();
  const offset = at.getTimezoneOffset();
  while (new Date(instant - MINUTE_MS).getTimezoneOffset() === offset) instant -= MINUTE_MS;
  return instant;
}
