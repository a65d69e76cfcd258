import { z } from 'zod';
import { uploadDescriptorSchema } from '../../../shared/api/files.ts';
import type { FormDataDescriptor } from './files.ts';
import { parseAnswer, type SiteClient, unusable } from './http-client.ts';
import { segment } from './links.ts';

/** POST /api2/media/<id>/thumbs: asks where the bytes of a thumbnail go. It is in use once they have arrived. */
export async function createMediaThumb(
  client: SiteClient,
  mediaId: string,
  input: { upload_name: string; upload_size: number },
  signal?: AbortSignal,
): Promise<FormDataDescriptor> {
  const target = `/api2/media/${segment(mediaId)}/thumbs`;
  const answer = await client.request({ method: 'POST', target, json: input, signal });
  const { upload } = parseAnswer(z.object({ upload: uploadDescriptorSchema }), answer);
  const url = client.resolve(upload.protocols.form_data.upload_url, answer.url);
  if (url === null) throw unusable(answer, 'no address for the thumbnail');
  return { ...upload.protocols.form_data, upload_url: url.href };
}
