import { parseAbsolute, parseDateTime, toCalendarDateTime, toZoned } from '@internationalized/date';

/**
 * The instants that a local time of a zone can mean, in epoch milliseconds.
 *
 * - `one`: the usual case.
 * - `twice`: clocks are set back, so that the time occurs twice.
 * - `skipped`: clocks are set forward, so that the time does not occur. `earlier` and `later` are the times that are as long
 *   before and after the change as the given time would be.
 */
export type ZonedTime =
  | { kind: 'one'; at: number }
  | { kind: 'twice'; earlier: number; later: number }
  | { kind: 'skipped'; earlier: number; later: number };

/** Finds the instants of a local time, `2026-10-25T02:30`, in a time zone. Returns null when it is not a valid time. */
export function zonedTime(local: string, timeZone: string): ZonedTime | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)) return null;
  const time = parsed(local);
  if (time === null) return null;
  const earlier = toZoned(time, timeZone, 'earlier').toDate().getTime();
  const later = toZoned(time, timeZone, 'later').toDate().getTime();
  if (earlier === later) return { kind: 'one', at: earlier };
  const kind = localTimeIn(later, timeZone) === local ? 'twice' : 'skipped';
  return { kind, earlier: Math.min(earlier, later), later: Math.max(earlier, later) };
}

/**
 * Returns the instant (epoch milliseconds) that a local time of a zone stands for: a time that clocks skip is as much later as clocks
 * are set forward, and of a time that occurs twice it is the first. null when it is not a valid time.
 */
export function instantOf(local: string, timeZone: string): { at: number; kind: ZonedTime['kind'] } | null {
  const time = zonedTime(local, timeZone);
  if (time === null) return null;
  const at = time.kind === 'one' ? time.at : time.kind === 'twice' ? time.earlier : time.later;
  return { at, kind: time.kind };
}

function parsed(local: string): ReturnType<typeof parseDateTime> | null {
  try {
    return parseDateTime(local);
  } catch {
    // The date package throws for days and hours that do not exist, such as 31 February.
    return null;
  }
}

/** Returns an instant (epoch milliseconds) as the local time of a zone: `2026-10-25T02:30`. */
export function localTimeIn(epochMs: number, timeZone: string): string {
  return toCalendarDateTime(parseAbsolute(new Date(epochMs).toISOString(), timeZone))
    .toString()
    .slice(0, 16);
}

/** Returns whether a time zone with this name exists. */
export function isTimeZone(name: string): boolean {
  try {
    // Throws for an unknown zone. The date package keeps a formatter for each zone, and creating one takes long.
    localTimeIn(0, name);
    return true;
  } catch {
    return false;
  }
}

/** Returns the offset of a zone at an instant: `UTC+2`, `UTC−3:30`, `UTC`. */
export function offsetText(epochMs: number, timeZone: string): string {
  const minutes = Math.round(parseAbsolute(new Date(epochMs).toISOString(), timeZone).offset / 60_000);
  if (minutes === 0) return 'UTC';
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`;
  return `UTC${minutes < 0 ? '−' : '+'}${Math.floor(size / 60)}${rest}`;
}

const DAY_MS = 86_400_000;
/** Offsets of zones at the beginnings of days (UTC) in milliseconds. Computing one takes 10 µs, and a table has many times. */
const dayOffsets = new Map<string, number>();
const MOST_DAY_OFFSETS = 10_000;

function offsetOnDay(day: number, timeZone: string): number {
  const key = `${day} ${timeZone}`;
  let offset = dayOffsets.get(key);
  if (offset === undefined) {
    offset = parseAbsolute(new Date(day * DAY_MS).toISOString(), timeZone).offset;
    if (dayOffsets.size >= MOST_DAY_OFFSETS) dayOffsets.clear();
    dayOffsets.set(key, offset);
  }
  return offset;
}

/**
 * Returns the offset of a zone at an instant in milliseconds when it is the same from the day before to the day after: then local
 * times near the instant occur exactly once. Returns null when it changes there, or has seconds, as that of some zones long ago.
 */
export function steadyOffset(epochMs: number, timeZone: string): number | null {
  const day = Math.floor(epochMs / DAY_MS);
  const offset = offsetOnDay(day, timeZone);
  const isSteady = [day - 1, day + 1, day + 2].every((each) => offsetOnDay(each, timeZone) === offset);
  return isSteady && offset % 60_000 === 0 ? offset : null;
}
