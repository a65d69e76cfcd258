import { check, isString } from '../suite/expect.ts';
import { Failure } from '../suite/failure.ts';
import { type Answer, at, isObject, type Json } from './answer.ts';
import type { Site } from './site.ts';

/** Where and how the bytes of a file are to be sent. */
export interface Descriptor {
  uploadUrl: string;
  fileParam: string;
  fields: Readonly<Record<string, string>>;
  /** Null where the upload itself is the end. */
  postprocessUrl: string | null;
}

/** Reads the `upload` of a creation's body. */
export function descriptorOf(answer: Answer): Descriptor {
  const form = at(answer.object(), 'upload.protocols.form_data');
  if (!isObject(form)) throw new Failure(`upload.protocols.form_data is missing: ${answer}`);
  const { upload_url, upload_file_param, upload_post_params, postprocess_url } = form;
  isString(upload_url, 'upload_url');
  isString(upload_file_param, 'upload_file_param');
  if (!isObject(upload_post_params)) throw new Failure(`upload_post_params is not an object: ${answer}`);
  return {
    uploadUrl: upload_url,
    fileParam: upload_file_param,
    fields: Object.fromEntries(Object.entries(upload_post_params).map(([name, value]) => [name, textOf(value)])),
    postprocessUrl: typeof postprocess_url === 'string' ? postprocess_url : null,
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/**
 * Sends the bytes as a form-data upload and, where there is such an address, notifies the server. No
 * token goes to either. The API does not show what they answer: 2xx and 303 count as done.
 */
export async function upload(site: Site, to: Descriptor, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const form = new FormData();
  for (const [field, value] of Object.entries(to.fields)) form.append(field, value);
  form.append(to.fileParam, new Blob([bytes]), name);
  took(await site.send('POST', to.uploadUrl, { form }));
  if (to.postprocessUrl === null) return;
  const type = 'application/x-www-form-urlencoded';
  took(await site.send('POST', to.postprocessUrl, { raw: { type, text: '' } }));
}

function took(answer: Answer): void {
  check(answer.ok || answer.status === 303, `The upload was not taken: ${answer}`);
}
