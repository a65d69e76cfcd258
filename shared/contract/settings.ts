import { z } from 'zod';
import { DISK_MODES } from '../model/disk-modes.ts';
import { skippedDaysSchema } from './series.ts';

/** The lowest possible limit in bytes per second: servers and proxies treat a slower transfer as stalled. */
const SLOWEST_LIMIT = 1024;

/** Bytes per second of all transfers together. null: no limit; 0: sends nothing. */
const bandwidthLimitSchema = z
  .number()
  .int()
  .refine((value) => value === 0 || value >= SLOWEST_LIMIT, `0, or at least ${SLOWEST_LIMIT} bytes per second`)
  .nullable();

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 08:30');

/** A weekly span of local time with its own limit. Equal times mean 24 hours. */
const timetableWindowSchema = z.object({
  /** The days on which the span begins; 0 is Sunday. It can end on the next day. */
  days: z
    .array(z.number().int().min(0).max(6))
    .min(1)
    .max(7)
    .refine((days) => new Set(days).size === days.length, 'each day once'),
  from: timeOfDay,
  to: timeOfDay,
  limitBytesPerSecond: bandwidthLimitSchema,
});
export type TimetableWindow = z.output<typeof timetableWindowSchema>;

export const settingsSchema = z.object({
  /** The number of parallel transfers. */
  parallelTransfers: z.number().int().min(1).max(16),
  /** Sends the smallest file first, within each priority. */
  smallFirst: z.boolean(),
  /**
   * How files on the same disk are read. `auto`: one at a time on rotating disks; `serial`: always one at a time; `parallel`: all
   * in parallel.
   */
  diskMode: z.enum(DISK_MODES),
  /** Applies when no window of the timetable is active. */
  limitBytesPerSecond: bandwidthLimitSchema,
  /** The strictest of overlapping windows applies. */
  timetable: z.array(timetableWindowSchema).max(50),
  /** Days that a series of publish times skips. */
  daysWithoutPublication: skippedDaysSchema,
});
export type Settings = z.output<typeof settingsSchema>;

/** Only the settings to change. */
export const settingsPatchSchema = settingsSchema.partial();
export type SettingsPatch = z.output<typeof settingsPatchSchema>;
