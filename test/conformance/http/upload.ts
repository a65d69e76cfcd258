import { check, isString } from '../suite/expect.ts';
import { Failure } from '../suite/failure.ts';
import { type Answer, at, isObject, type Json } from './answer.ts';
import type { Site } from './site.ts';

/** Where and how the bytes of a file must be sent. */
export interface Descriptor {
  uploadUrl: string;
  fileParam: string;
  fields: Readonly<Record<string, string>>;
  /** Null when no completion request is needed. */
  postprocessUrl: string | null;
}

/** Reads the `upload` object of an answer to a creation. */
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
 * Sends the bytes as a form-data upload, and then notifies the server if the descriptor has an address for that.
 * Neither request has a token. The API does not specify their answers: 2xx and 303 count as success.
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
