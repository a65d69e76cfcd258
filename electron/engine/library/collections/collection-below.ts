import type { Collection } from '../../../../shared/api/collections.ts';
import { appError } from '../../../../shared/contract/app-error.ts';
import { listCollections } from '../../api/collections.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { createCollectionOnce } from './create-collection-once.ts';

/** A path below a collection: names of collections, outermost first. */
interface WayDown {
  names: readonly string[];
  /** Missing collections are created. */
  create: boolean;
}

/**
 * Returns the collection at a path of names below `parentId`; names are compared without composition and letter case. Throws
 * `collection.unknown` for a missing collection that may not be created, `collection.ambiguous` for a name of several, and the
 * errors of the requests. Two concurrent calls for one parent could create a collection twice, so the caller runs them one after
 * the other.
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
