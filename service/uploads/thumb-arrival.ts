import { hasTooManyPixels } from '../processing/headers/picture-limits.ts';
import { readHeader } from '../processing/headers/read-header.ts';
import type { UploadGrant } from '../signed-urls/upload-descriptor.ts';
import type { JournalEffect } from '../site/journal.ts';
import type { Site } from '../site/site.ts';
import { OutcomeUnknown } from '../storage/storage-unavailable.ts';
import { badRequest } from '../wire/problem.ts';
import { checkUploadAllowed, markThumbUrlUsed } from './admit-upload.ts';

const IMAGE_TYPES: Readonly<Record<string, string>> = { png: 'image/png', jpeg: 'image/jpeg' };

/** Stores an uploaded thumbnail: a PNG or JPEG, which is in use immediately. */
export async function storeUploadedThumb(
  site: Site,
  grant: UploadGrant,
  temporaryPath: string,
  effect: (effect: JournalEffect) => void,
): Promise<void> {
  const facts = await readHeader(temporaryPath);
  const contentType = IMAGE_TYPES[facts?.format ?? ''];
  if (!facts || !contentType) throw badRequest('A thumbnail must be a PNG or JPEG image.');
  const { width, height } = facts;
  if (width !== null && height !== null && hasTooManyPixels(width, height)) {
    throw badRequest(`The thumbnail has too many pixels (${width} × ${height}).`);
  }
  await checkUploadAllowed(site, grant);
  const { store, blobs } = site;
  const storedName = await blobs.put(temporaryPath);
  try {
    await store.transaction(async () => {
      // The resource may have been deleted, or another upload may have completed, while the file was moved.
      await checkUploadAllowed(site, grant);
      await markThumbUrlUsed(site, grant);
      await insertThumb(site, grant, facts, contentType, storedName);
    });
  } catch (error) {
    // Otherwise the row may be durable that names it.
    if (!(error instanceof OutcomeUnknown)) await blobs.remove(storedName);
    throw error;
  }
  effect({ name: 'thumb-stored', resource: grant.resource ?? 'media', resource_id: grant.id });
}

async function insertThumb(
  site: Site,
  grant: UploadGrant,
  facts: { width: number | null; height: number | null },
  contentType: string,
  storedName: string,
): Promise<void> {
  await site.store.run(
    `INSERT INTO thumbs (resource, resource_id, width, height, content_type, stored_name, created_on)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    grant.resource ?? 'media',
    grant.id,
    facts.width,
    facts.height,
    contentType,
    storedName,
    Math.floor(site.now() / 1000),
  );
}
