import { formatSpeed } from './format.ts';
import { texts } from './texts.ts';

/** The units of speeds: bytes as in file managers, bits as in network contracts. */
export const LIMIT_UNITS = [
  { id: 'mb', label: 'MB/s', bytes: 1_000_000 },
  { id: 'kb', label: 'kB/s', bytes: 1_000 },
  { id: 'mbit', label: 'Mbit/s', bytes: 125_000 },
] as const;

export type LimitUnit = (typeof LIMIT_UNITS)[number]['id'];

/** The lowest limit that the engine accepts. */
const SLOWEST = 1024;
const FASTEST = 100_000_000_000;

const bytesOf = (unit: LimitUnit) => LIMIT_UNITS.find(({ id }) => id === unit)?.bytes ?? 1;

/** Returns the unit in which a limit is the shortest number. */
export function unitFor(bytesPerSecond: number): LimitUnit {
  if (bytesPerSecond % 10_000 === 0 && bytesPerSecond >= 1_000_000) return 'mb';
  if (bytesPerSecond % 125_000 === 0) return 'mbit';
  return bytesPerSecond >= 1_000_000 ? 'mb' : 'kb';
}

/** Returns a limit as the number of a field: `2.5`. */
export function limitNumber(bytesPerSecond: number, unit: LimitUnit): string {
  return String(Number((bytesPerSecond / bytesOf(unit)).toFixed(3)));
}

/** Parses typed text to bytes per second; returns a sentence about the problem when the text is no limit. */
export function readLimit(text: string, unit: LimitUnit): number | { problem: string } {
  const value = Number(text.trim().replace(',', '.'));
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) {
    return { problem: texts.limit.notANumber };
  }
  const bytes = Math.round(value * bytesOf(unit));
  if (bytes < SLOWEST) return { problem: texts.limit.tooSlow };
  if (bytes > FASTEST) return { problem: texts.limit.tooFast };
  return bytes;
}

/**
 * Parses typed text that replaces a limit; returns null when the text is unchanged. A limit can be more exact than the shown
 * number, so parsing an unchanged number would change the limit.
 */
export function changedLimit(text: string, value: number, unit: LimitUnit): number | null | { problem: string } {
  if (text === limitNumber(value, unit)) return null;
  const read = readLimit(text, unit);
  return read === value ? null : read;
}

/** Returns a limit as text: `no limit`, `nothing is sent`, `2.5 MB/s (20 Mbit/s)`. */
export function limitWords(bytesPerSecond: number | null): string {
  if (bytesPerSecond === null) return texts.limit.none;
  if (bytesPerSecond === 0) return texts.limit.nothing;
  const speed = formatSpeed(bytesPerSecond);
  return bytesPerSecond < 125_000 ? speed : texts.limit.inBits(speed, limitNumber(bytesPerSecond, 'mbit'));
}
