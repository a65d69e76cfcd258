import type { Collection } from '../../../../shared/api/collections.ts';
import { PODCAST_FIELDS } from '../../../../shared/api/podcast-fields.ts';
import type { PodcastDetails } from '../../../../shared/api/podcasts.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { CollectionDetail, Podcast } from '../../../../shared/contract/collections.ts';
import { type CollectionOp, isLocalId } from '../../../../shared/model/edits/collection-ops.ts';
import { collectionViewUrl, getCollection } from '../../api/collections.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { countMedia } from '../../api/media.ts';
import { firstCollectionThumb, getPodcastDetails } from '../../api/podcasts.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import type { LibraryEdits } from '../edit-port.ts';
import { hasNoAnswer } from './collection-cache.ts';
import type { CollectionIndex } from './collection-index.ts';
import { collectionOfRow, effectiveCollection, type KnownCollection } from './effective-collections.ts';

export interface CollectionReadTools {
  clientFor(siteId: string): SiteClient;
  edits(): LibraryEdits;
  mirrors: Pick<Mirrors, 'collectionMoment' | 'putCollection' | 'collectionDetail'>;
  /** The library's tree at the last read, without a request; null: it was never read. */
  storedTree(siteId: string): CollectionIndex | null;
}

/** Reads one collection, or its podcast details, as the user sees them: with the pending edits. */
export class CollectionReads {
  readonly #tools: CollectionReadTools;

  constructor(tools: CollectionReadTools) {
    this.#tools = tools;
  }

  /**
   * Returns a collection. `prefersCopy`: sends no request when this computer has it. Throws `api.not-found` and the errors of the
   * read.
   */
  async detail(siteId: string, collectionId: string, prefersCopy = false): Promise<CollectionDetail> {
    const { clientFor, edits } = this.#tools;
    const id = edits().idOf(collectionId);
    const truth = (prefersCopy ? this.#copyOf(siteId, id) : null) ?? (await this.#truthOf(siteId, id));
    const ops = this.#pendingOps(siteId, id);
    const effective = effectiveCollection(id, truth, ops);
    if (effective === null) throw appError('api.not-found', { details: { collectionId } });
    const viewUrl = truth === null ? null : collectionViewUrl(clientFor(siteId), truth.collection);
    return {
      collection: effective.collection,
      viewUrl,
      ...truth?.marks,
      ...(ops.length > 0 ? { isPending: true } : {}),
    };
  }

  /** Returns podcast details, like `detail`. Throws `collection.not-a-podcast`, `collection.details-not-stored`. */
  async podcast(siteId: string, collectionId: string, prefersCopy = false): Promise<Podcast> {
    const id = this.#tools.edits().idOf(collectionId);
    const stored = prefersCopy ? this.#copyOf(siteId, id) : null;
    const truth = stored?.podcast == null ? await this.#truthOf(siteId, id) : stored;
    const ops = this.#pendingOps(siteId, id);
    const effective = effectiveCollection(id, truth, ops);
    if (effective?.collection.is_podcast !== true) {
      throw appError('collection.not-a-podcast', { details: { collectionId } });
    }
    const { collection } = effective;
    const pending = ops.length > 0 ? { isPending: true } : {};
    const isReadable = truth?.collection.is_podcast === true && truth.marks.isStored !== true;
    if (!isReadable) return { collection, ...storedPodcast(id, truth, ops), ...pending };
    const { podcast, newest } = await this.#newestPodcast(siteId, id, truth.collection);
    const shown = effectiveCollection(id, newest, ops);
    return { ...podcast, collection, details: shown?.podcast ?? podcast.details, ...pending };
  }

  /** Reads podcast details. `newest`: the copy's values from a later request, if there was one. */
  async #newestPodcast(siteId: string, id: string, collection: Collection) {
    const { clientFor, mirrors } = this.#tools;
    const since = mirrors.collectionMoment(siteId);
    const podcast = await readPodcast(clientFor(siteId), collection);
    const isNewest = mirrors.putCollection(siteId, collection, podcast.details, since);
    const newer = isNewest ? null : mirrors.collectionDetail(siteId, id);
    return {
      podcast,
      newest: { collection: newer?.collection ?? collection, podcast: newer?.podcast ?? podcast.details },
    };
  }

  /**
   * Returns a collection as the library has it; from the copy while the library gives no answer. null: the library does not have
   * it yet.
   */
  async #truthOf(siteId: string, id: string): Promise<Truth | null> {
    const { clientFor, mirrors } = this.#tools;
    const client = clientFor(siteId);
    if (isLocalId(id)) return null;
    const since = mirrors.collectionMoment(siteId);
    try {
      const collection = await getCollection(client, id);
      const isNewest = mirrors.putCollection(siteId, collection, null, since);
      const newer = isNewest ? null : mirrors.collectionDetail(siteId, id);
      return { collection: newer?.collection ?? collection, podcast: null, marks: {} };
    } catch (error) {
      if (!hasNoAnswer(error)) throw error;
      const stored = this.#copyOf(siteId, id);
      if (stored === null) throw error;
      return stored;
    }
  }

  /**
   * Returns a collection as the copy has it: all values if they were read once, otherwise those of the tree. null: the copy does
   * not have it.
   */
  #copyOf(siteId: string, id: string): Truth | null {
    const { mirrors, storedTree } = this.#tools;
    const stored = mirrors.collectionDetail(siteId, id);
    if (stored !== null) return { ...stored, marks: { isStored: true } };
    const row = storedTree(siteId)?.nodes.get(id)?.row;
    if (row === undefined) return null;
    return { collection: collectionOfRow(row), podcast: null, marks: { isStored: true, isPartial: true } };
  }

  #pendingOps(siteId: string, id: string): readonly CollectionOp[] {
    return this.#tools.edits().pendingOf(siteId).opsOf.get(id) ?? [];
  }
}

interface Truth extends KnownCollection {
  marks: Pick<CollectionDetail, 'isStored' | 'isPartial'>;
}

const NO_DETAILS = Object.fromEntries(PODCAST_FIELDS.map((field) => [field, null])) as PodcastDetails;

/** Returns the podcast details as this computer has them, with the pending edits. Throws when they were never read. */
function storedPodcast(id: string, truth: Truth | null, ops: readonly CollectionOp[]): Omit<Podcast, 'collection'> {
  if (truth?.collection.is_podcast === true && truth.podcast === null) throw appError('collection.details-not-stored');
  const known = truth === null ? null : { ...truth, podcast: truth.podcast ?? NO_DETAILS };
  const details = effectiveCollection(id, known, ops)?.podcast ?? NO_DETAILS;
  const facts = { viewUrl: null, artwork: 'unknown', publishedEpisodes: null } as const;
  return { ...facts, details, ...(truth?.marks.isStored ? { isStored: true } : {}) };
}

/** Reads the details of a podcast, and the other values that podcast directories check. */
async function readPodcast(client: SiteClient, collection: Collection): Promise<Podcast> {
  const collectionId = collection.id;
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

/**
 * Returns the result, or the fallback when the request is refused. Optional information must not hide the details: thumbnails are
 * unfinished in the API, and rights differ.
 */
async function unlessRefused<T, F>(asked: Promise<T>, otherwise: F): Promise<T | F> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError && error.code.startsWith('api.')) return otherwise;
    throw error;
  }
}
