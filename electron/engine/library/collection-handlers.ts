import type { Collection } from '../../../shared/api/collections.ts';
import type { PodcastDetails } from '../../../shared/api/podcasts.ts';
import { AppError, appError, toAppError } from '../../../shared/contract/app-error.ts';
import type { CollectionDetail, Podcast, PodcastPatch } from '../../../shared/contract/collections.ts';
import type { CallOutput, EngineCallName, EventData, HandledInput } from '../../../shared/contract/contract.ts';
import { outcomeOf } from '../api/classify.ts';
import { collectionViewUrl, getCollection } from '../api/collections.ts';
import type { SiteClient } from '../api/http-client.ts';
import { countMedia } from '../api/media.ts';
import { firstCollectionThumb, getPodcastDetails, updatePodcastDetails } from '../api/podcasts.ts';
import { deleteCollections, planDeletion } from './collection-deletion.ts';
import { changedFields, moveCollections, renewSlug, requireUnchanged, saveCollection } from './collection-writes.ts';

type CollectionCallName = Extract<
  EngineCallName,
  | 'library.collectionDetail'
  | 'library.updateCollection'
  | 'library.reslugifyCollection'
  | 'library.moveCollections'
  | 'library.planDeletion'
  | 'library.deleteCollections'
  | 'library.stopDeletion'
  | 'library.podcast'
  | 'library.updatePodcast'
>;
export type CollectionHandlers = {
  [N in CollectionCallName]: (input: HandledInput<N>) => Promise<CallOutput<N>>;
};

interface Options {
  clientFor(siteId: string): SiteClient;
  /** Forgets what is cached of the library after the task, whatever its outcome, and notifies the screens. */
  changing<T>(change: EventData<'onDidChangeLibrary'>, task: () => Promise<T>): Promise<T>;
  onProgress(progress: EventData<'onDidProgressDeletion'>): void;
}

/** The calls about collections and podcast details. Each reads what it changed again from the service. */
export function createCollectionHandlers({ clientFor, changing, onProgress }: Options): CollectionHandlers {
  /** The deletions that are running, by site. */
  const deletions = new Map<string, AbortController>();

  const detailOf = (client: SiteClient, collection: Collection): CollectionDetail => ({
    collection,
    viewUrl: collectionViewUrl(client, collection),
  });

  return {
    async 'library.collectionDetail'({ siteId, collectionId }) {
      const client = clientFor(siteId);
      return detailOf(client, await getCollection(client, collectionId));
    },

    'library.updateCollection'({ siteId, collectionId, patch, expected }) {
      return changing({ siteId, collectionId, mediaId: null }, async () => {
        const client = clientFor(siteId);
        return detailOf(client, await saveCollection(client, collectionId, patch, expected));
      });
    },

    'library.reslugifyCollection'({ siteId, collectionId }) {
      return changing({ siteId, collectionId, mediaId: null }, async () => {
        const client = clientFor(siteId);
        return detailOf(client, await renewSlug(client, collectionId));
      });
    },

    'library.moveCollections'({ siteId, moves }) {
      return changing({ siteId, collectionId: null, mediaId: null }, () => moveCollections(clientFor(siteId), moves));
    },

    'library.planDeletion'({ siteId, collectionIds }) {
      return planDeletion(clientFor(siteId), collectionIds);
    },

    'library.deleteCollections'({ siteId, collectionIds, confirmed }) {
      return changing({ siteId, collectionId: null, mediaId: null }, async () => {
        if (deletions.has(siteId)) {
          throw appError('input.invalid', { message: 'Another deletion is still running in this library.' });
        }
        const stop = new AbortController();
        deletions.set(siteId, stop);
        try {
          return await deleteCollections(clientFor(siteId), {
            collectionIds,
            confirmed,
            signal: stop.signal,
            onProgress: (deletedItems, items) => onProgress({ siteId, deletedItems, items }),
          });
        } finally {
          deletions.delete(siteId);
        }
      });
    },

    async 'library.stopDeletion'({ siteId }) {
      deletions.get(siteId)?.abort();
      return null;
    },

    async 'library.podcast'({ siteId, collectionId }) {
      return readPodcast(clientFor(siteId), collectionId);
    },

    'library.updatePodcast'({ siteId, collectionId, patch, expected }) {
      return changing({ siteId, collectionId, mediaId: null }, async () => {
        const client = clientFor(siteId);
        await savePodcast(client, collectionId, patch, expected);
        return readPodcast(client, collectionId);
      });
    },
  };
}

/** Throws `collection.not-a-podcast`, and what the requests throw. */
async function readPodcast(client: SiteClient, collectionId: string): Promise<Podcast> {
  const collection = await getCollection(client, collectionId);
  if (!collection.is_podcast) throw appError('collection.not-a-podcast', { details: { collectionId } });
  const [details, artwork, publishedEpisodes] = await Promise.all([
    getPodcastDetails(client, collectionId),
    unlessRefused(firstCollectionThumb(client, collectionId), 'unknown' as const),
    unlessRefused(countEpisodes(client, collectionId), null),
  ]);
  return { details, collection, viewUrl: collectionViewUrl(client, collection), artwork, publishedEpisodes };
}

async function countEpisodes(client: SiteClient, collectionId: string): Promise<number> {
  const query = { collection_id: collectionId, status: 'published' };
  const [audio, video] = await Promise.all(['audio', 'video'].map((type) => countMedia(client, { ...query, type })));
  return (audio ?? 0) + (video ?? 0);
}

/** What only informs must not hide the details: thumbnails are unfinished in the API, and rights differ. */
async function unlessRefused<T, F>(asked: Promise<T>, otherwise: F): Promise<T | F> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('api.')) return otherwise;
    throw error;
  }
}

/**
 * Saves podcast details. An update whose reply was lost counts as saved when the details have all values. Throws
 * `collection.changed` when a value is not the expected one any more.
 */
async function savePodcast(
  client: SiteClient,
  id: string,
  patch: PodcastPatch,
  expected: Partial<PodcastDetails>,
): Promise<void> {
  if (Object.keys(expected).length > 0) requireUnchanged(await getPodcastDetails(client, id), expected);
  if (Object.keys(patch).length === 0) return;
  try {
    await updatePodcastDetails(client, id, patch);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (outcomeOf(error) !== 'unknown') throw error;
    const now = await getPodcastDetails(client, id).catch(() => null);
    if (now === null || changedFields<PodcastPatch>(now as PodcastPatch, patch).length > 0) throw error;
  }
}
