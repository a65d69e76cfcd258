import { useEffect } from 'react';
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import { type LatestOnly, latestOnly, untilCancelled } from '../../../kit/async/latest-only.ts';
import { showError } from '../state/messages-store.ts';

/** Lists of one kind that the engine stores, such as the presets of each collection. */
interface SavedLists<T> {
  /** The lists that are known, by key. */
  useLists: UseBoundStore<StoreApi<ReadonlyMap<string, readonly T[]>>>;
  /**
   * Stores the answer of a request as the list of a key, unless a later request about that key was answered before. Throws the
   * error of the request.
   */
  take(key: string, request: Promise<readonly T[]>): Promise<void>;
}

/** Returns an empty store. Each list is kept, so that an answer about one never replaces another. */
export function createSavedLists<T>(): SavedLists<T> {
  const useLists = create<ReadonlyMap<string, readonly T[]>>(() => new Map());
  const orders = new Map<string, LatestOnly>();
  return {
    useLists,
    async take(key, request) {
      const order = orders.get(key) ?? latestOnly();
      orders.set(key, order);
      const own = order.begin();
      const list = await request;
      if (own.accept()) useLists.setState((lists) => new Map([...lists, [key, list]]), true);
    },
  };
}

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
interface SavedCalls<T, Values> {
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
