import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { toErrorData } from '../../../kit/text/errors.ts';

/** The number of tags in one call: the library counts them one by one, and an obsolete call is not stopped. */
const NAMES_PER_CALL = 10;
/** The longest name that `admin.tagUse` accepts. */
const LONGEST_NAME = 1000;

/** How many items of the library have a tag, as far as that is known. */
export interface TagUses {
  /** The number of items by name. */
  counts: ReadonlyMap<string, number>;
  /** All names were asked for: the tags without a number have an unknown one. */
  isDone: boolean;
  /** Why the latest numbers that failed are unknown. */
  error: AppErrorData | null;
}

/**
 * Counts the items with each of these tags and reports what is known after each call. A call that fails leaves its tags unknown.
 * Returns the function that ends it: then nothing is reported or asked any more.
 */
export function countTagUses(siteId: string, names: readonly string[], onUses: (uses: TagUses) => void): () => void {
  const accepted = names.filter((name) => name.length <= LONGEST_NAME);
  const counts = new Map<string, number>();
  let error: AppErrorData | null = null;
  let isEnded = false;
  const report = (isDone: boolean) => onUses({ counts: new Map(counts), isDone, error });
  const countAll = async () => {
    if (accepted.length === 0) report(true);
    for (let at = 0; at < accepted.length && !isEnded; at += NAMES_PER_CALL) {
      const next = accepted.slice(at, at + NAMES_PER_CALL);
      try {
        for (const { name, items } of await call('admin.tagUse', { siteId, names: next })) counts.set(name, items);
      } catch (thrown) {
        error = toErrorData(thrown);
      }
      if (!isEnded) report(at + NAMES_PER_CALL >= accepted.length);
    }
  };
  void countAll();
  return () => {
    isEnded = true;
  };
}
