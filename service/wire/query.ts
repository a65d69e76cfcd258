import { invalid, type RefusedField } from './problem.ts';

/** The query parameters of a request; of a repeated parameter, the last value. */
export type Query = Readonly<Record<string, string | undefined>>;

export function queryOf(raw: unknown): Query {
  const query: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries((raw ?? {}) as Record<string, string | string[]>)) {
    query[name] = Array.isArray(value) ? value.at(-1) : value;
  }
  return query;
}

/** Parses an identifier as the service writes it: a positive decimal without sign or leading zero. */
export function parseId(text: string | undefined | null): number | undefined {
  if (!text || !/^[1-9]\d{0,14}$/.test(text)) return undefined;
  return Number(text);
}

/** Reads a query parameter; undefined when it is absent or empty. Throws 422 with `rule` when it is invalid. */
export function param<T>(
  query: Query,
  name: string,
  read: (text: string) => T | undefined,
  rule: string,
): T | undefined {
  const text = query[name];
  if (text === undefined || text === '') return undefined;
  const value = read(text);
  if (value === undefined) throw invalid([{ field: name, message: rule }]);
  return value;
}

export function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

export function oneOf<const K extends readonly string[]>(words: K): (text: string) => K[number] | undefined {
  return (text) => words.find((word) => word === text);
}

export function zeroOrOne(text: string): boolean | undefined {
  if (text === '1' || text === 'true') return true;
  return text === '0' || text === 'false' ? false : undefined;
}

/** Returns the state of a switch such as `omit_empty`: its name alone switches it on. Throws 422 for other values than 1, 0, true and false. */
export function flag(query: Query, name: string): boolean {
  return query[name] === '' || (param(query, name, zeroOrOne, 'must be 0 or 1') ?? false);
}

/** Returns comma-separated ids. Invalid ids are dropped, because no row has them. */
export function idList(text: string): number[] {
  return text.split(',').flatMap((part) => parseId(part.trim()) ?? []);
}

export function joinsOf(query: Query, known: readonly string[]): ReadonlySet<string> {
  const asked = (query.joins ?? '').split(',').map((part) => part.trim());
  return new Set(asked.filter((name) => known.includes(name)));
}

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/** Parses an ISO-8601 instant into epoch seconds; UTC without a zone. Returns undefined when it is invalid. */
export function parseInstant(text: string): number | undefined {
  const match = INSTANT.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z'] = match;
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const date = new Date(ms);
  const same =
    date.getUTCFullYear() === Number(year) &&
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day);
  if (!same || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = offsetOf(zone);
  const seconds = ms / 1000 - (offset ?? 0);
  return offset === undefined || seconds < FIRST_INSTANT || seconds > LAST_INSTANT ? undefined : seconds;
}

/** Limits of the instants that can be written with a year of four digits. */
const FIRST_INSTANT = Date.UTC(1000, 0) / 1000;
const LAST_INSTANT = Date.UTC(10_000, 0) / 1000 - 1;

/** Seconds by which a zone is ahead of UTC. */
function offsetOf(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}

const DAY_S = 86_400;
const MAX_DAYS = 10_000;
const days = new Map<number, string>();

/** Formats epoch seconds as the API does. Dates are cached, because a list has hundreds of instants. */
export function timestamp(seconds: number | null): string | null {
  if (seconds === null) return null;
  const day = Math.floor(seconds / DAY_S);
  let date = days.get(day);
  if (date === undefined) {
    if (days.size >= MAX_DAYS) days.clear();
    date = new Date(day * DAY_S * 1000).toISOString().slice(0, 10);
    days.set(day, date);
  }
  return `${date}T${hms(seconds - day * DAY_S)}Z`;
}

/** Formats seconds as HH:MM:SS; hours may have more than two digits. */
export function hms(seconds: number): string {
  return `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** Throws 422 if there are any problems. */
export function throwIfAny(problems: RefusedField[]): void {
  if (problems.length > 0) throw invalid(problems);
}
