import { type FileRow, findFile } from '../resources/files/file-row.ts';
import { POSTPROCESS_PURPOSE, type PostprocessGrant, type UploadGrant } from '../signed-urls/upload-descriptor.ts';
import type { JournalEffect } from '../site/journal.ts';
import type { Site } from '../site/site.ts';
import { IS_UPLOADING } from '../site/underway.ts';
import type { IncomingBlob } from '../storage/blobs.ts';
import { OutcomeUnknown } from '../storage/storage-unavailable.ts';
import { conflict, forbidden, notFound, Problem, readOnly } from '../wire/problem.ts';
import { checkCreator, checkUploadAllowed } from './admit-upload.ts';

type Effect = (effect: JournalEffect) => void;

/**
 * Makes the received bytes permanent, then updates the file's row. In this order, a row never refers to an
 * incomplete file.
 */
export async function storeUploadedFile(
  site: Site,
  grant: UploadGrant,
  incoming: IncomingBlob,
  fileName: string,
  effect: Effect,
): Promise<void> {
  const { store, blobs } = site;
  await checkUploadAllowed(site, grant);
  const storedName = await incoming.keep();
  let replaced: string | null = null;
  try {
    await store.transaction(async () => {
      await checkUploadAllowed(site, grant);
      replaced = (await findFile(store, grant.id))?.stored_name ?? null;
      await store.run(
        'UPDATE files SET stored_name = ?, received_name = ?, size = ?, sha256 = NULL, activity_at = ? WHERE id = ?',
        storedName,
        fileName.toWellFormed().slice(0, 500),
        grant.size,
        site.now(),
        grant.id,
      );
      if (completesOnArrival(site)) await startProcessing(site, grant.id);
    });
  } catch (error) {
    // Otherwise the row may be durable that names it.
    if (!(error instanceof OutcomeUnknown)) await blobs.remove(storedName);
    throw error;
  }
  effect({ name: 'bytes-stored', file_id: grant.id, bytes: grant.size });
  if (replaced !== null) await blobs.remove(replaced);
  if (completesOnArrival(site)) site.processing.wake();
}

/**
 * Returns whether the arrival of the bytes completes an upload. In read-only mode it does not; `doDueWork` completes the upload
 * later.
 */
export function completesOnArrival(site: Site): boolean {
  return site.dialect().completion === 'upload-itself' && !site.settings.current().read_only;
}

/** Completes the uploads whose bytes arrived in read-only mode, if in this dialect the arrival completes an upload. */
export async function completeWaitingUploads(site: Site): Promise<void> {
  if (!completesOnArrival(site)) return;
  const waiting = await site.store.all<{ id: number }>(
    `SELECT id FROM files WHERE ${IS_UPLOADING} AND stored_name IS NOT NULL`,
  );
  for (const { id } of waiting) await startProcessing(site, id);
  if (waiting.length > 0) site.processing.wake();
}

/** Completes an upload: its file changes to `processing`. Repeating it has no effect. */
export async function completeUpload(site: Site, token: string, effect: Effect): Promise<void> {
  const grant = site.signer.verify<PostprocessGrant>(POSTPROCESS_PURPOSE, token);
  if (!grant) throw forbidden('The address is not valid.');
  const row = await mayComplete(site, grant);
  if (row?.status !== 'uploading') return;
  if (grant.n !== undefined) {
    await noteDirectUpload(site, row, grant.n);
  } else if (row.stored_name === null) throw conflict('The bytes of the file have not come yet.');
  // It may have been completed, given up or deleted in the meantime.
  const isStarted = await site.store.transaction(
    async () =>
      (await mayComplete(site, grant))?.status === 'uploading' &&
      (await startProcessing(site, row.id, grant.n ?? null)),
  );
  if (!isStarted) return;
  effect({ name: 'file-processing', file_id: row.id });
  site.processing.wake();
}

/** Throws when the bytes that a client sends to the storage itself are not there. */
async function noteDirectUpload({ blobs }: Site, row: FileRow, name: string): Promise<void> {
  const bytes = await blobs.direct?.size(name);
  if (bytes === undefined) throw conflict('The bytes of the file have not come yet.');
  if (bytes !== row.declared_size) throw conflict(`The file has ${bytes} bytes, not ${row.declared_size}.`);
}

async function mayComplete(site: Site, grant: PostprocessGrant): Promise<FileRow | undefined> {
  if (site.settings.current().read_only) throw readOnly();
  const row: FileRow | undefined = await findFile(site.store, grant.id);
  if (!row) throw notFound('Media file');
  site.traffic.uploadCompleted(row.id);
  if (row.status === 'aborted') throw new Problem(410, 'The upload was given up.');
  if (row.status === 'uploading') await checkCreator(site, row);
  return row;
}

/** Returns false when the upload is completed, abandoned or deleted. */
async function startProcessing(site: Site, fileId: number, incomingName: string | null = null): Promise<boolean> {
  const now = site.now();
  const { changes } = await site.store.run(
    `UPDATE files SET status = 'processing', incoming_name = ?, activity_at = ?, modified_on = ? WHERE id = ? AND ${IS_UPLOADING}`,
    incomingName,
    now,
    Math.floor(now / 1000),
    fileId,
  );
  return changes > 0;
}
