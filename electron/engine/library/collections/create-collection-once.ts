import { isDeepStrictEqual } from 'node:util';
import type { Collection, CollectionInput } from '../../../../shared/api/collections.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import { AGREEMENT, longestOf, titleAgreement } from '../../../../shared/model/title-match.ts';
import { tookNoEffect } from '../../api/classify.ts';
import { createCollection, getCollection, listCollections } from '../../api/collections.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { WRITE_TIMEOUT_MS } from '../../api/request-times.ts';
import { slugTaken } from './collection-writes.ts';

/** Requests to create a collection whose results may be unclear: the data with which a later attempt finds the collection. */
export interface SentCreation {
  parentId: string;
  /** The ids that the parent contained before the first of the requests. */
  siblings: readonly string[];
  /** The names that were sent: the user can rename the collection between two attempts. */
  names: readonly string[];
  /** The ids of the collections with these names, anywhere in the library; missing in older versions: unknown. */
  namesakes?: readonly string[];
  /** When the last of the requests was sent, by the library’s clock, epoch ms; null, or missing in older versions: unknown. */
  sentAt?: number | null;
  /** The values that a library keeps as they are, of each request; missing in older versions: unknown. */
  values?: readonly KeptValues[];
}

interface KeptValues {
  /** null: the library chooses it. */
  slug: string | null;
  isPodcast: boolean;
}

export interface CreationAttempt {
  signal?: AbortSignal;
  /** The attempts that may have created the collection, one entry for each parent; empty: this is the first attempt. */
  earlier?: readonly SentCreation[];
  /** An earlier process sent the last attempt, and ended without an answer: the library may still be processing it. */
  isResumed?: boolean;
  /** Called before the request to create, with the attempts so far including this one. */
  onSending?(sent: readonly SentCreation[]): void;
  /** Called when this request did not create the collection, with the attempts that still may have. */
  onNotCreated?(earlier: readonly SentCreation[]): void;
  /** Returns whether a collection is known to be the result of another creation: then it is not the searched one. */
  isOfAnother?: IsOfAnother;
  /** The attempts of other creations of this computer whose results are not known. */
  others?(): readonly SentCreation[];
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
 * Creates a collection. If the reply is lost or contains no identifier, the created one is the collection with the same parent
 * and an equal name that did not exist before. Throws the error of the creation when there is none or several,
 * `edit.creation-unclear` when an earlier attempt may have created any of several, or one under another parent, and
 * `edit.creation-unfinished` while the library may still be processing the attempt of an earlier process.
 */
export async function createCollectionOnce(
  client: SiteClient,
  input: CollectionInput,
  {
    signal,
    earlier = [],
    isResumed = false,
    onSending = () => {},
    onNotCreated = () => {},
    isOfAnother = NOTHING_IS_KNOWN,
    others = () => [],
  }: CreationAttempt = {},
): Promise<CreatedCollection> {
  const isEarlier = earlier.length > 0;
  const other = { isOfAnother, others: others() };
  const [known, another] = await findCreated(client, earlier, other, signal);
  if (another !== undefined) throw creationUnclear([known as Collection, another]);
  if (known !== undefined) return { id: known.id, collection: known, isEarlier };
  const waitMs = isResumed ? settlesInMs(earlier, client.serverClock.now()) : 0;
  if (waitMs > 0) throw appError('edit.creation-unfinished', { details: { retryAfterMs: waitMs } });
  const sent = await withAttempt(client, earlier, input, signal);
  onSending(sent);
  let id: string;
  try {
    ({ id } = await createCollection(client, input, signal));
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const isTaken = thrown.code === 'api.conflict' && input.slug !== undefined;
    const error = isTaken ? slugTaken(thrown, input.slug ?? '') : thrown;
    const isSent = !tookNoEffect(thrown);
    if (!isSent) onNotCreated(earlier);
    if (!isSent && !isEarlier) throw error;
    // Also after a refusal: a slow library may have completed an earlier attempt meanwhile.
    const found = await onlyCreated(client, isSent ? sent : earlier, other, signal);
    if (found === null) throw error;
    return { id: found.id, collection: found, isEarlier };
  }
  return { id, collection: await readCreated(client, id, signal), isEarlier: false };
}

/** Returns a collection that an earlier attempt created: its answer named it, and the caller could not store that. */
export async function createdEarlier(
  client: SiteClient,
  id: string,
  signal: AbortSignal | undefined,
): Promise<CreatedCollection> {
  return { id, collection: await readCreated(client, id, signal), isEarlier: true };
}

/**
 * Returns how long the library may still be processing requests whose process has ended, in ms; 0: no request remains, or the
 * time is unknown.
 */
function settlesInMs(sent: readonly SentCreation[], serverNow: number | null): number {
  if (serverNow === null) return 0;
  const waits = sent.map(({ sentAt = null }) => {
    const isKnown = sentAt !== null && serverNow >= sentAt;
    return isKnown ? sentAt + WRITE_TIMEOUT_MS - serverNow : 0;
  });
  return Math.max(0, ...waits);
}

/**
 * Adds an attempt to the earlier ones. Under a parent with an earlier attempt, the children before the first attempt count: a
 * slow library may still be processing that attempt.
 */
async function withAttempt(
  client: SiteClient,
  earlier: readonly SentCreation[],
  { parent_id: parentId, display_name: name, slug, is_podcast: isPodcast = false }: CollectionInput,
  signal: AbortSignal | undefined,
): Promise<SentCreation[]> {
  const same = earlier.find((each) => each.parentId === parentId);
  const latest = { sentAt: client.serverClock.now(), ...withValues(same, { slug: slug ?? null, isPodcast }) };
  // The library may now have the collection that an earlier attempt with this name created.
  if (same?.names.includes(name) === true)
    return earlier.map((each) => (each === same ? { ...each, ...latest } : each));
  const siblings = same?.siblings ?? (await idsIn(client, parentId, signal));
  // Not read from the copy: a first sync may not be complete, and items missing there would count as new.
  const named = (await namedAnyOf(client, [name], signal)).map(({ id }) => id);
  if (same === undefined) return [...earlier, { parentId, siblings, names: [name], namesakes: named, ...latest }];
  const { namesakes, ...rest } = same;
  const all = namesakes === undefined ? {} : { namesakes: [...namesakes, ...named] };
  const added = { ...rest, names: [...same.names, name], ...all, ...latest };
  return earlier.map((each) => (each === same ? added : each));
}

/** Adds the values of an attempt to those of the earlier ones under its parent; unknown ones stay unknown. */
function withValues(same: SentCreation | undefined, sent: KeptValues): Pick<SentCreation, 'values'> {
  if (same === undefined) return { values: [sent] };
  const { values } = same;
  if (values === undefined || values.some((each) => isDeepStrictEqual(each, sent))) return {};
  return { values: [...values, sent] };
}

/**
 * Whether a collection has the values of one of the requests. If not, it is probably the work of someone else. A list without slugs has no
 * values to compare.
 */
function hasSentValues({ slug, is_podcast: isPodcast }: Collection, { values }: SentCreation): boolean {
  if (values === undefined || slug === '') return true;
  return values.some((sent) => sent.isPodcast === isPodcast && (sent.slug ?? slug) === slug);
}

/** Reads a created collection; null when it can't be read. It exists in any case: an error must not cause a second creation. */
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

/**
 * Returns the only collection that a request without a reply created; null when there is none or several, or when the list can’t
 * be read.
 */
async function onlyCreated(
  client: SiteClient,
  sent: readonly SentCreation[],
  other: OtherCreations,
  signal: AbortSignal | undefined,
): Promise<Collection | null> {
  try {
    const [found, another] = await findCreated(client, sent, other, signal);
    return found === undefined || another !== undefined ? null : found;
  } catch (error) {
    // The caller reports the error of the creation, and the next attempt checks again.
    if (!(error instanceof AppError) && signal?.aborted !== true) throw error;
    return null;
  }
}

/** The known results of other creations on this computer. */
export interface OtherCreations {
  /** Returns whether a collection is known to be the result of another creation. */
  isOfAnother: IsOfAnother;
  /** The attempts of other creations whose results are not known. */
  others: readonly SentCreation[];
}

/**
 * Returns the collections that any of these requests created: with an equal name, not existing before, and not the result of
 * another creation. If there is none, throws `edit.creation-unclear` for another new collection that may be it: one with its name
 * under another parent, where someone may have moved it, one with another name under its parent, where someone may have
 * renamed it, or one with its name and other values.
 */
export async function findCreated(
  client: SiteClient,
  sent: readonly SentCreation[],
  { isOfAnother, others }: OtherCreations,
  signal: AbortSignal | undefined,
): Promise<Collection[]> {
  const found = new Map<string, Collection>();
  const doubtful = new Map<string, Collection>();
  for (const each of sent) {
    const { named, renamed } = await newIn(client, each, { isOfAnother, others }, signal);
    for (const child of named) (hasSentValues(child, each) ? found : doubtful).set(child.id, child);
    for (const child of renamed) doubtful.set(child.id, child);
  }
  if (found.size > 0) return [...found.values()];
  for (const each of sent) {
    for (const named of await newWithName(client, each, isOfAnother, signal)) {
      // Under its parent, although the list of the parent did not contain it.
      const isFound = named.parent_id === each.parentId && hasSentValues(named, each);
      (isFound ? found : doubtful).set(named.id, named);
    }
  }
  if (found.size === 0 && doubtful.size > 0) throw creationUnclear([...doubtful.values()]);
  return [...found.values()];
}

/**
 * Returns the children of a parent that are new since a request: those with its name, and others that can't be the result of
 * another creation.
 */
async function newIn(
  client: SiteClient,
  { siblings, parentId, names }: SentCreation,
  { isOfAnother, others }: OtherCreations,
  signal: AbortSignal | undefined,
): Promise<{ named: Collection[]; renamed: Collection[] }> {
  const before = new Set(siblings);
  const children = await childrenOf(client, parentId, signal);
  const longest = longestOf(children.map((each) => each.display_name));
  const isOneOf = (asked: readonly string[], shown: string) =>
    asked.some((name) => titleAgreement(name, shown, longest) > AGREEMENT.none);
  const unknown = children.filter(({ id }) => !before.has(id)).filter(({ id }) => !isOfAnother(id));
  const rivals = others.flatMap((each) => (each.parentId === parentId ? each.names : []));
  return {
    named: unknown.filter((each) => isOneOf(names, each.display_name)),
    renamed: unknown.filter((each) => !isOneOf([...names, ...rivals], each.display_name)),
  };
}

/** Returns the collections anywhere in the library with a name of a request that are new since it. */
async function newWithName(
  client: SiteClient,
  { siblings, namesakes, names }: SentCreation,
  isOfAnother: IsOfAnother,
  signal: AbortSignal | undefined,
): Promise<Collection[]> {
  if (namesakes === undefined) return [];
  const before = new Set([...siblings, ...namesakes]);
  const named = await namedAnyOf(client, names, signal);
  return named.filter(({ id }) => !before.has(id) && !isOfAnother(id));
}

/** Returns the error of a creation when any of these collections, or none, may be its result. */
export function creationUnclear(found: readonly Collection[]): AppError {
  const [first] = found;
  return appError('edit.creation-unclear', {
    details: { collection: first?.display_name ?? '', found: found.map(({ id }) => id) },
  });
}

/** The maximum number of read collections: a library that ignores the filter lists all collections. */
const MOST_OTHERS = 100;

/** Returns the collections with one of these names, anywhere in the library. */
async function namedAnyOf(
  client: SiteClient,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Collection[]> {
  const named: Collection[] = [];
  for (const name of names) {
    let others = 0;
    for await (const each of listCollections(client, { display_name: name }, signal)) {
      if (each.display_name === name) named.push(each);
      else others += 1;
      if (others > MOST_OTHERS) break;
    }
  }
  return named;
}

/**
 * Returns the ids that a parent contains. A library lists nothing in a collection that the account may not read: then this
 * throws, because existing collections would count as new once the account may read the parent again.
 */
async function idsIn(client: SiteClient, parentId: string, signal: AbortSignal | undefined): Promise<string[]> {
  const ids = (await childrenOf(client, parentId, signal)).map(({ id }) => id);
  if (ids.length === 0) await getCollection(client, parentId, signal);
  return ids;
}

/** Returns the collections directly in a collection. */
export async function childrenOf(client: SiteClient, parentId: string, signal?: AbortSignal): Promise<Collection[]> {
  const children: Collection[] = [];
  for await (const each of listCollections(client, { parent_id: parentId }, signal))
    if (each.parent_id === parentId) children.push(each);
  return children;
}
