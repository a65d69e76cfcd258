/** Returns YYYY-MM-DD in the zone of this computer, the form in titles. */
export function localDay(epochMs: number): string {
  const day = new Date(epochMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** Returns `YYYY-MM-DDTHH:mm:ss` in the zone of this computer. */
export function localIsoTime(epochMs: number): string {
  const time = new Date(epochMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${localDay(epochMs)}T${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** Returns the offset of this computer's zone at a time, such as `+01:00`. */
export function zoneOffset(epochMs: number): string {
  const minutes = -new Date(epochMs).getTimezoneOffset();
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

/** Whether the calendar has a day. Months count from 1. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  // `Date.UTC` moves the years before 100 to the 20th century.
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
