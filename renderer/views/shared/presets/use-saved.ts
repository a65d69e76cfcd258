import { useEffect, useState } from 'react';
import { untilCancelled } from '../../../async/latest-only.ts';
import { showError } from '../../../stores/app/messages-store.ts';

/** Values that were saved under names, the last used first. Each command returns whether it succeeded; a failure is shown. */
export interface SavedList<T, Values> {
  list: readonly T[];
  save: (name: string, values: Values) => Promise<boolean>;
  rename: (id: string, name: string) => Promise<boolean>;
  remove: (id: string) => Promise<boolean>;
  use: (id: string) => Promise<boolean>;
}

/** The calls about one list. Each answers with the whole list after it. */
export interface SavedCalls<T, Values> {
  list: () => Promise<T[]>;
  save: (name: string, values: Values) => Promise<T[]>;
  rename: (id: string, name: string) => Promise<T[]>;
  remove: (id: string) => Promise<T[]>;
  use: (id: string) => Promise<T[]>;
}

/** Loads a list. `key` identifies it; `calls` null: there is none. */
export function useSaved<T, Values>(key: string, calls: SavedCalls<T, Values> | null): SavedList<T, Values> {
  const [loaded, setLoaded] = useState<{ key: string; list: readonly T[] } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the calls
  useEffect(() => {
    if (calls === null) return;
    return untilCancelled(calls.list(), (list) => setLoaded({ key, list }), showError);
  }, [key]);
  const change = async (request: ((calls: SavedCalls<T, Values>) => Promise<T[]>) | null): Promise<boolean> => {
    if (calls === null || request === null) return false;
    try {
      const list = await request(calls);
      setLoaded({ key, list });
      return true;
    } catch (thrown) {
      showError(thrown);
      return false;
    }
  };
  return {
    list: loaded?.key === key ? loaded.list : [],
    save: (name, values) => change((each) => each.save(name, values)),
    rename: (id, name) => change((each) => each.rename(id, name)),
    remove: (id) => change((each) => each.remove(id)),
    use: (id) => change((each) => each.use(id)),
  };
}
