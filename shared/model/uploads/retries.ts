/**
 * The retry counts of an upload. The backoff of the API is defined for one request, so each kind of step has its own
 * count. `look-at-file` reads the local file before a step. `delivery` counts how often an existing file or item was
 * abandoned and created again.
 */
export type RetriedStep =
  | 'look-at-file'
  | 'find-collection'
  | 'check-duplicates'
  | 'create-item'
  | 'look-up-item'
  | 'create-file'
  | 'clear-files'
  | 'check-file'
  | 'drop-file'
  | 'send'
  | 'finish'
  | 'poll'
  | 'publish'
  | 'delivery';

/** Failures of one step since its last success. */
export interface RetryCount {
  count: number;
  /** The highest number of requests of the step that succeeded before one failed. */
  answered: number;
}

export type RetriesByStep<Step extends string = RetriedStep> = Readonly<Partial<Record<Step, RetryCount>>>;

/** One failure: its step, and how many requests of the step had succeeded before it. */
export interface FailedStep<Step extends string = RetriedStep> {
  step: Step;
  answered: number;
}

/**
 * Returns the count of a step after one more failure. When more requests succeeded than in any earlier attempt, another
 * request failed this time, so the count is reset. The number of requests in a step limits such resets.
 */
export function retryCountAfter<Step extends string>(
  retries: RetriesByStep<Step>,
  { step, answered }: FailedStep<Step>,
): RetryCount {
  const before = retries[step];
  if (before === undefined || answered > before.answered) return { count: 1, answered };
  return { count: before.count + 1, answered: before.answered };
}

export function withFailure<Step extends string>(
  retries: RetriesByStep<Step>,
  failed: FailedStep<Step>,
): RetriesByStep<Step> {
  return { ...retries, [failed.step]: retryCountAfter(retries, failed) };
}

/**
 * Returns the counts without those of the succeeded steps. Returns the same object when none of these steps had
 * failures.
 */
export function withSuccess<Step extends string>(
  retries: RetriesByStep<Step>,
  steps: readonly Step[],
): RetriesByStep<Step> {
  if (!steps.some((step) => retries[step] !== undefined)) return retries;
  const kept = { ...retries };
  for (const step of steps) delete kept[step];
  return kept;
}

/** Returns the highest current failure count of any step, which determines the longest wait of the upload. */
export function mostRetries(retries: RetriesByStep<string>): number {
  return Math.max(0, ...Object.values(retries).map((each) => each?.count ?? 0));
}
