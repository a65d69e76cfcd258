/** The orders of a list that only this computer's copy of a library has. */
export const LOCAL_SORTS = [
  'duration',
  'collection',
  'type',
  'status',
  'byline',
  'tags',
  'captions',
  'size',
  'likes',
  'comments',
] as const;
export type LocalSort = (typeof LOCAL_SORTS)[number];

/** Returns whether a list has this order only where there is a copy of the library. */
export function isLocalSort(sort: string): sort is LocalSort {
  return LOCAL_SORTS.some((each) => each === sort);
}
