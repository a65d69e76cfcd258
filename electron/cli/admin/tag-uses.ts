import type { CallOutput } from '../../../shared/contract/contract.ts';
import { MAX_COUNTED_TAGS, MAX_TAG_NAME } from '../../../shared/model/access/admin-limits.ts';
import type { Engine } from '../../engine/engine.ts';
import { counted } from './admin-outcome.ts';

/** Returns the numbers of items by the names of tags; none for a name that is too long to be counted. */
export async function usesOf(
  engine: Engine,
  siteId: string,
  tags: readonly { name: string }[],
): Promise<ReadonlyMap<string, number>> {
  const accepted = tags.map(({ name }) => name).filter((name) => name.length <= MAX_TAG_NAME);
  const uses = new Map<string, number>();
  for (let at = 0; at < accepted.length; at += MAX_COUNTED_TAGS) {
    const names = accepted.slice(at, at + MAX_COUNTED_TAGS);
    for (const { name, items } of await engine.call('admin.tagUse', { siteId, names })) uses.set(name, items);
  }
  return uses;
}

/** Returns `12 items`; `items` undefined: their number is unknown. */
export function itemsText(items: number | undefined): string {
  return items === undefined ? 'an unknown number of items' : counted(items, 'item');
}

type TagDeletion = NonNullable<CallOutput<'admin.deletionOfTags'>[number]>;

/** Returns what a deletion of tags removes. Tags that are gone already are left out. */
export async function tagDeletionOf(
  engine: Engine,
  siteId: string,
  tags: readonly { id: string }[],
): Promise<TagDeletion[]> {
  const found: TagDeletion[] = [];
  for (let at = 0; at < tags.length; at += MAX_COUNTED_TAGS) {
    const tagIds = tags.slice(at, at + MAX_COUNTED_TAGS).map(({ id }) => id);
    const rows = await engine.call('admin.deletionOfTags', { siteId, tagIds });
    found.push(...rows.filter((row) => row !== null));
  }
  return found;
}
