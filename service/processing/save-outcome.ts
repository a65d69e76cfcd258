import type { FileRow } from '../resources/files/file-row.ts';
import { deriveFromFiles } from '../resources/files/files.ts';
import type { Site } from '../site/site.ts';
import { recordEncodingCompleted } from '../webhook/deliveries.ts';
import { claimedFile, endClaim } from './claims.ts';
import type { Facts } from './headers/facts.ts';
import type { Outcome } from './work.ts';

/** Saves the outcome of the file of a claim. Returns false when the claim is lost; then nothing has changed. */
export function finishClaim(site: Site, id: string, outcome: Outcome): Promise<boolean> {
  const { encodings, thumb } = outcome;
  return site.store.transaction(async () => {
    const row = await claimedFile(site.store, id);
    if (row === undefined) return false;
    await saveOutcome(site, row, outcome);
    await endClaim(site.store, id, [...encodings.map((made) => made.storedName), ...(thumb ? [thumb.storedName] : [])]);
    return true;
  });
}

const statusOf = ({ reason }: Outcome) => (reason === null ? 'complete' : 'error');

/** Moves a file from `processing` to `complete` or `error`, with all that was made of it. To be called in a transaction. */
export async function saveOutcome(site: Site, row: FileRow, outcome: Outcome): Promise<void> {
  const { store } = site;
  const { facts, encodings, thumb, reason } = outcome;
  const nowOn = Math.floor(site.now() / 1000);
  const duration = wholeSeconds(facts);
  await store.run(
    `UPDATE files SET status = ?, error_reason = ?, width = ?, height = ?, duration = ?, max_bitrate = ?, processing_starts = 0,
       container = coalesce(container, ?), modified_on = ? WHERE id = ?`,
    statusOf(outcome),
    reason,
    facts?.width ?? null,
    facts?.height ?? null,
    duration,
    facts?.bitrate ?? null,
    facts?.format ?? null,
    nowOn,
    row.id,
  );
  for (const made of encodings) {
    await store.run(
      `INSERT INTO files (media_id, parent_id, source, type, container, status, encoding_profile, display_name, declared_size,
         size, width, height, duration, max_bitrate, stored_name, created_on, modified_on, created_by, created_at, activity_at)
       VALUES (?, ?, 'encoding', ?, ?, 'complete', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      row.media_id,
      row.id,
      row.type,
      made.container,
      made.profile,
      row.display_name,
      made.sizeBytes,
      made.sizeBytes,
      made.facts?.width ?? null,
      made.facts?.height ?? null,
      wholeSeconds(made.facts),
      made.facts?.bitrate ?? null,
      made.storedName,
      nowOn,
      nowOn,
      row.created_by,
      site.now(),
      site.now(),
    );
  }
  if (thumb) {
    await store.run(
      `INSERT INTO thumbs (resource, resource_id, file_id, width, height, content_type, stored_name, created_on)
       VALUES ('media', ?, ?, ?, ?, ?, ?, ?)`,
      row.media_id,
      row.id,
      thumb.width,
      thumb.height,
      thumb.contentType,
      thumb.storedName,
      nowOn,
    );
  }
  await deriveFromFiles(store, { id: row.media_id });
  await store.run('DELETE FROM processing_lost WHERE file_id = ?', row.id);
  await recordEncodingCompleted(site, row, statusOf(outcome));
  await store.afterCommit(() => {
    site.webhook.wake();
    site.journal.effect(site.now(), { name: `file-${statusOf(outcome)}`, file_id: row.id, reason });
    if (reason !== null) site.log('a file could not be processed', { file_id: row.id, reason });
  });
}

function wholeSeconds(facts: Facts | null): number | null {
  return facts?.durationS == null ? null : Math.round(facts.durationS);
}
