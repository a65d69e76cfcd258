import { badRequest, conflict, forbidden, notFound, Problem } from '../http/problem.ts';
import { findFile } from '../resources/file-row.ts';
import type { ThumbResource } from '../resources/thumb-list.ts';
import type { Site } from '../site/site.ts';
import { UPLOAD_PURPOSE, type UploadGrant } from './descriptor.ts';

/** What the form may weigh beside the file: boundaries, headers, fields. */
const FORM_OVERHEAD_BYTES = 64 * 1024;

/**
 * Decides from the address and the headers alone whether an upload may come, so that a refusal costs no byte:
 * a token not made here 403, a file that is gone 404, one that is past uploading 409, given up 410, a body that can't
 * fit 413 or 400.
 */
export function admitUpload(site: Site, token: string, contentLength: number | undefined): UploadGrant {
  const grant = site.signer.verify<UploadGrant>(UPLOAD_PURPOSE, token);
  if (!grant) throw forbidden('The upload address is not valid.');
  checkStillWanted(site, grant);
  if (contentLength !== undefined && contentLength > grant.size + FORM_OVERHEAD_BYTES) {
    throw new Problem(413, `The upload must have ${grant.size} bytes.`);
  }
  if (contentLength !== undefined && contentLength < grant.size) {
    throw badRequest(`The upload must have ${grant.size} bytes.`);
  }
  return grant;
}

/** Asked before the bytes and again behind them: things may have changed while they came. */
export function checkStillWanted(site: Site, grant: UploadGrant): void {
  if (grant.k === 'thumb') {
    if (!isThere(site, grant.resource ?? 'media', grant.id)) throw notFound('What the thumbnail belongs to');
    return;
  }
  const row = findFile(site.store, grant.id);
  if (!row) throw notFound('Media file');
  if (row.status === 'aborted') throw new Problem(410, 'The upload was given up.');
  if (row.status !== 'uploading') throw conflict('The file has been uploaded already.');
  if (row.stored_name !== null) refuseSecond(site);
}

function isThere(site: Site, resource: ThumbResource, id: number): boolean {
  return site.store.get(`SELECT 1 FROM ${resource} WHERE id = ?`, id) !== undefined;
}

function refuseSecond(site: Site): void {
  const { secondUpload } = site.dialect();
  if (secondUpload === 'replace') return;
  throw new Problem(secondUpload, 'The file has been uploaded already.');
}
