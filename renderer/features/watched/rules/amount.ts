import { texts } from '../texts.ts';

export interface Unit {
  id: string;
  label: string;
  /** How many base units it has. */
  factor: number;
}

const MINUTE_MS = 60_000;
export const TIME_UNITS: readonly Unit[] = [
  { id: 'min', label: texts.units.min, factor: MINUTE_MS },
  { id: 'h', label: texts.units.h, factor: 60 * MINUTE_MS },
  { id: 'days', label: texts.units.days, factor: 24 * 60 * MINUTE_MS },
];
export const SIZE_UNITS: readonly Unit[] = [
  { id: 'kB', label: texts.units.kB, factor: 1e3 },
  { id: 'MB', label: texts.units.MB, factor: 1e6 },
  { id: 'GB', label: texts.units.GB, factor: 1e9 },
];

/** Returns the largest unit in which a value is a whole number, otherwise the smallest; for 0, `start`. */
export function unitOf(value: number, units: readonly Unit[], start: Unit): Unit {
  if (value === 0) return start;
  return units.findLast(({ factor }) => value % factor === 0) ?? units[0] ?? start;
}

/** Returns a value as text in a unit: `1.5`; empty for 0. */
export function amountText(value: number, { factor }: Unit): string {
  return value === 0 ? '' : String(Math.round((value / factor) * 1000) / 1000);
}

/** Parses typed text: a number with a point or a comma; an empty text is 0. Returns null for text that is no amount. */
export function readAmount(text: string, { factor }: Unit): number | null {
  const typed = text.trim().replace(',', '.');
  if (typed === '') return 0;
  const number = Number(typed);
  if (!/^\d*(?:\.\d*)?$/.test(typed) || !Number.isFinite(number)) return null;
  return Math.round(number * factor);
}
