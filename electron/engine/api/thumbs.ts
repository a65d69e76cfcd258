import { unnamed } from './created.ts';
import { type FormDataDescriptor, readDescriptor } from './descriptor.ts';
import type { SiteClient } from './http-client.ts';
import { segment } from './links.ts';

/**
 * POST /api2/media/<id>/thumbs: requests the destination of a thumbnail. The thumbnail is active when its bytes have
 * arrived.
 */
export async function createMediaThumb(
  client: SiteClient,
  mediaId: string,
  input: { upload_name: string; upload_size: number },
  signal?: AbortSignal,
): Promise<FormDataDescriptor> {
  const target = `/api2/media/${segment(mediaId)}/thumbs`;
  const answer = await client.request({ method: 'POST', target, json: input, signal });
  const descriptor = readDescriptor(client, answer);
  if (descriptor === null) throw unnamed(answer, 'no destination for the thumbnail');
  return descriptor;
}
