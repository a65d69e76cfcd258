import { UsageError } from './usage-error.ts';

/** The end of a pause: an instant, the next time that a clock shows a time, or a span. */
export type Until = { kind: 'at'; epochMs: number } | { kind: 'clock'; time: string } | { kind: 'in'; ms: number };

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Reads `18:00` (the next time that a clock shows it), `90m`, `2h`, `1d`, or a day with a time, local unless it has a zone.
 * Throws `UsageError`.
 */
export function readUntil(value: string): Until {
  const span = /^(\d{1,4})([mhd])$/.exec(value);
  if (span) return { kind: 'in', ms: Number(span[1]) * UNITS_MS[span[2] as keyof typeof UNITS_MS] };
  if (/^([01]?\d|2[0-3]):[0-5]\d$/.test(value)) return { kind: 'clock', time: value.padStart(5, '0') };
  const epochMs = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(epochMs)) return { kind: 'at', epochMs };
  throw new UsageError(`Invalid value for --until: ${value}. Use a time such as 18:00, 90m, 2h or 2027-03-01T09:00.`);
}

/** Returns the instant in epoch milliseconds. */
export function untilInstant(until: Until, now: number): number {
  if (until.kind === 'at') return until.epochMs;
  if (until.kind === 'in') return now + until.ms;
  const [hour = 0, minute = 0] = until.time.split(':').map(Number);
  const at = new Date(now);
  at.setHours(hour, minute, 0, 0);
  if (at.getTime() <= now) at.setDate(at.getDate() + 1);
  return at.getTime();
}
