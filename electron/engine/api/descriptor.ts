import { z } from 'zod';
import { type UploadDescriptor, uploadDescriptorSchema } from '../../../shared/api/files.ts';
import { orderedFormFields } from '../../../shared/api/form-fields.ts';
import { parseOptional, type SiteAnswer, type SiteClient } from './http-client.ts';

export type FormDataDescriptor = UploadDescriptor['protocols']['form_data'];

const bodySchema = z.object({ upload: uploadDescriptorSchema });
const FIELDS_PATH = ['upload', 'protocols', 'form_data', 'upload_post_params'];

/**
 * Returns the upload descriptor in the answer to a creation, with an absolute `upload_url` and the form fields in the
 * order of the answer's text. Ignores all other fields. Returns null when there is no usable descriptor.
 */
export function readDescriptor(client: SiteClient, answer: SiteAnswer): FormDataDescriptor | null {
  // The identifier is read separately; a body without a usable destination is a known case.
  const descriptor = parseOptional(bodySchema, answer)?.upload.protocols.form_data;
  if (descriptor === undefined) return null;
  const upload = client.resolve(descriptor.upload_url, answer.url);
  if (upload === null) return null;
  const upload_post_params = orderedFormFields(answer.body, FIELDS_PATH) ?? descriptor.upload_post_params;
  return { ...descriptor, upload_post_params, upload_url: upload.href };
}
