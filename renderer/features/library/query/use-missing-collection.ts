import { useEffect, useState } from 'react';
import type { LibraryQuery } from '../../../../shared/model/library-query/library-query.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import { untilCancelled } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { mediaList } from '../state/media-store.ts';

/** So many collections are compared; a name that more of them contain may be the name of one that was not. */
const MOST_FOUND = 100;

/** Returns the first collection in a search that the library does not have, by its name; null: none, or unknown yet. */
export function useMissingCollection(search: string): string | null {
  const siteId = mediaList.useList((state) => state.query?.siteId ?? null);
  const [missing, setMissing] = useState<{ search: string; name: string | null }>();
  useEffect(() => {
    const names = namesIn(parseQuery(search).query);
    if (siteId === null || names.length === 0) return;
    return untilCancelled(
      firstMissing(siteId, names),
      (name) => setMissing({ search, name }),
      (thrown) => console.warn('Collections of a search not read', thrown),
    );
  }, [siteId, search]);
  return missing?.search === search ? missing.name : null;
}

/** Returns the names of collections in a search. Ids can't be compared with what the user typed. */
function namesIn({ groups }: LibraryQuery): string[] {
  return groups.flat().flatMap((term) => {
    if (term.kind === 'group') return namesIn(term.query);
    return term.kind === 'in' && !term.value.startsWith('#') ? [term.value] : [];
  });
}

async function firstMissing(siteId: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    const text = name.trim().slice(0, 200);
    const found = await call('library.findCollections', { siteId, text, limit: MOST_FOUND });
    const wanted = text.toLowerCase();
    const exists = found.some(({ collection }) => collection.displayName.toLowerCase() === wanted);
    if (!exists && found.length < MOST_FOUND) return name;
  }
  return null;
}
