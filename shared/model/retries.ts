/**
 * The counts of retries of an upload. The backoff of the API is for one request, so each kind of step has a count of its
 * own. `look-at-file` reads the local file before a step; `delivery` counts how often a file or an item
 * that was made already was given up again.
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
export interface Tries {
  count: number;
  /** Most requests of the step that were answered with success before one failed. */
  answered: number;
}

export type TriesByStep<Step extends string = RetriedStep> = Readonly<Partial<Record<Step, Tries>>>;

/** One failure: its step, and how many requests of the step had succeeded before. */
export interface FailedTry<Step extends string = RetriedStep> {
  step: Step;
  answered: number;
}

/**
 * Returns the count of a step after one more failure. A step that got further than ever before failed at another request, so
 * its count is reset. The number of its requests limits that.
 */
export function triesAfter<Step extends string>(tries: TriesByStep<Step>, { step, answered }: FailedTry<Step>): Tries {
  const before = tries[step];
  if (before === undefined || answered > before.answered) return { count: 1, answered };
  return { count: before.count + 1, answered: before.answered };
}

export function withFailure<Step extends string>(tries: TriesByStep<Step>, failed: FailedTry<Step>): TriesByStep<Step> {
  return { ...tries, [failed.step]: triesAfter(tries, failed) };
}

/** Returns the counts without those of succeeded steps; the same object when none of them had failed. */
export function withSuccess<Step extends string>(tries: TriesByStep<Step>, steps: readonly Step[]): TriesByStep<Step> {
  if (!steps.some((step) => tries[step] !== undefined)) return tries;
  const kept = { ...tries };
  for (const step of steps) delete kept[step];
  return kept;
}

/** The longest row of failures that has not ended: no wait of the upload is longer than the one after these. */
export function mostTries(tries: TriesByStep<string>): number {
  return Math.max(0, ...Object.values(tries).map((each) => each?.count ?? 0));
}
