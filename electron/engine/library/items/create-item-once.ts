import type { MediaItemInput, MediaListQuery } from '../../../../shared/api/media.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { MayExistDetails } from '../../../../shared/model/offered-items.ts';
import { canonicalTitle, longestOf } from '../../../../shared/model/title-match.ts';
import { tookNoEffect } from '../../api/classify.ts';
import { getCollection } from '../../api/collections.ts';
import { hasFiles } from '../../api/files.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { createMedia, type ListedMedia, listMediaWithFiles } from '../../api/media.ts';
import {
  compareWithSent,
  conceivableTimes,
  decideRestoredItem,
  type FoundItem,
  type ItemVerdict,
  maySettle,
  possibleTimes,
  type SentItem,
  valuesSumOf,
} from './restored-item.ts';

export interface ItemAttempt {
  /** The attempts that may have created the item; empty: no attempt was made. */
  earlier: readonly SentItem[];
  /** The user’s answer to `edit.item-unclear`: the item, or null for none of them; undefined: the user has not answered. */
  answer?: string | null | undefined;
  /** Stores the attempts that may have created the item, and resolves when they are on disk. */
  store(sent: readonly SentItem[]): Promise<void>;
  /** Whether an item is known to be the result of another creation of this computer. */
  isOfAnother(id: string): boolean;
  /** The titles of other creations of this computer in a collection whose results are not known. */
  rivalsIn(collectionId: string): readonly string[];
  /** Called when a request of this process ended without an answer. */
  onLost(): void;
  /** The time since the last lost answer, in ms; null: an earlier process sent the last request. */
  lostForMs(): number | null;
}

export interface CreatedItem {
  id: string;
  /** The collection in which the item was created. */
  createdIn: string;
  /** The user chose it. */
  isChosen: boolean;
}

type NewItem = MediaItemInput & { collection_id: string };

/**
 * Creates an item once, whatever happens to its requests and to this process. If the reply is lost, or an earlier attempt may
 * have created it, the used item is the one whose place, creation time and values can only be those of the request. Throws the
 * error of the creation; `edit.item-unclear` when an item may be the new one and only the user knows; `edit.item-unfinished`
 * while the library may still be creating it.
 */
export async function createItemOnce(client: SiteClient, input: NewItem, attempt: ItemAttempt): Promise<CreatedItem> {
  let { earlier } = attempt;
  if (earlier.length > 0) {
    const verdict = await lookUp(client, earlier, attempt);
    if (verdict.kind === 'adopt') return adopted(verdict.item, false);
    if (verdict.kind === 'ask') {
      if (attempt.answer === undefined) throw unclear(verdict.items);
      const chosen = verdict.items.find(({ id }) => id === attempt.answer);
      if (chosen !== undefined) return adopted(chosen, true);
      if (attempt.answer !== null) throw notOffered(attempt.answer);
      const others = verdict.items.map(({ id }) => id);
      earlier = earlier.map((sent) => ({ ...sent, known: [...sent.known, ...others] }));
      await attempt.store(earlier);
    }
    const clock = { lostForMs: attempt.lostForMs(), serverNow: client.serverClock.now() };
    if (earlier.some((sent) => maySettle(sent, clock))) throw appError('edit.item-unfinished');
  }
  return create(client, input, earlier, attempt);
}

async function create(
  client: SiteClient,
  input: NewItem,
  earlier: readonly SentItem[],
  attempt: ItemAttempt,
): Promise<CreatedItem> {
  const { collection_id: collectionId, title } = input;
  // A library lists nothing in a collection that the account may not read: existing items would count as new later.
  await getCollection(client, collectionId);
  const now: SentItem = {
    collectionId,
    title,
    known: [],
    valuesSum: valuesSumOf(input),
    sentAt: client.serverClock.now(),
    endedAt: null,
  };
  const sent = { ...now, known: await knownBefore(client, now), sentAt: client.serverClock.now() };
  await attempt.store([...earlier, sent]);
  try {
    const { id } = await createMedia(client, input);
    return { id, createdIn: collectionId, isChosen: false };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (tookNoEffect(error)) {
      await attempt.store(earlier);
      throw error;
    }
    attempt.onLost();
    const all = [...earlier, { ...sent, endedAt: client.serverClock.now() }];
    await attempt.store(all);
    const verdict = await afterLostReply(client, all, attempt);
    if (verdict.kind === 'adopt') return adopted(verdict.item, false);
    throw verdict.kind === 'ask' ? unclear(verdict.items) : error;
  }
}

/**
 * Searches the item after a lost reply. A check that fails proves nothing and returns `none`: the caller reports the error of the
 * creation, and the next attempt checks again.
 */
async function afterLostReply(
  client: SiteClient,
  sent: readonly SentItem[],
  attempt: ItemAttempt,
): Promise<ItemVerdict> {
  try {
    return await lookUp(client, sent, attempt);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'none' };
  }
}

function adopted({ id, collection_id: createdIn }: FoundItem, isChosen: boolean): CreatedItem {
  return { id, createdIn, isChosen };
}

function unclear(found: readonly FoundItem[]): AppError {
  const items = found.map(({ id, title, created_on: createdOn }) => ({ id, title, createdOn }));
  return appError('edit.item-unclear', { details: { items } satisfies MayExistDetails });
}

function notOffered(mediaId: string): AppError {
  return appError('input.invalid', {
    message: 'This item isn’t one of the choices for this edit.',
    details: { mediaId },
  });
}

async function lookUp(
  client: SiteClient,
  sent: readonly SentItem[],
  { isOfAnother, rivalsIn }: Pick<ItemAttempt, 'isOfAnother' | 'rivalsIn'>,
): Promise<ItemVerdict> {
  const found = new Map<string, FoundItem>();
  for (const each of sent) {
    const listed = await listFor(client, each);
    const longest = longestOf(listed.map(({ title }) => title));
    for (const item of listed) {
      const compare = (has: boolean) => compareWithSent({ ...item, hasFiles: has }, each, { longest, isOfAnother });
      const isListed = (item.files?.length ?? 0) > 0;
      // A list may lack files, so the files of a candidate are requested.
      const has = isListed || compare(false) === null ? isListed : await hasFiles(client, item.id);
      const fit = has === null ? null : compare(has);
      if (fit !== null && found.get(item.id)?.isAsSent !== true) found.set(item.id, fit);
    }
  }
  const isRival = sent.some(({ collectionId, title }) =>
    rivalsIn(collectionId).some((each) => canonicalTitle(each) === canonicalTitle(title)),
  );
  return decideRestoredItem([...found.values()], isRival);
}

/** Returns the ids of items that could be mistaken for the result of a request that is not sent yet. */
async function knownBefore(client: SiteClient, sent: SentItem): Promise<string[]> {
  const listed = await listFor(client, sent);
  const context = { longest: longestOf(listed.map(({ title }) => title)), isOfAnother: () => false };
  return listed.flatMap((item) =>
    compareWithSent({ ...item, hasFiles: false }, sent, context) === null ? [] : [item.id],
  );
}

/** Some lists contain drafts only when requested. */
const STATUSES: readonly Pick<MediaListQuery, 'status'>[] = [{}, { status: 'draft' }];
/** The maximum number of read items of a collection when the library reports no time. */
const MOST_READ = 200;

/**
 * Lists the items that a request may have created: the items of its collection, and items that were created anywhere at its time.
 */
async function listFor(client: SiteClient, sent: SentItem): Promise<ListedMedia[]> {
  const listed = new Map<string, ListedMedia>();
  const { collectionId } = sent;
  const after = conceivableTimes(sent)?.from;
  const times = possibleTimes(sent);
  for (const status of STATUSES) {
    const since = after === undefined ? {} : { created_after: after };
    const newest = { sort: 'created_on', order: 'desc' } as const;
    let read = 0;
    for await (const item of listMediaWithFiles(client, {
      collection_id: collectionId,
      ...newest,
      ...since,
      ...status,
    })) {
      read += 1;
      if (isBefore(item.created_on, after) || (after === undefined && read > MOST_READ)) break;
      // Not every library supports the filter.
      if (item.collection_id === collectionId) listed.set(item.id, item);
    }
    if (times === null) continue;
    const within = { created_after: times.from, created_before: times.to, ...newest };
    for await (const item of listMediaWithFiles(client, { ...within, ...status })) {
      if (isBefore(item.created_on, times.from)) break;
      listed.set(item.id, item);
    }
  }
  return [...listed.values()];
}

/**
 * Returns whether an item is older than an instant. A library that ignores the filter of times also lists older items: its list
 * is not read to the end.
 */
function isBefore(createdOn: string | null, instant: string | undefined): boolean {
  return instant !== undefined && Date.parse(createdOn ?? '') < Date.parse(instant);
}
