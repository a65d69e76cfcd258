import { useMemo } from 'react';
import { useItemNames } from '../state/query/item-names.ts';
import { useTree } from '../state/tree-store.ts';
import type { QueryNames } from './chip-text.ts';

/** Returns the loaded names of collections and items that conditions refer to by id. */
export function useQueryNames(): QueryNames {
  const rows = useTree((state) => state.rows);
  const items = useItemNames();
  return useMemo(
    () => ({
      collection: (value) => rows.get(value.replace(/^#/, ''))?.displayName ?? null,
      item: (id) => items.get(id) ?? null,
    }),
    [rows, items],
  );
}
