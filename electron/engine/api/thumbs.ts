import { z } from 'zod';
import { blank, linksSchema, numberSchema, readableOf } from '../../../shared/api/wire.ts';
import { AppError } from '../../../shared/contract/app-error.ts';
import { endsRetries } from '../../../shared/contract/errors/error-catalog.ts';
import type { ThumbnailSubject } from '../../../shared/contract/thumbnail-address.ts';
import { unnamed } from './created.ts';
import { type FormDataDescriptor, readDescriptor } from './descriptor.ts';
import type { SiteClient } from './http-client.ts';
import { apiUrl, segment } from './links.ts';

/**
 * POST /api2/<resource>/<id>/thumbs: requests the destination of a thumbnail. The thumbnail is active when its bytes have
 * arrived.
 */
export async function createThumb(
  client: SiteClient,
  resource: ThumbnailSubject,
  id: string,
  input: { upload_name: string; upload_size: number },
  signal?: AbortSignal,
): Promise<FormDataDescriptor> {
  const target = `/api2/${resource}/${segment(id)}/thumbs`;
  const answer = await client.request({ method: 'POST', target, json: input, signal });
  const descriptor = readDescriptor(client, answer);
  if (descriptor === null) throw unnamed(answer, 'no destination for the thumbnail');
  return descriptor;
}

/** A thumbnail of the library. Its address is signed: it must not be stored. */
interface Thumb {
  url: URL;
  /** Pixels; null when the library does not say. */
  width: number | null;
}

const address = blank(z.string().min(1));

/** The API does not specify the fields of a thumbnail: libraries use these names. */
const thumbSchema = z
  .object({
    content_url: address,
    url: address,
    src: address,
    location: address,
    href: address,
    links: linksSchema,
    width: blank(numberSchema),
  })
  .transform(({ content_url, url, src, location, href, links, width }) => ({
    link: content_url ?? url ?? src ?? location ?? href ?? links.content ?? null,
    width,
  }));
const thumbsSchema = readableOf(thumbSchema);

/** A list in any form; null for an answer without a list of thumbnails, such as an empty object. */
const anyThumbs = z.union([
  thumbsSchema,
  z.object({ items: thumbsSchema }).transform(({ items }) => items),
  z.object({ thumbs: thumbsSchema }).transform(({ thumbs }) => thumbs),
  z.object({ thumbs: z.object({ items: thumbsSchema }) }).transform(({ thumbs }) => thumbs.items),
  z.unknown().transform(() => null),
]);

/**
 * GET /api2/<resource>/<id>/thumbs, or the resource with its thumbnails joined when that list is missing. Returns the thumbnails
 * in the order of the library, without those whose address can't be used.
 */
export async function listThumbs(
  client: SiteClient,
  resource: ThumbnailSubject,
  id: string,
  signal: AbortSignal,
): Promise<Thumb[]> {
  const path = `/api2/${resource}/${segment(id)}`;
  const listed = await client.read(anyThumbs, `${path}/thumbs`, undefined, signal).catch((error: unknown) => {
    if (error instanceof AppError && error.code.startsWith('api.') && endsRetries(error.code)) return null;
    throw error;
  });
  const found = listed ?? (await client.read(anyThumbs, path, { joins: 'thumbs' }, signal)) ?? [];
  const from = apiUrl(client.baseUrl, path);
  return found.flatMap(({ link, width }) => {
    const url = link === null ? null : client.resolve(link, from);
    return url === null ? [] : [{ url, width }];
  });
}
