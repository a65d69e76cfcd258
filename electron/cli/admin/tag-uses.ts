import { MAX_TAG_NAME } from '../../../shared/model/access/admin-limits.ts';
import type { Engine } from '../../engine/engine.ts';
import { counted } from './admin-outcome.ts';

/** The library counts the items of each tag by a request. */
const TAGS_PER_CALL = 50;

/** Returns the numbers of items by the names of tags; none for a name that is too long to be counted. */
export async function usesOf(
  engine: Engine,
  siteId: string,
  tags: readonly { name: string }[],
): Promise<ReadonlyMap<string, number>> {
  const accepted = tags.map(({ name }) => name).filter((name) => name.length <= MAX_TAG_NAME);
  const uses = new Map<string, number>();
  for (let at = 0; at < accepted.length; at += TAGS_PER_CALL) {
    const names = accepted.slice(at, at + TAGS_PER_CALL);
    for (const { name, items } of await engine.call('admin.tagUse', { siteId, names })) uses.set(name, items);
  }
  return uses;
}

/** Returns `12 items`; `items` undefined: their number is unknown. */
export function itemsText(items: number | undefined): string {
  return items === undefined ? 'an unknown number of items' : counted(items, 'item');
}
