import { useEffect, useState } from 'react';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { toErrorData } from '../text/errors.ts';
import { latestOnly } from './latest-only.ts';

export interface Loaded<T> {
  /** The value of the present key; null until it is loaded for the first time. After a failed load, the earlier value stays. */
  value: T | null;
  /** Why the latest load of the present key failed. */
  error: AppErrorData | null;
  /** Loads the value again. Resolves when `value` or `error` is set, also after a failure. */
  load: () => Promise<void>;
}

/**
 * Loads what a component shows: at first, for another `key`, and for another `version` of the same thing, whose value stays until
 * then. An answer never replaces that of a later load, and is dropped when the key changes or the component is removed. `key`: what
 * the value is about; `read`: null while there is nothing to load for the key.
 */
export function useLoaded<T>(key: string, read: (() => Promise<T>) | null, version = 0): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'load'> & { key: string }>({
    key,
    value: null,
    error: null,
  });
  const [reads] = useState(latestOnly);
  const load = async () => {
    if (read === null) return;
    const current = reads.begin();
    try {
      const value = await read();
      if (current.accept()) setState({ key, value, error: null });
    } catch (thrown) {
      if (!current.accept()) return;
      const error = toErrorData(thrown);
      setState((before) => ({ key, value: before.key === key ? before.value : null, error }));
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers of another key are dropped
  useEffect(() => reads.cancel, [key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded again for another version; `read` is about the key
  useEffect(() => void load(), [key, version]);
  return state.key === key ? { value: state.value, error: state.error, load } : { value: null, error: null, load };
}
