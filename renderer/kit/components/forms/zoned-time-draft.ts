import { localTimeIn, type ZonedTime, zonedTime } from '../../../../shared/model/zoned-time.ts';

/** A time as a user enters it. */
export interface ZonedTimeDraft {
  /** In the form of the input: `2026-11-22T08:00`. */
  local: string;
  timeZone: string;
  /** Which of two instants the user chose, when clocks change. */
  choice: 'earlier' | 'later' | null;
}

const HOUR_MS = 3_600_000;

/**
 * Returns the first full hour that is at least half an hour away, in epoch milliseconds: a start value for the field.
 */
export function nextFullHour(nowMs: number): number {
  return Math.ceil((nowMs + HOUR_MS / 2) / HOUR_MS) * HOUR_MS;
}

/** Returns the draft that shows an instant (epoch milliseconds). */
export function draftOfTime(epochMs: number, timeZone: string): ZonedTimeDraft {
  const local = localTimeIn(epochMs, timeZone);
  const meant = zonedTime(local, timeZone);
  if (meant?.kind !== 'twice') return { local, timeZone, choice: null };
  return { local, timeZone, choice: epochMs < meant.later ? 'earlier' : 'later' };
}

/** Returns the instant of a draft in epoch milliseconds; null when it is incomplete or has two meanings. */
export function instantOfDraft({ local, timeZone, choice }: ZonedTimeDraft): number | null {
  const meant = zonedTime(local, timeZone);
  if (meant === null) return null;
  if (meant.kind === 'one') return meant.at;
  return choice === null ? null : meant[choice];
}

/** Returns the two instants from which a user has to choose; null when the time has one meaning, or none. */
export function meaningsOfDraft({ local, timeZone }: ZonedTimeDraft): Exclude<ZonedTime, { kind: 'one' }> | null {
  const meant = zonedTime(local, timeZone);
  return meant === null || meant.kind === 'one' ? null : meant;
}
