import {
  type CreatedFile,
  contentLocationSchema,
  createdFileSchema,
  MAX_CONTENT_TTL_S,
  type MediaFile,
  type MediaFileInput,
  mediaFileSchema,
} from '../../../shared/api/files.ts';
import { createdId } from './created.ts';
import { type FormDataDescriptor, readDescriptor } from './descriptor.ts';
import { existing } from './existing.ts';
import { parseAnswer, parseOptional, type SiteClient, unusable } from './http-client.ts';
import { segment } from './links.ts';
import { itemsOf, pagesOf } from './pages.ts';

export interface FileCreation {
  id: string;
  /** The destination of the bytes. Only this answer contains it; null when it is missing or unreadable. */
  descriptor: FormDataDescriptor | null;
  /** False when the answer was truncated: missing data may have been in it. */
  isComplete: boolean;
  /** The placeholder, if the answer contains it. */
  file: CreatedFile | null;
}

const filesOf = (mediaId: string) => `/api2/media/${segment(mediaId)}/files`;

/** GET /api2/media/<id>/files. */
export function listFiles(client: SiteClient, mediaId: string, signal?: AbortSignal): AsyncIterable<MediaFile> {
  return itemsOf(pagesOf(client, mediaFileSchema, filesOf(mediaId), undefined, signal));
}

/**
 * Returns whether an item has a file with any status; null when the item does not exist. A list may show an item that was deleted
 * meanwhile, or that another server of the library does not know yet.
 */
export function hasFiles(client: SiteClient, mediaId: string, signal?: AbortSignal): Promise<boolean | null> {
  const hasAny = async () => {
    for await (const _ of listFiles(client, mediaId, signal)) return true;
    return false;
  };
  return existing(hasAny());
}

/** GET /api2/media/<id>/files/<id>, with its encodings. */
export function getFile(client: SiteClient, mediaId: string, fileId: string, signal?: AbortSignal): Promise<MediaFile> {
  return client.read(mediaFileSchema, `${filesOf(mediaId)}/${segment(fileId)}`, undefined, signal);
}

/**
 * POST /api2/media/<id>/files: creates a placeholder and returns the destination of its bytes. The library abandons it
 * after 30 minutes without bytes, so this is called just before the transfer.
 */
export async function createFile(
  client: SiteClient,
  mediaId: string,
  input: MediaFileInput,
  signal?: AbortSignal,
): Promise<FileCreation> {
  const answer = await client.request({ method: 'POST', target: filesOf(mediaId), json: input, signal });
  const id = createdId(client, answer, filesOf(mediaId));
  // Missing fields of the body are null; the identifier is read separately.
  const file = parseOptional(createdFileSchema, answer);
  return { id, descriptor: readDescriptor(client, answer), isComplete: answer.bodyFault === null, file };
}

/** DELETE /api2/media/<id>/files/<id>: deletes the file and its encodings. Idempotent. */
export async function deleteFile(
  client: SiteClient,
  mediaId: string,
  fileId: string,
  signal?: AbortSignal,
): Promise<void> {
  await client.request({ method: 'DELETE', target: `${filesOf(mediaId)}/${segment(fileId)}`, signal });
}

/**
 * GET …/content: a newly signed address of the file's bytes, valid for `ttlSeconds`. Must not be stored or shared.
 * Libraries answer with JSON as requested, or with the redirect for browsers; neither is followed.
 */
export async function contentLocation(
  client: SiteClient,
  mediaId: string,
  fileId: string,
  ttlSeconds: number,
  signal?: AbortSignal,
): Promise<string> {
  const answer = await client.request({
    method: 'GET',
    target: `${filesOf(mediaId)}/${segment(fileId)}/content`,
    query: { ttl: Math.min(Math.max(1, Math.floor(ttlSeconds)), MAX_CONTENT_TTL_S), json: 1 },
    acceptRedirect: true,
    signal,
  });
  const redirect = answer.status >= 300 ? answer.headers.location : undefined;
  const location = redirect ?? parseAnswer(contentLocationSchema, answer).location;
  const url = client.resolve(location, answer.url);
  if (url === null) throw unusable(answer, 'no address of the contents');
  return url.href;
}
