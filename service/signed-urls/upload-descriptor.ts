import { createHash } from 'node:crypto';
import type { Site } from '../site/site.ts';
import type { ThumbResource } from './thumb-list.ts';

export const UPLOAD_PURPOSE = 'upload';
export const POSTPROCESS_PURPOSE = 'postprocess';
export const FILE_PARAM = 'file';

/** What an upload token says. */
export interface UploadGrant {
  /** Media file or thumbnail. */
  k: 'file' | 'thumb';
  id: number;
  /** Bytes that are to come. */
  size: number;
  /** Of a thumbnail: the resource that it is for. */
  resource?: ThumbResource;
  /** Of a thumbnail: the row that admits one upload. */
  u?: number;
}

/** How to send bytes: the form's address, its file field, the fields that go before it. */
export interface Descriptor {
  protocols: {
    form_data: {
      upload_url: string;
      upload_file_param: string;
      upload_post_params: Record<string, string>;
      /** To be POSTed to once the bytes are there; left out where the upload itself is the end. */
      postprocess_url?: string;
    };
  };
}

/** Where and how the bytes of a media file are to be sent. The URLs carry their own signature; no token goes there. */
export function fileDescriptor(site: Site, row: { id: number; declared_size: number }): Descriptor {
  const descriptor = descriptorFor(site, { k: 'file', id: row.id, size: row.declared_size });
  if (site.dialect().completion !== 'upload-itself') {
    const token = site.signer.sign(POSTPROCESS_PURPOSE, { id: row.id });
    descriptor.protocols.form_data.postprocess_url = `${site.baseUrl}/postprocess/${token}`;
  }
  return descriptor;
}

/** Where and how bytes are to be sent that a token says everything about. */
export function descriptorFor(site: Site, grant: UploadGrant): Descriptor {
  const token = site.signer.sign(UPLOAD_PURPOSE, grant);
  const upload_url = `${site.baseUrl}/upload/${token}`;
  return {
    protocols: {
      form_data: { upload_url, upload_file_param: FILE_PARAM, upload_post_params: postParams(token, grant) },
    },
  };
}

/** The form fields that must come with the file, exactly as they were handed out. */
export function postParams(token: string, grant: UploadGrant): Record<string, string> {
  const policy = Buffer.from(JSON.stringify({ kind: grant.k, size: grant.size })).toString('base64');
  return {
    key: `${grant.k}s/${grant.id}`,
    policy,
    checksum: createHash('sha256').update(token).digest('hex').slice(0, 32),
  };
}
