import type { z } from 'zod';
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
import { parseAnswer, type SiteAnswer, type SiteClient, unusable } from './http-client.ts';
import { segment } from './links.ts';
import { itemsOf, pagesOf } from './pages.ts';

export interface FileCreation {
  id: string;
  /** Where the bytes go. Told here and never again; null where the answer does not say it in a readable way. */
  descriptor: FormDataDescriptor | null;
  /** False when the answer broke off: what it lacks may have been in it. */
  isComplete: boolean;
  /** The placeholder as the answer shows it, if it does. */
  file: CreatedFile | null;
}

const filesOf = (mediaId: string) => `/api2/media/${segment(mediaId)}/files`;

/** GET /api2/media/<id>/files. */
export function listFiles(client: SiteClient, mediaId: string, signal?: AbortSignal): AsyncIterable<MediaFile> {
  return itemsOf(pagesOf(client, mediaFileSchema, filesOf(mediaId), undefined, signal));
}

/** GET /api2/media/<id>/files/<id>, with its encodings. */
export function getFile(client: SiteClient, mediaId: string, fileId: string, signal?: AbortSignal): Promise<MediaFile> {
  return client.read(mediaFileSchema, `${filesOf(mediaId)}/${segment(fileId)}`, undefined, signal);
}

/**
 * POST /api2/media/<id>/files: makes a placeholder and asks where its bytes go. The placeholder is given up by the
 * service after 30 minutes without them, so the call is made just before the transfer.
 */
export async function createFile(
  client: SiteClient,
  mediaId: string,
  input: MediaFileInput,
  signal?: AbortSignal,
): Promise<FileCreation> {
  const answer = await client.request({ method: 'POST', target: filesOf(mediaId), json: input, signal });
  const id = createdId(client, answer, filesOf(mediaId));
  const file = readOptional(createdFileSchema, answer);
  return { id, descriptor: readDescriptor(client, answer), isComplete: answer.bodyFault === null, file };
}

/** DELETE /api2/media/<id>/files/<id>: the file and its encodings. Idempotent. */
export async function deleteFile(
  client: SiteClient,
  mediaId: string,
  fileId: string,
  signal?: AbortSignal,
): Promise<void> {
  await client.request({ method: 'DELETE', target: `${filesOf(mediaId)}/${segment(fileId)}`, signal });
}

/**
 * GET …/content: a freshly signed address of the file's bytes, good for `ttl` seconds. Not to be kept or shared.
 * Services answer with JSON as asked, or with the redirect that a browser would get; neither is followed.
 */
export async function contentLocation(
  client: SiteClient,
  mediaId: string,
  fileId: string,
  ttl: number,
  signal?: AbortSignal,
): Promise<string> {
  const answer = await client.request({
    method: 'GET',
    target: `${filesOf(mediaId)}/${segment(fileId)}/content`,
    query: { ttl: Math.min(Math.max(1, Math.floor(ttl)), MAX_CONTENT_TTL_S), json: 1 },
    acceptRedirect: true,
    signal,
  });
  const redirect = answer.status >= 300 ? answer.headers.location : undefined;
  const location = redirect ?? parseAnswer(contentLocationSchema, answer).location;
  const url = client.resolve(location, answer.url);
  if (url === null) throw unusable(answer, 'no address of the contents');
  return url.href;
}

function readOptional<T>(schema: z.ZodType<T>, answer: SiteAnswer): T | null {
  try {
    return parseAnswer(schema, answer);
  } catch {
    // What a body lacks is reported as null; its identifier is read separately.
    return null;
  }
}
