import { isTimeZone, localTimeIn, steadyOffset, zonedTime } from '../zoned-time.ts';

/**
 * Why a date can't be used:
 * - `unreadable` not written like `2031-05-06T09:00+02:00`
 * - `zone`       the offset and the name of the time zone contradict each other, or the zone is unknown
 * - `skipped`    clocks are set forward, so the local time does not exist
 * - `twice`      clocks are set back, so the local time exists twice
 */
type DateProblem = 'unreadable' | 'zone' | 'skipped' | 'twice';

export type ReadDate = { kind: 'at'; at: number } | { kind: 'problem'; problem: DateProblem };

/** Day, time, seconds, offset and zone. */
const WRITTEN =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{1,2}:\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?\s?(Z|[+-]\d{2}:?\d{2})?(?:\[([A-Za-z0-9_+\-/:]{1,64})\])?$/;

/**
 * Reads an instant: ISO 8601 with an offset, with the name of a zone in brackets, or with neither, which means the local time of
 * `timeZone`. A day without a time means 00:00. Other forms, such as 6/5/2031, mean different days in different countries and are
 * refused. Returns epoch milliseconds, whole seconds.
 */
export function readDate(text: string, timeZone: string): ReadDate {
  const match = WRITTEN.exec(text.trim());
  if (match === null) return problem('unreadable');
  const [, day = '', written = '00:00', seconds = '00', offset, zone] = match;
  // LibreOffice writes `9:00:00` into a CSV file.
  const time = written.padStart(5, '0');
  const used = zone ?? timeZone;
  if (!isTimeZone(used)) return problem('zone');
  if (offset !== undefined) return withOffset(`${day}T${time}:${seconds}`, offset, zone);
  const found = zonedTime(`${day}T${time}`, used);
  if (found === null) return problem('unreadable');
  if (found.kind !== 'one') return problem(found.kind);
  return { kind: 'at', at: found.at + Number(seconds) * 1000 };
}

function withOffset(local: string, offset: string, zone: string | undefined): ReadDate {
  // `Date.parse` accepts 31 February and moves it to March.
  if (zonedTime(local.slice(0, 16), 'UTC') === null) return problem('unreadable');
  const at = Date.parse(`${local}${offset === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`}`);
  if (Number.isNaN(at)) return problem('unreadable');
  // The offset is wrong for the zone, for example because the rules of the zone or the day were changed by hand.
  if (zone !== undefined && localTimeIn(at, zone) !== local.slice(0, 16)) return problem('zone');
  return { kind: 'at', at };
}

function problem(kind: DateProblem): ReadDate {
  return { kind: 'problem', problem: kind };
}

/**
 * Returns an instant as local time: `2031-05-06 09:00`, with seconds unless they are 0. Adds offset and zone when the time alone is
 * ambiguous because clocks are set back.
 */
export function writeLocalDate(epochMs: number, timeZone: string): string {
  const at = Math.floor(epochMs / 1000) * 1000;
  const seconds = new Date(at).toISOString().slice(16, 19);
  const offset = steadyOffset(at, timeZone);
  const local = offset === null ? localTimeIn(at, timeZone) : new Date(at + offset).toISOString().slice(0, 16);
  const text = `${local.replace('T', ' ')}${seconds === ':00' ? '' : seconds}`;
  if (offset !== null) return text;
  const read = readDate(text, timeZone);
  return read.kind === 'at' && read.at === at ? text : writeDate(at, timeZone);
}

/** Returns an instant as text with its offset and zone: `2031-05-06T09:00:00+02:00[Europe/Vienna]`. */
export function writeDate(epochMs: number, timeZone: string): string {
  const at = Math.floor(epochMs / 1000) * 1000;
  const local = localTimeIn(at, timeZone);
  const seconds = new Date(at).toISOString().slice(17, 19);
  const minutes = Math.round((Date.parse(`${local}:${seconds}Z`) - at) / 60_000);
  const size = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${local}:${seconds}${offset}[${timeZone}]`;
}
