import type { Collection, CollectionInput } from '../../../shared/api/collections.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import type { CollectionRow } from '../../../shared/contract/library.ts';
import { AGREEMENT, longestOf, titleAgreement } from '../../../shared/model/title-match.ts';
import { outcomeOf } from '../api/classify.ts';
import { createCollection, getCollection, listCollections } from '../api/collections.ts';
import type { SiteClient } from '../api/http-client.ts';
import { slugTaken } from './collection-writes.ts';

/** Requests to create a collection whose results may be unclear: what a later attempt needs to find the collection. */
export interface SentCreation {
  parentId: string;
  /** The ids that the parent contained before the first of the requests. */
  siblings: readonly string[];
  /** The names that were sent: the user can rename the collection between two attempts. */
  names: readonly string[];
  /** The ids of the collections with these names, wherever they were; missing: not known. */
  namesakes?: readonly string[];
}

/** What this computer’s copy has of a collection. */
type KnownCollection = Pick<CollectionRow, 'id' | 'displayName'>;

export interface CreationAttempt {
  signal?: AbortSignal;
  /** The attempts that may have created the collection, one entry for each parent; empty: this is the first attempt. */
  earlier?: readonly SentCreation[];
  /** Called before the request to create, with the attempts so far including this one. */
  onSending?(sent: readonly SentCreation[]): void;
  /** Called when this request did not create the collection, with the attempts that still may have. */
  onNotCreated?(earlier: readonly SentCreation[]): void;
  /** Whether a collection is known to be the result of another creation: then it is not the one that is searched. */
  isOfAnother?: IsOfAnother;
  /** The collections in this computer’s copy of the library; null: there is none, and only the parent is searched. */
  known?(): readonly KnownCollection[] | null;
}

export type IsOfAnother = (id: string) => boolean;

const NOTHING_IS_KNOWN: IsOfAnother = () => false;

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
 * and `edit.creation-unclear` when an earlier attempt may have created any of several, or one in another place.
 */
export async function createCollectionOnce(
  client: SiteClient,
  input: CollectionInput,
  {
    signal,
    earlier = [],
    onSending = () => {},
    onNotCreated = () => {},
    isOfAnother = NOTHING_IS_KNOWN,
    known: copyOf = () => null,
  }: CreationAttempt = {},
): Promise<CreatedCollection> {
  const isEarlier = earlier.length > 0;
  const [known, another] = await findCreated(client, earlier, isOfAnother, signal);
  if (another !== undefined) throw creationUnclear([known as Collection, another]);
  if (known !== undefined) return { id: known.id, collection: known, isEarlier };
  await assertNowhereElse(client, earlier, isOfAnother, signal);
  const sent = await withAttempt(client, earlier, input, copyOf(), signal);
  onSending(sent);
  let id: string;
  try {
    ({ id } = await createCollection(client, input, signal));
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const isTaken = thrown.code === 'api.conflict' && input.slug !== undefined;
    const error = isTaken ? slugTaken(thrown, input.slug ?? '') : thrown;
    const isSent = outcomeOf(thrown) === 'unknown';
    if (!isSent) onNotCreated(earlier);
    if (!isSent && !isEarlier) throw error;
    // Also after a refusal: a slow service may have completed an earlier attempt meanwhile.
    const found = await onlyCreated(client, isSent ? sent : earlier, isOfAnother, signal);
    if (found === null) throw error;
    return { id: found.id, collection: found, isEarlier };
  }
  return { id, collection: await readCreated(client, id, signal), isEarlier: false };
}

/**
 * Adds an attempt to the earlier ones. Under a parent that has one, the children before the first attempt count: a slow
 * service may still be busy with that one.
 */
async function withAttempt(
  client: SiteClient,
  earlier: readonly SentCreation[],
  { parent_id: parentId, display_name: name }: CollectionInput,
  copy: readonly KnownCollection[] | null,
  signal: AbortSignal | undefined,
): Promise<SentCreation[]> {
  const same = earlier.find((each) => each.parentId === parentId);
  // By now the copy can have the collection that an earlier attempt with this name created.
  if (same?.names.includes(name) === true) return [...earlier];
  const named = copy?.flatMap(({ id, displayName }) => (displayName === name ? [id] : []));
  if (same === undefined) {
    const siblings = await idsIn(client, parentId, signal);
    return [...earlier, { parentId, siblings, names: [name], ...(named === undefined ? {} : { namesakes: named }) }];
  }
  const { namesakes, ...rest } = same;
  const all = namesakes === undefined || named === undefined ? {} : { namesakes: [...namesakes, ...named] };
  const added = { ...rest, names: [...same.names, name], ...all };
  return earlier.map((each) => (each === same ? added : each));
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
async function onlyCreated(
  client: SiteClient,
  sent: readonly SentCreation[],
  isOfAnother: IsOfAnother,
  signal: AbortSignal | undefined,
): Promise<Collection | null> {
  try {
    const [found, another] = await findCreated(client, sent, isOfAnother, signal);
    return found === undefined || another !== undefined ? null : found;
  } catch (error) {
    // The caller reports the error of the creation, and the next attempt checks again.
    if (!(error instanceof AppError) && signal?.aborted !== true) throw error;
    return null;
  }
}

/**
 * Returns the collections that any of these requests may have created: with an equal name, not there before, and not the
 * result of another creation.
 */
export async function findCreated(
  client: SiteClient,
  sent: readonly SentCreation[],
  isOfAnother: IsOfAnother,
  signal: AbortSignal | undefined,
): Promise<Collection[]> {
  const found: Collection[] = [];
  for (const { siblings, parentId, names } of sent) {
    const children = await childrenOf(client, parentId, signal);
    const before = new Set(siblings);
    const longest = longestOf(children.map((each) => each.display_name));
    const isEqual = (shown: string) => names.some((name) => titleAgreement(name, shown, longest) > AGREEMENT.none);
    const equal = children.filter(({ id, display_name }) => !before.has(id) && isEqual(display_name));
    found.push(...equal.filter(({ id }) => !isOfAnother(id)));
  }
  return found;
}

/**
 * Throws `edit.creation-unclear` when the library has a new collection with the name of one of these requests in another place:
 * someone may have moved what the request created, or created another one. `findCreated` found none.
 */
export async function assertNowhereElse(
  client: SiteClient,
  sent: readonly SentCreation[],
  isOfAnother: IsOfAnother,
  signal: AbortSignal | undefined,
): Promise<void> {
  const found = new Map<string, Collection>();
  for (const { namesakes, siblings, names } of sent) {
    if (namesakes === undefined) continue;
    const before = new Set([...namesakes, ...siblings]);
    for (const name of names) {
      for (const each of await collectionsNamed(client, name, signal))
        if (!before.has(each.id) && !isOfAnother(each.id)) found.set(each.id, each);
    }
  }
  if (found.size > 0) throw creationUnclear([...found.values()]);
}

/** The error of a creation when any of these collections, or none, may be its result. */
export function creationUnclear(found: readonly Collection[]): AppError {
  const [first] = found;
  return appError('edit.creation-unclear', {
    details: { collection: first?.display_name ?? '', found: found.map(({ id }) => id) },
  });
}

/** A service that does not know the filter lists the whole library: its list is not read to the end. */
const MOST_OTHERS = 100;

async function collectionsNamed(
  client: SiteClient,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Collection[]> {
  const named: Collection[] = [];
  let others = 0;
  for await (const each of listCollections(client, { display_name: name }, signal)) {
    if (each.display_name === name) named.push(each);
    else others += 1;
    if (others > MOST_OTHERS) break;
  }
  return named;
}

/**
 * Returns the ids that a parent contains. A library lists nothing in a collection that the account may not read: then this throws,
 * because what is there would pass for new once the account may read it again.
 */
async function idsIn(client: SiteClient, parentId: string, signal: AbortSignal | undefined): Promise<string[]> {
  const ids = (await childrenOf(client, parentId, signal)).map(({ id }) => id);
  if (ids.length === 0) await getCollection(client, parentId, signal);
  return ids;
}

/** Returns the collections directly in another one. */
export async function childrenOf(client: SiteClient, parentId: string, signal?: AbortSignal): Promise<Collection[]> {
  const children: Collection[] = [];
  for await (const each of listCollections(client, { parent_id: parentId }, signal))
    if (each.parent_id === parentId) children.push(each);
  return children;
}
