import { deleteExpiredLinks } from '../accounts/links.ts';
import { deleteOldAudit } from '../audit/audit.ts';
import { deleteOldFailures } from '../oauth/shared-login-limit.ts';
import { deleteExpiredTokens } from '../oauth/tokens.ts';
import { publishDue } from '../resources/media/media-publish.ts';
import { refreshStaleMedia } from '../resources/media/stale-media.ts';
import type { Site } from '../site/site.ts';
import { IS_UPLOADING } from '../site/underway.ts';
import { deleteExpiredThumbUrls } from '../uploads/admit-upload.ts';
import { completeWaitingUploads } from '../uploads/file-arrival.ts';

/**
 * Does the work that is due by time: publishes scheduled items, ends abandoned uploads and deletes their bytes, deletes expired
 * tokens, and completes work that a killed service left incomplete. In read-only mode, only due notifications are sent; they are
 * sent in every mode.
 */
export async function doDueWork(site: Site): Promise<void> {
  await site.settings.refresh();
  site.webhook.wake();
  if (site.settings.current().read_only) return;
  await site.store.exclusively('due-work', () => work(site));
}

async function work(site: Site): Promise<void> {
  const now = site.now();
  for (const id of await publishDue(site.store, Math.floor(now / 1000))) {
    site.journal.effect(now, { name: 'media-published', media_id: id });
  }
  await completeWaitingUploads(site);
  const gone = await abandon(site, now);
  await deleteExpiredTokens(site);
  await deleteExpiredLinks(site);
  await deleteExpiredThumbUrls(site);
  await deleteOldAudit(site);
  await deleteOldFailures(site);
  await refreshStaleMedia(site);
  for (const name of gone) await site.blobs.remove(name);
}

interface Underway {
  id: number;
  stored_name: string | null;
  since: number;
}

/**
 * Ends the uploads that were inactive for too long (or, in some dialects, created too long ago); returns the names of the stored
 * files to delete.
 */
async function abandon(site: Site, now: number): Promise<string[]> {
  const limitMs = site.settings.current().abandoned_minutes * 60_000;
  const since = site.dialect().abandonedSince === 'creation' ? 'created_at' : 'activity_at';
  const inactive = async () =>
    (
      await site.store.all<Underway>(
        `SELECT id, stored_name, ${since} AS since FROM files WHERE ${IS_UPLOADING} AND ${since} < ?`,
        now - limitMs,
      )
    ).filter(({ id }) => since === 'created_at' || now - (site.arrivals.lastAt(id) ?? 0) > limitMs);
  if ((await inactive()).length === 0) return [];
  const rows = await site.store.transaction(async () => {
    // Some may have been completed meanwhile.
    const found = await inactive();
    for (const { id } of found) {
      await site.store.run(
        `UPDATE files SET status = 'aborted', stored_name = NULL, modified_on = ? WHERE id = ?`,
        Math.floor(now / 1000),
        id,
      );
    }
    return found;
  });
  for (const { id } of rows) site.journal.effect(now, { name: 'file-aborted', file_id: id });
  return rows.flatMap(({ stored_name }) => stored_name ?? []);
}

/**
 * Restarts the time after which uploads count as abandoned, because time in read-only mode does not count. Has no effect in
 * dialects in which this time begins with the creation.
 */
export async function restartAbandonedTimers(site: Site): Promise<void> {
  await site.store.run(`UPDATE files SET activity_at = ? WHERE ${IS_UPLOADING}`, site.now());
}
