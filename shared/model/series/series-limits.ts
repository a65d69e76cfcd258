/** The most items that one series schedules. */
export const MOST_SERIES_ITEMS = 1000;
/** The most days without publication in a list. */
export const MOST_SKIPPED_DAYS = 10_000;
/** The longest interval, in days, weeks or months. */
export const LONGEST_INTERVAL = 999;

/** The orders in which the items of a series get their times: that of the selection, the opposite one, or by title. */
export const SERIES_ORDERS = ['listed', 'reversed', 'title'] as const;
export type SeriesOrder = (typeof SERIES_ORDERS)[number];
