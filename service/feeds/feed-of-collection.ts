import { browsePath, type CollectionRow } from '../resources/collections/collection-row.ts';
import { encodingsOf, type FileRow, originalsOf } from '../resources/files/file-row.ts';
import { contentTypeOf } from '../resources/files/file-types.ts';
import { MEDIA_COLUMNS, type MediaRow, mediaPath, tagsOf } from '../resources/media/media-row.ts';
import { detailsOf } from '../resources/podcasts/podcast-details.ts';
import type { Site } from '../site/site.ts';
import { inOrder } from '../wire/in-order.ts';
import type { FeedEpisode, PodcastFeed } from './feed-xml.ts';

/** The newest episodes are listed: a podcast app reads the whole feed again and again. */
const MOST_EPISODES = 500;

/** Types that every podcast app plays. */
const PLAYED_EVERYWHERE: ReadonlySet<string> = new Set(['audio/mpeg', 'audio/mp4', 'video/mp4']);

/** What a feed is made of. */
type FeedSite = Pick<Site, 'store' | 'baseUrl'>;

export function feedPath({ slug }: Pick<CollectionRow, 'slug'>): string {
  return `/feeds/${encodeURIComponent(slug)}`;
}

/** Returns whether a collection has a feed: it is a podcast whose items visitors without an account may see and play. */
export async function hasFeed(site: Site, { id, is_podcast }: CollectionRow): Promise<boolean> {
  if (!site.settings.current().podcast_feeds || is_podcast !== 1) return false;
  const access = await site.access.ofPublic();
  const isVisible = access.may('collection-read', id) && access.may('media-read', id);
  return isVisible && (access.may('media-play', id) || access.may('media-download', id));
}

/** Returns the feed of a podcast collection: its published episodes with a recording, the newest first. */
export async function feedOf(site: FeedSite, collection: CollectionRow): Promise<PodcastFeed> {
  const details = await detailsOf(site.store, collection.id);
  const at = (path: string) => `${site.baseUrl}${path}`;
  const items = await publishedItems(site, collection.id);
  const episodes = (await inOrder(items, (media) => episodeOf(site, collection, media))).flatMap(
    (episode) => episode ?? [],
  );
  return {
    title: collection.display_name,
    link: at(browsePath(collection)),
    self: at(feedPath(collection)),
    description: collection.description_plain,
    subtitle: details.directory_subtitle ?? null,
    author: details.directory_author_name ?? null,
    email: details.directory_author_email ?? null,
    copyright: details.copyright ?? null,
    isExplicit: details.directory_explicit === 'yes',
    categories: categoriesOf(details.directory_category ?? ''),
    image: (await coverOf(site, collection.id)) === undefined ? null : at(`${feedPath(collection)}/cover`),
    isVideo: episodes.length > 0 && episodes.every(({ enclosure }) => enclosure.contentType.startsWith('video/')),
    episodes,
  };
}

function publishedItems(site: FeedSite, collectionId: number): Promise<MediaRow[]> {
  return site.store.all<MediaRow>(
    `SELECT ${MEDIA_COLUMNS} FROM media m WHERE m.collection_id = ? AND m.status = 'published' AND m.publish_on IS NOT NULL
     AND EXISTS (SELECT 1 FROM files f WHERE f.media_id = m.id AND f.parent_id IS NULL AND f.type = m.type
       AND f.type IN ('audio', 'video') AND f.status = 'complete' AND f.stored_name IS NOT NULL)
     ORDER BY m.publish_on DESC NULLS LAST, m.id DESC LIMIT ?`,
    collectionId,
    MOST_EPISODES,
  );
}

/** Returns undefined for an item that a podcast app can't play. */
async function episodeOf(site: FeedSite, collection: CollectionRow, media: MediaRow): Promise<FeedEpisode | undefined> {
  const file = await episodeFile(site, media);
  if (file === undefined) return undefined;
  return {
    guid: `media:${media.id}:${media.created_on}`,
    title: media.title,
    link: `${site.baseUrl}${mediaPath(media.id)}/view`,
    description: media.description_plain,
    author: media.byline,
    tags: tagsOf(media),
    publishedOn: media.publish_on ?? media.created_on,
    durationS: media.duration,
    enclosure: { ...feedFile(site, collection, file), bytes: file.size },
    transcripts: (await transcriptsOf(site, media)).map((row) => feedFile(site, collection, row)),
  };
}

function feedFile(site: FeedSite, collection: CollectionRow, row: FileRow): { url: string; contentType: string } {
  const path = `${feedPath(collection)}/${row.media_id}/${row.id}.${row.container ?? 'bin'}`;
  return { url: `${site.baseUrl}${path}`, contentType: contentTypeOf(row.container) };
}

/** Returns the recording of an episode: the original if every app plays it, otherwise an encoding, otherwise the original. */
async function episodeFile(site: FeedSite, media: MediaRow): Promise<FileRow | undefined> {
  const isComplete = ({ status, stored_name }: FileRow) => status === 'complete' && stored_name !== null;
  const original = (await originalsOf(site.store, media.id)).find(
    (row) => (row.type === 'audio' || row.type === 'video') && row.type === media.type && isComplete(row),
  );
  if (original === undefined) return undefined;
  const files = [original, ...(await encodingsOf(site.store, original.id)).filter(isComplete)];
  return files.find(({ container }) => PLAYED_EVERYWHERE.has(contentTypeOf(container))) ?? original;
}

async function transcriptsOf(site: FeedSite, media: MediaRow): Promise<FileRow[]> {
  const captions = (await originalsOf(site.store, media.id)).filter(
    ({ type, status }) => type === 'captions' && status === 'complete',
  );
  const best = async (row: FileRow): Promise<FileRow> =>
    (await encodingsOf(site.store, row.id)).find(({ status }) => status === 'complete') ?? row;
  return (await inOrder(captions, best)).filter(({ stored_name }) => stored_name !== null);
}

/** Returns a file of the feed by its id: the recording of an episode, or its captions. */
export async function fileInFeed(site: FeedSite, media: MediaRow, fileId: number): Promise<FileRow | undefined> {
  const recording = await episodeFile(site, media);
  return [...(recording === undefined ? [] : [recording, ...(await transcriptsOf(site, media))])].find(
    ({ id }) => id === fileId,
  );
}

/** The newest thumbnail of the collection. */
export function coverOf(
  site: FeedSite,
  collectionId: number,
): Promise<{ stored_name: string; content_type: string } | undefined> {
  return site.store.get(
    `SELECT stored_name, content_type FROM thumbs WHERE resource = 'collections' AND resource_id = ? ORDER BY id DESC LIMIT 1`,
    collectionId,
  );
}

/** Splits a category and its subcategory, which the API keeps in one text. */
function categoriesOf(text: string): string[] {
  const parts = text.split(/[>:]| \/ /).map((part) => part.trim());
  return parts.filter((part) => part !== '').slice(0, 2);
}
