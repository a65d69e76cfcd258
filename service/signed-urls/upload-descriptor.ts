import { createHash } from 'node:crypto';
import type { Site } from '../site/site.ts';
import type { ThumbResource } from './thumb-list.ts';

export const UPLOAD_PURPOSE = 'upload';
export const POSTPROCESS_PURPOSE = 'postprocess';
export const FILE_PARAM = 'file';

/** The payload of a token that completes an upload. */
export interface PostprocessGrant {
  id: number;
  /** The name of what the client sends to the storage itself; absent when it sends it to the service. */
  n?: string;
}

/** The payload of an upload token. Short names keep the URL short. */
export interface UploadGrant {
  /** Media file or thumbnail. */
  k: 'file' | 'thumb';
  id: number;
  /** Expected number of bytes. */
  size: number;
  /** For a thumbnail: the type of the resource that it belongs to. */
  resource?: ThumbResource;
  /** For a thumbnail: the row that permits one upload. */
  u?: number;
}

/** The destination of an upload: the URL of the form, its file field, and the fields that precede it. */
export interface Descriptor {
  protocols: {
    form_data: {
      upload_url: string;
      upload_file_param: string;
      upload_post_params: Record<string, string>;
      /** The URL to POST to after the upload; absent when the upload itself completes the file. */
      postprocess_url?: string;
    };
  };
}

/** Returns the upload descriptor of a media file. Its URLs carry a signature; no access token is sent to them. */
export function fileDescriptor(site: Site, row: { id: number; declared_size: number }): Descriptor {
  if (site.dialect().completion === 'upload-itself') return gatewayDescriptor(site, row);
  const form = site.blobs.direct?.offer(row.declared_size, directUntil(site));
  const descriptor =
    form === undefined ? gatewayDescriptor(site, row) : descriptorOf(form.url, form.fileParam, form.fields);
  const grant: PostprocessGrant = { id: row.id, ...(form === undefined ? {} : { n: form.name }) };
  descriptor.protocols.form_data.postprocess_url = `${site.baseUrl}/postprocess/${site.signer.sign(POSTPROCESS_PURPOSE, grant)}`;
  return descriptor;
}

/** The time when an upload is given up whose bytes the service does not see. The clock is that of the store. */
function directUntil(site: Site): Date {
  return new Date(Date.now() + site.settings.current().abandoned_minutes * 60_000);
}

function gatewayDescriptor(site: Site, row: { id: number; declared_size: number }): Descriptor {
  return descriptorFor(site, { k: 'file', id: row.id, size: row.declared_size });
}

/** Returns an upload descriptor whose URL contains the signed grant. */
export function descriptorFor(site: Site, grant: UploadGrant): Descriptor {
  const token = site.signer.sign(UPLOAD_PURPOSE, grant);
  const upload_url = `${site.baseUrl}/upload/${token}`;
  return descriptorOf(upload_url, FILE_PARAM, postParams(token, grant));
}

function descriptorOf(
  upload_url: string,
  upload_file_param: string,
  upload_post_params: Record<string, string>,
): Descriptor {
  return { protocols: { form_data: { upload_url, upload_file_param, upload_post_params } } };
}

/** Returns the form fields that must precede the file, exactly as issued. */
export function postParams(token: string, grant: UploadGrant): Record<string, string> {
  const policy = Buffer.from(JSON.stringify({ kind: grant.k, size: grant.size })).toString('base64');
  return {
    key: `${grant.k}s/${grant.id}`,
    policy,
    checksum: createHash('sha256').update(token).digest('hex').slice(0, 32),
  };
}
