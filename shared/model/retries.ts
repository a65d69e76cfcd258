/**
 * What a retry of an upload is counted against. The back-off of the API fits one request, so each kind of step has a
 * count of its own. `look-at-file` reads the local file before a step; `delivery` counts how often a file or an item
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

/** Failures of one step since it last succeeded. */
export interface Tries {
  count: number;
  /** Most requests of the step that were answered with success before one failed. */
  answered: number;
}

export type TriesByStep<Step extends string = RetriedStep> = Readonly<Partial<Record<Step, Tries>>>;

/** One failure: of which step, and after how many of its requests had succeeded. */
export interface FailedTry<Step extends string = RetriedStep> {
  step: Step;
  answered: number;
}

/**
 * The count of a step after one more failure. A step of several requests that came further than ever before failed at
 * another request, so its count begins anew. That is bounded by the number of its requests.
 */
export function triesAfter<Step extends string>(tries: TriesByStep<Step>, { step, answered }: FailedTry<Step>): Tries {
  const before = tries[step];
  if (before === undefined || answered > before.answered) return { count: 1, answered };
  return { count: before.count + 1, answered: before.answered };
}

export function withFailure<Step extends string>(tries: TriesByStep<Step>, failed: FailedTry<Step>): TriesByStep<Step> {
  return { ...tries, [failed.step]: triesAfter(tries, failed) };
}

/** The counts without those of steps that have succeeded. The same object when none of them had failed. */
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
