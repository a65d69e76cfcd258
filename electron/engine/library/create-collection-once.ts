import type { Collection, CollectionInput } from '../../../shared/api/collections.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { AGREEMENT, longestOf, titleAgreement } from '../../../shared/model/title-match.ts';
import { outcomeOf } from '../api/classify.ts';
import { createCollection, getCollection, listCollections } from '../api/collections.ts';
import type { SiteClient } from '../api/http-client.ts';
import { slugTaken } from './collection-writes.ts';

export interface CreationAttempt {
  signal?: AbortSignal;
  /**
   * The ids that the parent contained before the first attempt, when an earlier attempt may have created the collection:
   * a new one with an equal name is that collection. null: this is the first attempt.
   */
  siblings?: readonly string[] | null;
  /** Called with these ids before the request to create. */
  onSending?(siblings: string[]): void;
}

/**
 * Creates a collection. If the reply is lost or contains no identifier, the created one is the collection with the same
 * parent and an equal name that did not exist before. Throws the error of the creation when there is none or several,
 * and `edit.creation-unclear` when an earlier attempt may have created any of several.
 */
export async function createCollectionOnce(
  client: SiteClient,
  input: CollectionInput,
  { signal, siblings = null, onSending = () => {} }: CreationAttempt = {},
): Promise<Collection> {
  const present = await childrenOf(client, input, signal);
  if (siblings !== null) {
    const [earlier, another] = newlyNamed(present, new Set(siblings), input);
    if (another !== undefined) throw appError('edit.creation-unclear', { details: { collection: input.display_name } });
    if (earlier !== undefined) return earlier;
  }
  // What was there before the first attempt: a slow service may still be busy with that one.
  const before = new Set(siblings ?? present.map(({ id }) => id));
  onSending([...before]);
  try {
    return await getCollection(client, (await createCollection(client, input, signal)).id, signal);
  } catch (error) {
    if (error instanceof AppError && error.code === 'api.conflict' && input.slug !== undefined) {
      throw slugTaken(error, input.slug);
    }
    if (!(error instanceof AppError) || outcomeOf(error) !== 'unknown') throw error;
    // The error of the creation is more useful than the error of this check.
    const after = await childrenOf(client, input, signal).catch(() => []);
    const [found, ...others] = newlyNamed(after, before, input);
    if (found === undefined || others.length > 0) throw error;
    return found;
  }
}

/** The collections with an equal name that did not exist before. */
function newlyNamed(
  children: readonly Collection[],
  before: ReadonlySet<string>,
  { display_name: name }: CollectionInput,
): Collection[] {
  const longest = longestOf(children.map((each) => each.display_name));
  return children.filter(
    ({ id, display_name }) => !before.has(id) && titleAgreement(name, display_name, longest) > AGREEMENT.none,
  );
}

async function childrenOf(
  client: SiteClient,
  { parent_id }: CollectionInput,
  signal: AbortSignal | undefined,
): Promise<Collection[]> {
  const children: Collection[] = [];
  for await (const each of listCollections(client, { parent_id }, signal))
    if (each.parent_id === parent_id) children.push(each);
  return children;
}
