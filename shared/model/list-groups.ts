/** The orders in which a list can show its items in groups. */
export const GROUPED_SORTS = [
  'collection',
  'type',
  'status',
  'byline',
  'tags',
  'title',
  'created_on',
  'modified_on',
  'publish_on',
  'duration',
  'size',
  'captions',
] as const;
export type GroupedSort = (typeof GROUPED_SORTS)[number];

/** The maximum number of groups; a last one has the rest of the items. */
export const MOST_GROUPS = 1000;

/** The lower bounds of groups by length, in seconds, and by size, in bytes. */
export const LENGTH_STEPS = [1, 60, 300, 1200, 3600, 7200] as const;
export const SIZE_STEPS = [0, 1e6, 1e7, 1e8, 1e9, 1e10] as const;

export function isGroupedSort(sort: string): sort is GroupedSort {
  return GROUPED_SORTS.some((each) => each === sort);
}
