import type { Collection, CollectionInput } from '../../../shared/api/collections.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import { AGREEMENT, longestOf, titleAgreement } from '../../../shared/model/title-match.ts';
import { outcomeOf } from '../api/classify.ts';
import { createCollection, getCollection, listCollections } from '../api/collections.ts';
import type { SiteClient } from '../api/http-client.ts';

/**
 * Creates a collection. Where its reply is lost or does not name it, it is the one below the same parent that was not there
 * before and whose name agrees. Throws the error of the creation where none or several are like that.
 */
export async function createCollectionOnce(client: SiteClient, input: CollectionInput): Promise<Collection> {
  const before = new Set((await childrenOf(client, input)).map(({ id }) => id));
  try {
    return await getCollection(client, (await createCollection(client, input)).id);
  } catch (error) {
    if (!(error instanceof AppError) || outcomeOf(error) !== 'unknown') throw error;
    // What prevents the check says less than the failure itself.
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
