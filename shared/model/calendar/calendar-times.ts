import { instantOf, localTimeIn, zonedTime } from '../zoned-time.ts';
import { dayBy, LAST_DAY } from './calendar-days.ts';

const MINUTE_MS = 60_000;
const HOURS = 24;

/** Returns the first instant (epoch milliseconds) at which a zone has a local time of a day, or a later one. */
function firstInstant(local: string, timeZone: string): number {
  const time = zonedTime(local, timeZone);
  if (time === null) throw new Error(`Not a local time: ${local}`);
  if (time.kind === 'one') return time.at;
  if (time.kind === 'twice') {
    // Clocks that are set back over midnight show the end of the day before once more.
    const isAgain = localTimeIn(time.later - MINUTE_MS, timeZone) < local;
    return isAgain ? time.later : time.earlier;
  }
  // The times between do not exist: the first one after the gap.
  let [before, after] = [time.earlier - MINUTE_MS, time.later];
  while (after - before > MINUTE_MS) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (localTimeIn(middle, timeZone) < local) before = middle;
    else after = middle;
  }
  return after;
}

/** Returns the instant (epoch milliseconds) at which a day begins in a zone. It is midnight unless clocks change there. */
export function startOfDay(day: string, timeZone: string): number {
  return firstInstant(`${day}T00:00`, timeZone);
}

/** Returns the instant at which a day ends: the beginning of the next one. */
export function endOfDay(day: string, timeZone: string): number {
  if (day < LAST_DAY) return startOfDay(dayBy(day, 1), timeZone);
  return firstInstant(`${day}T23:59`, timeZone) + MINUTE_MS;
}

/**
 * Returns the instants at which the 24 hours of a day begin, and the end of the day: 25 instants. An hour that does not exist has no
 * length, one that occurs twice is twice as long.
 */
export function hoursOfDay(day: string, timeZone: string): number[] {
  const starts = Array.from({ length: HOURS }, (_, hour) => startOfHour(day, hour, timeZone));
  const ends = [...starts, endOfDay(day, timeZone)];
  // Where clocks change within an hour, the later instant counts, so that no hour ends before it begins.
  for (let index = 1; index < ends.length; index += 1) ends[index] = Math.max(ends[index] ?? 0, ends[index - 1] ?? 0);
  return ends;
}

function startOfHour(day: string, hour: number, timeZone: string): number {
  return firstInstant(`${day}T${String(hour).padStart(2, '0')}:00`, timeZone);
}

/** Returns the local day and time of an instant in a zone: `2026-05-05`, `09:00`. */
export function localDayAndTime(epochMs: number, timeZone: string): { day: string; time: string } {
  const local = localTimeIn(epochMs, timeZone);
  return { day: local.slice(0, 10), time: local.slice(11, 16) };
}

/** A local time on another day, as an instant. */
export interface MovedTime {
  /** Epoch milliseconds. */
  at: number;
  /** The wanted time, `02:30`, if clocks skip it on that day: the instant is as much later as clocks are set forward. Else null. */
  skipped: string | null;
}

/**
 * Returns a local time, `09:30`, on a day of a zone. A time that clocks skip is moved forward; of a time that occurs twice, the first
 * one is used. `pastMinute`: milliseconds of the minute that have passed.
 */
export function timeOnDay(day: string, time: string, timeZone: string, pastMinute = 0): MovedTime {
  const found = instantOf(`${day}T${time}`, timeZone);
  if (found === null) throw new Error(`Not a local time: ${day}T${time}`);
  return { at: found.at + pastMinute, skipped: found.kind === 'skipped' ? time : null };
}

/**
 * Returns an instant moved to another day, with the same local time of day. `hour`: moves it to that hour of the day (0 to 23), with the
 * same minutes.
 */
export function movedTo(epochMs: number, day: string, timeZone: string, hour: number | null = null): MovedTime {
  const { time } = localDayAndTime(epochMs, timeZone);
  const wanted = hour === null ? time : `${String(hour).padStart(2, '0')}:${time.slice(3)}`;
  return timeOnDay(day, wanted, timeZone, ((epochMs % MINUTE_MS) + MINUTE_MS) % MINUTE_MS);
}

/** The hour of the day that a draft without a date gets. */
const FIRST_HOUR = 9;

/**
 * Returns the time at which a draft without a date is published on a day: 09:00; on the present day the next full hour, if that is
 * later. `hour`: another hour of that day.
 */
export function draftTimeOn(day: string, timeZone: string, nowMs: number, hour: number | null = null): MovedTime {
  const wanted = timeOnDay(day, `${String(hour ?? FIRST_HOUR).padStart(2, '0')}:00`, timeZone);
  const today = localDayAndTime(nowMs, timeZone);
  if (hour !== null || wanted.at > nowMs || today.day !== day) return wanted;
  const nextHour = Number(today.time.slice(0, 2)) + 1;
  return nextHour < HOURS ? timeOnDay(day, `${String(nextHour).padStart(2, '0')}:00`, timeZone) : wanted;
}
