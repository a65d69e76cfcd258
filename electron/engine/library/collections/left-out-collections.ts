import type { Collection } from '../../../../shared/api/collections.ts';
import { listCollections } from '../../api/collections.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { childrenOf } from './create-collection-once.ts';

/**
 * The maximum number of collections whose children are requested one by one; for more, the list of all collections costs less.
 */
const MAX_PARENTS_TO_ASK = 20;

/**
 * Adds the collections below the given ones (names by id) that the tree omitted: the library deletes them with the others,
 * whatever its tree contained, and the user would not have confirmed that.
 */
export async function withLeftOut(
  client: SiteClient,
  shown: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const childrenIn = shown.size > MAX_PARENTS_TO_ASK ? await listedChildren(client) : askedChildren(client);
  const found = new Map(shown);
  // The loop also visits entries that are added to the map meanwhile.
  for (const id of found.keys()) for (const child of await childrenIn(id)) addNew(found, child);
  return found;
}

function addNew(names: Map<string, string>, { id, display_name: name }: Collection): void {
  if (!names.has(id)) names.set(id, name);
}

type ChildrenIn = (parentId: string) => Promise<readonly Collection[]> | readonly Collection[];

function askedChildren(client: SiteClient): ChildrenIn {
  return (parentId) => childrenOf(client, parentId);
}

async function listedChildren(client: SiteClient): Promise<ChildrenIn> {
  const children = new Map<string | null, Collection[]>();
  for await (const each of listCollections(client)) {
    const siblings = children.get(each.parent_id);
    if (siblings === undefined) children.set(each.parent_id, [each]);
    else siblings.push(each);
  }
  return (parentId) => children.get(parentId) ?? [];
}
