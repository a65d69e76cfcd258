import type { MediaItem, MediaItemInput } from '../../../shared/api/media.ts';
import { AppError, appError } from '../../../shared/contract/app-error.ts';
import { outcomeOf } from '../api/classify.ts';
import type { SiteClient } from '../api/http-client.ts';
import { createMedia, listMedia } from '../api/media.ts';

/** A request to create an item whose result may be unclear: what a later attempt needs to find the item. */
export interface SentItem {
  collectionId: string;
  title: string;
  /** The ids of the items with this title that the collection contained before. */
  known: readonly string[];
}

interface ItemAttempt {
  /** The attempts that may have created the item; empty: this is the first one. */
  earlier: readonly SentItem[];
  /** Stores the attempts so far, including this one. The request is sent when they are on disk. */
  onSending(sent: readonly SentItem[]): Promise<void>;
  /** This request did not create the item: stores the attempts that still may have. */
  onNotCreated(earlier: readonly SentItem[]): Promise<void>;
}

/**
 * Creates an item once, whatever happens to its requests and to this process. If the reply is lost, or an earlier attempt may
 * have created it, it is the only new item with that title in its collection. Throws the error of the creation, and
 * `edit.creation-unclear` when there are several. Returns the id, and where an earlier attempt created the item.
 */
export async function createItemOnce(
  client: SiteClient,
  input: MediaItemInput & { collection_id: string },
  { earlier, onSending, onNotCreated }: ItemAttempt,
): Promise<{ id: string; createdIn: string }> {
  const known = await madeBy(client, earlier);
  if (known !== null) return known;
  const { collection_id: collectionId, title } = input;
  const equal = await equalItems(client, collectionId, title);
  const sent = [...earlier, { collectionId, title, known: equal.map(({ id }) => id) }];
  await onSending(sent);
  try {
    return { id: (await createMedia(client, input)).id, createdIn: collectionId };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const isSent = outcomeOf(error) === 'unknown';
    if (!isSent) await onNotCreated(earlier);
    const found = isSent ? await afterLostReply(client, sent) : null;
    if (found === null) throw error;
    return found;
  }
}

/** A check that fails proves nothing: the caller reports the error of the creation, and the next attempt checks again. */
async function afterLostReply(client: SiteClient, sent: readonly SentItem[]) {
  try {
    return await madeBy(client, sent);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

/** Returns the item that any of these requests created; null when there is none. */
async function madeBy(
  client: SiteClient,
  sent: readonly SentItem[],
): Promise<{ id: string; createdIn: string } | null> {
  const found = new Map<string, string>();
  for (const { collectionId, title, known } of sent) {
    for (const { id } of await equalItems(client, collectionId, title)) {
      if (!known.includes(id)) found.set(id, collectionId);
    }
  }
  if (found.size > 1) throw appError('edit.creation-unclear', { details: { items: [...found.keys()].join(', ') } });
  const [made] = found;
  return made === undefined ? null : { id: made[0], createdIn: made[1] };
}

/** More items of a collection are not read to find one. */
const MOST_READ = 200;

/** The newest items of a collection that have this title. */
async function equalItems(client: SiteClient, collectionId: string, title: string): Promise<MediaItem[]> {
  const found: MediaItem[] = [];
  let read = 0;
  for await (const item of listMedia(client, { collection_id: collectionId, sort: 'created_on', order: 'desc' })) {
    if (item.title.trim() === title.trim()) found.push(item);
    read += 1;
    if (read >= MOST_READ) break;
  }
  return found;
}
