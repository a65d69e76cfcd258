import { useEffect } from 'react';
import { create } from 'zustand';
import { call } from '../../kit/bridge/bridge.ts';
import { useTree } from '../library/state/tree-store.ts';
import type { NameOf } from './change-text.ts';

/** The names of collections that the tree has not loaded, by site and id; null: the load is in flight or failed. */
const useNames = create<{ names: ReadonlyMap<string, string | null> }>(() => ({ names: new Map() }));

const keyOf = (siteId: string, id: string) => `${siteId}/${id}`;

function setName(key: string, name: string | null): void {
  useNames.setState(({ names }) => ({ names: new Map(names).set(key, name) }));
}

/** Returns a function that returns the name of a collection. Names that are missing in the tree are loaded once. */
export function useCollectionNames(siteId: string | null, ids: readonly string[]): NameOf {
  const rows = useTree((state) => (state.siteId === siteId ? state.rows : null));
  const names = useNames((state) => state.names);
  const wanted = ids.join('/');
  useEffect(() => {
    if (siteId === null) return;
    for (const id of wanted === '' ? [] : wanted.split('/')) {
      const key = keyOf(siteId, id);
      if (rows?.has(id) || useNames.getState().names.has(key)) continue;
      setName(key, null);
      // For a collection that can't be read, the id is shown as its name.
      call('library.collection', { siteId, collectionId: id }).then(
        ({ collection }) => setName(key, collection.displayName),
        () => undefined,
      );
    }
  }, [siteId, wanted, rows]);
  return (id) => rows?.get(id)?.displayName ?? (siteId === null ? null : (names.get(keyOf(siteId, id)) ?? null));
}
