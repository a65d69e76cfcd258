/** How long a library with several servers may answer 404 for something new, until all of them know it. */
export const NEW_FOR_MS = 60_000;
/** How soon something new that is missing is asked for again. */
export const NEW_AGAIN_MS = 5_000;

/** Whether a 404 may only mean that something is new. `madeAt` and `now`: wall clock; null when it is not known. */
export function isNew(madeAt: number | null, now: number): boolean {
  const age = madeAt === null ? Number.POSITIVE_INFINITY : now - madeAt;
  // The clock may have been set back: then nothing is known.
  return age >= 0 && age < NEW_FOR_MS;
}
