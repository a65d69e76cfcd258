import { create, type StoreApi, type UseBoundStore } from 'zustand';
import { type LatestOnly, latestOnly } from '../../../kit/async/latest-only.ts';

/** Lists of one kind that the engine stores, such as the presets of each collection. */
export interface SavedLists<T> {
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
