import type { Collection, CollectionInput } from '../../../shared/api/collections.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import { AGREEMENT, longestOf, titleAgreement } from '../../../shared/model/title-match.ts';
import { outcomeOf } from '../api/classify.ts';
import { createCollection, getCollection, listCollections } from '../api/collections.ts';
import type { SiteClient } from '../api/http-client.ts';
import { slugTaken } from './collection-writes.ts';

/**
 * Creates a collection. If the reply is lost or contains no identifier, the created one is the collection with the same
 * parent and an equal name that did not exist before. Throws the error of the creation when there is none or several.
 */
export async function createCollectionOnce(client: SiteClient, input: CollectionInput): Promise<Collection> {
  const before = new Set((await childrenOf(client, input)).map(({ id }) => id));
  try {
    return await getCollection(client, (await createCollection(client, input)).id);
  } catch (error) {
    if (error instanceof AppError && error.code === 'api.conflict' && input.slug !== undefined) {
      throw slugTaken(error, input.slug);
    }
    if (!(error instanceof AppError) || outcomeOf(error) !== 'unknown') throw error;
    // The error of the creation is more useful than the error of this check.
    const after = await childrenOf(client, input).catch(() => []);
    const longest = longestOf(after.map((each) => each.display_name));
    const [found, ...others] = after.filter(
      ({ id, display_name }) =>
        !before.has(id) && titleAgreement(input.display_name, display_name, longest) > AGREEMENT.none,
    );
    if (found === undefined || others.length > 0) throw error;
    return found;
  }
}

async function childrenOf(client: SiteClient, { parent_id }: CollectionInput): Promise<Collection[]> {
  const children: Collection[] = [];
  for await (const each of listCollections(client, { parent_id }))
    if (each.parent_id === parent_id) children.push(each);
  return children;
}
