import { z } from 'zod';
import { type MediaFile, mediaFileSchema } from '../../../shared/api/files.ts';
import {
  type MediaFilter,
  type MediaItem,
  type MediaItemInput,
  type MediaListQuery,
  mediaItemSchema,
} from '../../../shared/api/media.ts';
import { blank, countSchema, idSchema, timestampSchema, withDefault } from '../../../shared/api/wire.ts';
import { createdId } from './created.ts';
import { parseAnswer, type SiteClient, unusable } from './http-client.ts';
import { apiUrl, segment } from './links.ts';
import { itemsOf, type Pages, pagesOf } from './pages.ts';

const MEDIA = '/api2/media';

/** POST /api2/media: not idempotent. After an error with the outcome `unknown`, search for the item before a retry. */
export async function createMedia(client: SiteClient, input: MediaItemInput, signal?: AbortSignal) {
  const answer = await client.request({ method: 'POST', target: MEDIA, json: input, signal });
  return { id: createdId(client, answer, MEDIA) };
}

/** GET /api2/media/<id>. */
export function getMedia(client: SiteClient, id: string, signal?: AbortSignal): Promise<MediaItem> {
  return client.read(mediaItemSchema, `${MEDIA}/${segment(id)}`, undefined, signal);
}

/** GET /api2/media: every matching item; pages are fetched on demand. */
export function listMedia(client: SiteClient, query: MediaListQuery, signal?: AbortSignal): AsyncIterable<MediaItem> {
  return itemsOf(mediaPages(client, query, signal));
}

/** GET /api2/media, page by page. After a failure `next()` requests the same page again. */
export function mediaPages(client: SiteClient, query: MediaListQuery, signal?: AbortSignal): Pages<MediaItem> {
  return pagesOf(client, mediaItemSchema, MEDIA, { ...query }, signal);
}

/** An item with its files, if the list contains them; null when they are unreadable. */
export interface MediaFiles {
  id: string;
  created_on: string | null;
  files: MediaFile[] | null;
}

/** GET /api2/media with its files joined. The API does not specify their form: a list, or an envelope. */
export function mediaFilesPages(client: SiteClient, query: MediaListQuery, signal?: AbortSignal): Pages<MediaFiles> {
  return pagesOf(client, mediaFilesSchema, MEDIA, { ...query, joins: 'files' }, signal);
}

const bundledFiles = z.array(mediaFileSchema);
const mediaFilesSchema = z.object({
  id: idSchema,
  created_on: blank(timestampSchema),
  files: z
    .union([bundledFiles, z.object({ items: bundledFiles }).transform(({ items }) => items)])
    .nullish()
    .catch(null)
    .transform((files) => files ?? null),
});

/** An item of a list, with its files if the list contains them; otherwise null. */
export interface ListedMedia extends MediaItem {
  files: MediaFile[] | null;
}

/** GET /api2/media: every matching item, with its files joined if the library supports that. */
export function listMediaWithFiles(
  client: SiteClient,
  query: MediaListQuery,
  signal?: AbortSignal,
): AsyncIterable<ListedMedia> {
  const schema: z.ZodType<ListedMedia> = mediaItemSchema.extend(mediaFilesSchema.shape);
  return itemsOf(pagesOf(client, schema, MEDIA, { ...query, joins: 'files' }, signal));
}

/** GET /api2/media/count. */
export async function countMedia(client: SiteClient, filter: MediaFilter, signal?: AbortSignal): Promise<number> {
  return (await client.read(countSchema, `${MEDIA}/count`, { ...filter }, signal)).count;
}

/** POST /api2/media/<id>: saves only the given fields. The answer differs between libraries: read the item again. */
export async function updateMedia(
  client: SiteClient,
  id: string,
  patch: Partial<MediaItemInput>,
  signal?: AbortSignal,
): Promise<void> {
  await act(client, `${MEDIA}/${segment(id)}`, patch, signal);
}

/** POST /api2/media/<id>/publish. `publish_on` is ISO-8601 UTC; absent or in the past: publishes now. */
export async function publishMedia(
  client: SiteClient,
  id: string,
  options: { publish_on?: string } = {},
  signal?: AbortSignal,
): Promise<void> {
  await act(client, `${MEDIA}/${segment(id)}/publish`, options, signal);
}

/** POST /api2/media/<id>/unpublish: makes it a draft again. */
export async function unpublishMedia(client: SiteClient, id: string, signal?: AbortSignal): Promise<void> {
  await act(client, `${MEDIA}/${segment(id)}/unpublish`, {}, signal);
}

/** POST /api2/media/<id>/add-tags: existing tags stay. */
export async function addTags(client: SiteClient, id: string, tags: string[], signal?: AbortSignal): Promise<void> {
  await act(client, `${MEDIA}/${segment(id)}/add-tags`, { tags }, signal);
}

/** POST /api2/media/<id>/remove-tags: does not change other tags. */
export async function removeTags(client: SiteClient, id: string, tags: string[], signal?: AbortSignal): Promise<void> {
  await act(client, `${MEDIA}/${segment(id)}/remove-tags`, { tags }, signal);
}

/** DELETE /api2/media/<id>: idempotent. */
export async function deleteMedia(client: SiteClient, id: string, signal?: AbortSignal): Promise<void> {
  await client.request({ method: 'DELETE', target: `${MEDIA}/${segment(id)}`, signal });
}

const embedCodeSchema = z.object({ html: z.string(), url: withDefault(z.string(), '') });

/** GET /api2/media/<id>/embedcode: the markup of the player. Sizes in pixels. */
export function getEmbedCode(
  client: SiteClient,
  mediaId: string,
  { width, height }: { width: number; height: number },
  signal?: AbortSignal,
): Promise<z.output<typeof embedCodeSchema>> {
  const query = { width: String(width), height: String(height) };
  return client.read(embedCodeSchema, `${MEDIA}/${segment(mediaId)}/embedcode`, query, signal);
}

const embedTemplateSchema = z.object({ html: z.string() });

/**
 * GET /api2/media/embed-template: the markup of any player, with the texts URL, WIDTH and HEIGHT for its values. Throws `api.malformed`
 * for a template without an address.
 */
export async function getEmbedTemplate(client: SiteClient, signal?: AbortSignal): Promise<string> {
  const answer = await client.get(`${MEDIA}/embed-template`, undefined, signal);
  const { html } = parseAnswer(embedTemplateSchema, answer);
  if (!html.includes('URL')) throw unusable(answer, 'The template has no place for the address.');
  return html;
}

/** Returns the address of the item's player, GET /api2/media/<id>/embed: it redirects to the page of the player. */
export function embedUrlOf(client: SiteClient, mediaId: string): string {
  return apiUrl(client.baseUrl, `${MEDIA}/${segment(mediaId)}/embed`).href;
}

/**
 * Returns the page of the item in the library's own web interface: its link, or GET /api2/media/<id>/view, which redirects there. null
 * for a link that leads to no web page.
 */
export function viewUrlOf(client: SiteClient, { id, links: { view } }: MediaItem): string | null {
  if (typeof view !== 'string' || view === '') return apiUrl(client.baseUrl, `${MEDIA}/${segment(id)}/view`).href;
  return client.resolve(view, apiUrl(client.baseUrl, MEDIA))?.href ?? null;
}

async function act(client: SiteClient, target: string, json: object, signal: AbortSignal | undefined): Promise<void> {
  await client.request({ method: 'POST', target, json, signal });
}
