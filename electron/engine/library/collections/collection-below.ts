import type { Collection } from '../../../../shared/api/collections.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { listCollections } from '../../api/collections.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { createCollectionOnce } from './create-collection-once.ts';

/** A way down from a collection: names of collections, outermost first. */
interface WayDown {
  names: readonly string[];
  /** Missing collections are created. */
  create: boolean;
}

/**
 * The collection that is reached from `parentId` by names, which are compared without composition and case of letters. Throws
 * `collection.unknown` for a missing one that may not be created, `collection.ambiguous` for a name that several have, and what the
 * requests throw. Two calls for one parent at a time could create a collection twice: the caller makes one after the other.
 */
export async function collectionBelow(
  client: SiteClient,
  parentId: string,
  { names, create }: WayDown,
  signal: AbortSignal,
): Promise<string> {
  let id = parentId;
  for (const name of names) {
    const matches = await childrenNamed(client, id, name, signal);
    const [only, another] = matches;
    if (another !== undefined) {
      throw appError('collection.ambiguous', {
        message: `Several collections in one place are called “${name}”.`,
        details: { collection: name, errors: matches.map((each) => each.id) },
      });
    }
    if (only === undefined && !create) {
      throw appError('collection.unknown', {
        message: `The library has no collection “${name}” for this folder.`,
        details: { collection: name, parentId: id },
      });
    }
    id = only?.id ?? (await createCollectionOnce(client, { parent_id: id, display_name: name })).id;
  }
  return id;
}

async function childrenNamed(
  client: SiteClient,
  parentId: string,
  name: string,
  signal: AbortSignal,
): Promise<Collection[]> {
  const wanted = plain(name);
  const found: Collection[] = [];
  for await (const each of listCollections(client, { parent_id: parentId }, signal)) {
    if (each.parent_id === parentId && plain(each.display_name) === wanted) found.push(each);
  }
  return found;
}

function plain(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
