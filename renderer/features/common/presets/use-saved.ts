import { useEffect } from 'react';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { showError } from '../state/messages-store.ts';
import type { SavedLists } from './saved-lists.ts';

/**
 * Values that are saved under names, the most recently used first. Each command returns whether it succeeded, and shows an error
 * otherwise.
 */
export interface SavedList<T, Values> {
  /** The values; null while they are not loaded. */
  list: readonly T[] | null;
  save: (name: string, values: Values) => Promise<boolean>;
  rename: (id: string, name: string) => Promise<boolean>;
  remove: (id: string) => Promise<boolean>;
  use: (id: string) => Promise<boolean>;
}

/** The calls for one list. Each call returns the whole list after its change. */
export interface SavedCalls<T, Values> {
  list: () => Promise<T[]>;
  save: (name: string, values: Values) => Promise<T[]>;
  rename: (id: string, name: string) => Promise<T[]>;
  remove: (id: string) => Promise<T[]>;
  use: (id: string) => Promise<T[]>;
}

/** Loads one of the `lists`. `key` identifies it; `calls` null: there is none. */
export function useSaved<T, Values>(
  lists: SavedLists<T>,
  key: string,
  calls: SavedCalls<T, Values> | null,
): SavedList<T, Values> {
  const known = lists.useLists();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the calls
  useEffect(() => {
    if (calls === null) return;
    return untilCancelled(lists.take(key, calls.list()), () => {}, showError);
  }, [lists, key]);
  const change = async (request: (calls: SavedCalls<T, Values>) => Promise<T[]>): Promise<boolean> => {
    if (calls === null) return false;
    try {
      await lists.take(key, request(calls));
      return true;
    } catch (thrown) {
      showError(thrown);
      return false;
    }
  };
  return {
    list: known.get(key) ?? null,
    save: (name, values) => change((each) => each.save(name, values)),
    rename: (id, name) => change((each) => each.rename(id, name)),
    remove: (id) => change((each) => each.remove(id)),
    use: (id) => change((each) => each.use(id)),
  };
}
