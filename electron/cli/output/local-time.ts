import { dateTimeText, type HourCycle, localParts } from '../../../shared/model/date-time.ts';
import { systemHourCycle } from '../../../shared/model/system-hour-cycle.ts';

/** Returns whether this system shows times with 12 or 24 hours. */
export function localHourCycle(): HourCycle {
  const systemLocale = Intl.DateTimeFormat().resolvedOptions().locale;
  return systemHourCycle({ platform: process.platform, env: process.env, systemLocale });
}

/** Returns an instant in epoch milliseconds as the window shows it: `19 Nov 2026, 14:02`. */
export function localTime(epochMs: number): string {
  return dateTimeText(localParts(new Date(epochMs)), localHourCycle());
}
