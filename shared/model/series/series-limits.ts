/** The most items that one series schedules. */
export const MOST_SERIES_ITEMS = 1000;
/** The most days without publication in a list. */
export const MOST_SKIPPED_DAYS = 10_000;
/** The longest interval, in days, weeks or months. */
export const LONGEST_INTERVAL = 999;
