import { type FileRow, findFile } from '../resources/files/file-row.ts';
import { mayAddFiles } from '../resources/media/media-rights.ts';
import { findMedia, maySee } from '../resources/media/media-row.ts';
import { mayChangeThumbs } from '../resources/thumbnails/thumbs.ts';
import type { ThumbResource } from '../signed-urls/thumb-list.ts';
import { UPLOAD_PURPOSE, type UploadGrant } from '../signed-urls/upload-descriptor.ts';
import type { Call, Site } from '../site/site.ts';
import { badRequest, conflict, forbidden, notFound, Problem, readOnly } from '../wire/problem.ts';
import { FORM_OVERHEAD_BYTES } from './receive-form.ts';

/**
 * Decides by URL and headers whether an upload is accepted, so that a refusal is sent before the body is read. Throws 403 for an
 * invalid token, 404 for a deleted file, 409 for a file that is already uploaded, 410 for an abandoned upload, and 413 or 400 for
 * a body that cannot have the right size.
 */
export async function admitUpload(site: Site, token: string, contentLength: number | undefined): Promise<UploadGrant> {
  const grant = site.signer.verify<UploadGrant>(UPLOAD_PURPOSE, token);
  if (!grant) throw forbidden('The upload address is not valid.');
  await checkUploadAllowed(site, grant);
  if (contentLength !== undefined && contentLength > grant.size + FORM_OVERHEAD_BYTES) {
    throw new Problem(413, `The upload must have ${grant.size} bytes.`);
  }
  if (contentLength !== undefined && contentLength < grant.size) {
    throw badRequest(`The upload must have ${grant.size} bytes.`);
  }
  return grant;
}

/**
 * Checks that the upload is still allowed: its file or resource exists, the URL is usable, and the user who requested it still
 * has the right to upload. Called before the body and again after it, because each may change in between.
 */
export async function checkUploadAllowed(site: Site, grant: UploadGrant): Promise<void> {
  if (grant.k === 'thumb') {
    await checkThumb(site, grant);
    return;
  }
  const row = await findFile(site.store, grant.id);
  if (!row) throw notFound('Media file');
  if (row.status === 'aborted') throw new Problem(410, 'The upload was given up.');
  if (row.status !== 'uploading') throw conflict('The file has been uploaded already.');
  if (row.stored_name !== null) refuseSecond(site);
  await checkCreator(site, row);
}

/** Throws 403 unless the creator of the placeholder may still add files to the item. */
export async function checkCreator(site: Site, row: FileRow): Promise<void> {
  const call = await callOf(site, row.created_by);
  const media = await findMedia(site.store, row.media_id);
  if (!call || !media || !(await maySee(call, media)) || !(await mayAddFiles(call, media))) {
    throw forbidden('The user who started this upload may not add files to the media item any more.');
  }
}

interface ThumbUpload {
  user_id: number;
  expires_at: number;
  is_used: number;
}

async function checkThumb(site: Site, grant: UploadGrant): Promise<void> {
  const { store } = site;
  const resource = grant.resource ?? 'media';
  // A thumbnail is in use immediately, so its upload changes the library.
  if (site.settings.current().read_only) throw readOnly();
  if (!(await resourceExists(site, resource, grant.id))) throw notFound('What the thumbnail belongs to');
  const row = await store.get<ThumbUpload>('SELECT * FROM thumb_uploads WHERE id = ?', grant.u ?? -1);
  if (!row || row.expires_at <= site.now()) throw new Problem(410, 'The upload address has expired.');
  if (row.is_used === 1) refuseSecond(site, 409);
  const call = await callOf(site, row.user_id);
  if (!call || !(await mayChangeThumbs(call, resource, grant.id))) {
    throw forbidden('The user who asked for this address may not send this thumbnail any more.');
  }
}

/** Marks the URL of a thumbnail as used. Call it in the transaction that stores the thumbnail. */
export async function markThumbUrlUsed(site: Site, grant: UploadGrant): Promise<void> {
  await site.store.run('UPDATE thumb_uploads SET is_used = 1 WHERE id = ?', grant.u ?? -1);
}

/** Deletes expired upload URLs of thumbnails. */
export async function deleteExpiredThumbUrls(site: Site): Promise<void> {
  await site.store.run('DELETE FROM thumb_uploads WHERE expires_at <= ?', site.now());
}

/** A call in the name of a user, with the user's present rights; undefined when the user no longer exists or is deactivated. */
async function callOf(site: Site, userId: number | null): Promise<Call | undefined> {
  const row = await site.store.get<{ id: number; is_admin: number }>(
    'SELECT id, is_admin FROM users WHERE id = ? AND deactivated_on IS NULL',
    userId,
  );
  if (!row) return undefined;
  const caller = { userId: row.id, isAdmin: row.is_admin === 1, clientId: '', scope: '' };
  return { site, caller, nowOn: Math.floor(site.now() / 1000), effect: () => {} };
}

async function resourceExists(site: Site, resource: ThumbResource, id: number): Promise<boolean> {
  return (await site.store.get(`SELECT 1 FROM ${resource} WHERE id = ?`, id)) !== undefined;
}

/** Throws for a second upload. `otherwise`: the status where the dialect would accept a second upload. */
function refuseSecond(site: Site, otherwise?: 409): void {
  const { secondUpload } = site.dialect();
  const status = secondUpload === 'replace' ? otherwise : secondUpload;
  if (status !== undefined) throw new Problem(status, 'The file has been uploaded already.');
}
