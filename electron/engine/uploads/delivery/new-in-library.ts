/** How long a library with several servers may answer 404 for a new resource, until all of them know it. */
export const NEW_FOR_MS = 60_000;
/** The wait before a missing new resource is requested again. */
export const NEW_AGAIN_MS = 5_000;

/** Returns whether a 404 may only mean that the resource is new. `madeAt` and `now`: wall clock; null when unknown. */
export function isNew(madeAt: number | null, now: number): boolean {
  const age = madeAt === null ? Number.POSITIVE_INFINITY : now - madeAt;
  // The clock may have been set back: then the age is unknown.
  return age >= 0 && age < NEW_FOR_MS;
}
