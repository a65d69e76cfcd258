/** The priorities of the queue. All uploads of a priority are sent before the next priority. */
export const PRIORITIES = ['high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];
