import type { CollectionMatch, RowContext } from '../../../shared/model/manifest/read-row.ts';
import { type CollectionIndex, namesOnPath } from '../library/collections/collection-index.ts';
import { matchesIn } from '../library/collections/find-collection.ts';

/** Returns the facts about collections that cells need. `index` null: the account may not list them, so ids are not checked. */
export function rowContext(
  index: CollectionIndex | null,
  { timeZone, nowMs }: Pick<RowContext, 'timeZone' | 'nowMs'>,
): RowContext {
  const paths = new Map<string, string[] | null>();
  const found = new Map<string, CollectionMatch>();
  return {
    timeZone,
    nowMs,
    pathOf(id) {
      const known = paths.get(id);
      if (known !== undefined) return known;
      const path = index?.nodes.has(id) ? readablePath(index, id) : null;
      paths.set(id, path);
      return path;
    },
    hasCollection: (id) => index === null || index.nodes.has(id),
    findCollection(ref) {
      const known = found.get(ref);
      if (known !== undefined) return known;
      const result = find(index, ref);
      found.set(ref, result);
      return result;
    },
  };
}

/** Returns the path of a collection; null when the path also names another collection. */
function readablePath(index: CollectionIndex, id: string): string[] | null {
  const path = namesOnPath(index, id);
  const [only, another] = matchesIn(index, path.join(' / '));
  return only === id && another === undefined ? path : null;
}

function find(index: CollectionIndex | null, ref: string): CollectionMatch {
  const [only, another] = index === null ? [] : matchesIn(index, ref);
  if (only === undefined) return { kind: 'none' };
  return another === undefined ? { kind: 'one', id: only } : { kind: 'several' };
}
