import type { MediaFile } from '../../../../shared/api/files.ts';
import type { MediaItem } from '../../../../shared/api/media.ts';
import { AppError } from '../../../../shared/contract/app-error.ts';
import type { MediaDetail } from '../../../../shared/contract/library.ts';
import { getCollection } from '../../api/collections.ts';
import { listFiles } from '../../api/files.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { getMedia, viewUrlOf } from '../../api/media.ts';
import type { CollectionCache } from '../collections/collection-cache.ts';

/** More files than any real item has. */
const MAX_FILES = 1000;

/** Fetches everything about one media item. `known`: the item, if it was just read. */
export async function readMediaDetail(
  client: SiteClient,
  collections: CollectionCache,
  mediaId: string,
  known?: MediaItem,
): Promise<MediaDetail> {
  const item = known ?? (await getMedia(client, mediaId));
  const [files, collectionName] = await Promise.all([
    unlessHidden(readFiles(client, mediaId), []),
    unlessHidden<string | null>(nameOf(client, collections, item.collection_id), null),
  ]);
  return { item, files, collectionName, viewUrl: viewUrlOf(client, item) };
}

async function readFiles(client: SiteClient, mediaId: string): Promise<MediaFile[]> {
  const files: MediaFile[] = [];
  for await (const file of listFiles(client, mediaId)) {
    files.push(file);
    if (files.length === MAX_FILES) break;
  }
  return files;
}

async function nameOf(client: SiteClient, collections: CollectionCache, id: string): Promise<string> {
  const known = collections.peek()?.nodes.get(id)?.row.displayName;
  return known ?? (await getCollection(client, id)).display_name;
}

/**
 * Returns the result, or a fallback when the library hides it. An item can be readable although its files or its collection are
 * not.
 */
async function unlessHidden<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'api.forbidden' || error.code === 'api.not-found'))
      return otherwise;
    throw error;
  }
}
