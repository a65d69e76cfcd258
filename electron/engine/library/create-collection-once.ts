import type { Collection, CollectionInput } from '../../../shared/api/collections.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { AGREEMENT, longestOf, titleAgreement } from '../../../shared/model/title-match.ts';
import { outcomeOf } from '../api/classify.ts';
import { createCollection, getCollection, listCollections } from '../api/collections.ts';
import type { SiteClient } from '../api/http-client.ts';
import { slugTaken } from './collection-writes.ts';

/** A request to create a collection whose result may be unclear: what a later attempt needs to find the collection. */
export interface SentCreation {
  /** The ids that the parent contained before the first attempt. */
  siblings: readonly string[];
  parentId: string;
  name: string;
}

export interface CreationAttempt {
  signal?: AbortSignal;
  /** The first attempt, when that one may have created the collection; null: this is the first attempt. */
  earlier?: SentCreation | null;
  /** Called before the request to create. */
  onSending?(sent: SentCreation): void;
  /** Called when no request so far can have created the collection: the next attempt is a first one. */
  onNotCreated?(): void;
}

/** A collection that this program created. */
export interface CreatedCollection {
  id: string;
  /** null: it exists, but could not be read. */
  collection: Collection | null;
  /** An earlier attempt created it, perhaps with other values. */
  isEarlier: boolean;
}

/**
 * Creates a collection. If the reply is lost or contains no identifier, the created one is the collection with the same
 * parent and an equal name that did not exist before. Throws the error of the creation when there is none or several,
 * and `edit.creation-unclear` when an earlier attempt may have created any of several.
 */
export async function createCollectionOnce(
  client: SiteClient,
  input: CollectionInput,
  { signal, earlier = null, onSending = () => {}, onNotCreated = () => {} }: CreationAttempt = {},
): Promise<CreatedCollection> {
  if (earlier !== null) {
    const [found, another] = await newlyNamed(client, earlier, signal);
    if (another !== undefined) throw appError('edit.creation-unclear', { details: { collection: earlier.name } });
    if (found !== undefined) return { id: found.id, collection: found, isEarlier: true };
  }
  const { parent_id: parentId, display_name: name } = input;
  // What was there before the first attempt: a slow service may still be busy with that one.
  const sent = earlier ?? { siblings: await idsIn(client, parentId, signal), parentId, name };
  onSending(sent);
  let id: string;
  try {
    ({ id } = await createCollection(client, input, signal));
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const isTaken = thrown.code === 'api.conflict' && input.slug !== undefined;
    const error = isTaken ? slugTaken(thrown, input.slug ?? '') : thrown;
    if (earlier === null && outcomeOf(thrown) !== 'unknown') {
      onNotCreated();
      throw error;
    }
    const found = await onlyNewlyNamed(client, sent, signal);
    if (found === null) throw error;
    return { id: found.id, collection: found, isEarlier: earlier !== null };
  }
  return { id, collection: await readCreated(client, id, signal), isEarlier: false };
}

/** The collection exists, whatever the answer to this request: an error must not lead to another creation. */
async function readCreated(
  client: SiteClient,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Collection | null> {
  try {
    return await getCollection(client, id, signal);
  } catch (error) {
    if (!(error instanceof AppError) && signal?.aborted !== true) throw error;
    return null;
  }
}

/** The one collection that a request without a reply created; null when there is none or several, or when the list can’t be read. */
async function onlyNewlyNamed(
  client: SiteClient,
  sent: SentCreation,
  signal: AbortSignal | undefined,
): Promise<Collection | null> {
  try {
    const [found, another] = await newlyNamed(client, sent, signal);
    return found === undefined || another !== undefined ? null : found;
  } catch (error) {
    // The caller reports the error of the creation, and the next attempt checks again.
    if (!(error instanceof AppError) && signal?.aborted !== true) throw error;
    return null;
  }
}

/** The collections with an equal name that did not exist before. */
async function newlyNamed(
  client: SiteClient,
  { siblings, parentId, name }: SentCreation,
  signal: AbortSignal | undefined,
): Promise<Collection[]> {
  const children = await childrenOf(client, parentId, signal);
  const before = new Set(siblings);
  const longest = longestOf(children.map((each) => each.display_name));
  return children.filter(
    ({ id, display_name }) => !before.has(id) && titleAgreement(name, display_name, longest) > AGREEMENT.none,
  );
}

async function idsIn(client: SiteClient, parentId: string, signal: AbortSignal | undefined): Promise<string[]> {
  return (await childrenOf(client, parentId, signal)).map(({ id }) => id);
}

async function childrenOf(
  client: SiteClient,
  parentId: string,
  signal: AbortSignal | undefined,
): Promise<Collection[]> {
  const children: Collection[] = [];
  for await (const each of listCollections(client, { parent_id: parentId }, signal))
    if (each.parent_id === parentId) children.push(each);
  return children;
}
