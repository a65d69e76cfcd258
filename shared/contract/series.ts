import { z } from 'zod';
import { LONGEST_INTERVAL, MOST_SKIPPED_DAYS } from '../model/series/series-limits.ts';

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'a day such as 2027-12-25');

/** Days on which a series publishes nothing, `YYYY-MM-DD` in the time zone of the series. */
export const skippedDaysSchema = z.array(day).max(MOST_SKIPPED_DAYS);

/**
 * The interval of a series: every so many days, weeks or months, or on days of the week (0 is Sunday). Months have the day of the
 * first date, or their last day when they are shorter.
 */
const seriesIntervalSchema = z.discriminatedUnion('unit', [
  z.object({ unit: z.literal('day'), count: z.number().int().min(1).max(LONGEST_INTERVAL) }),
  z.object({ unit: z.literal('week'), count: z.number().int().min(1).max(LONGEST_INTERVAL) }),
  z.object({ unit: z.literal('month'), count: z.number().int().min(1).max(LONGEST_INTERVAL) }),
  z.object({ unit: z.literal('weekdays'), days: z.array(z.number().int().min(0).max(6)).min(1).max(7) }),
]);
export type SeriesInterval = z.output<typeof seriesIntervalSchema>;

/** Publish times one after another. `first`: the local time of the first one, `2027-05-05T18:00`. */
export const seriesSchema = z.object({
  first: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, 'a time such as 2027-05-05T18:00'),
  timeZone: z.string().min(1).max(64),
  interval: seriesIntervalSchema,
  skipped: skippedDaysSchema.default([]),
});
export type Series = z.output<typeof seriesSchema>;

/**
 * Why the time of an item in a series is not the one that the interval alone gives, or needs attention. Days are `YYYY-MM-DD`, times
 * `HH:mm`.
 *
 * - `forward` clocks are set forward, so that the time `wanted` doesn't occur
 * - `twice`   clocks are set back, so that the time occurs twice: the first one is used
 * - `short`   the month has no day `wanted`: its last day is used
 * - `start`   the first date, `wanted`, is not one of the chosen days of the week
 * - `skipped` so many dates before this one are days without publication; `from` is the first of them, `to` the last
 * - `absent`  the date `wanted` before this one was left out: the time zone doesn't have that day, as at the date line
 * - `past`    the time has passed: the library would publish the item at once
 */
export const seriesNoteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('forward'), wanted: z.string() }),
  z.object({ kind: z.literal('twice') }),
  z.object({ kind: z.literal('short'), wanted: z.number() }),
  z.object({ kind: z.literal('start'), wanted: z.string() }),
  z.object({ kind: z.literal('skipped'), count: z.number(), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('absent'), wanted: z.string() }),
  z.object({ kind: z.literal('past') }),
]);
export type SeriesNote = z.output<typeof seriesNoteSchema>;
