import type { Store } from '../database/store.ts';
import type { Log } from '../site/site.ts';
import { IS_PROCESSING } from '../site/underway.ts';
import { isBlobName } from '../storage/blobs.ts';
import type { S3Client } from '../storage/s3/client.ts';
import { listObjects, listUnfinished } from '../storage/s3/listing.ts';

const DAY_MS = 86_400_000;
const REMOVED_EVERY_MS = 60_000;
const UNKNOWN_EVERY_MS = DAY_MS;
/** Removed objects that one round deletes, so that it ends. */
const AT_A_TIME = 500;

interface SweepOptions {
  client: S3Client;
  prefix: string;
  store: Store;
  /** For how long the objects of removed content stay. */
  keepDays: number;
  now: () => number;
  log: Log;
}

/**
 * Returns the work that deletes objects which nothing needs: those that were removed some days ago, and once a day those that no
 * row names, and unfinished uploads in parts. They are left by a service that was killed, or by a library that was restored. An
 * object stays as long as it is younger than these days, because an upload may be storing it.
 */
export function createObjectSweep(options: SweepOptions): () => Promise<void> {
  const { store, now, log } = options;
  let removedAt = Number.NEGATIVE_INFINITY;
  let unknownAt = Number.NEGATIVE_INFINITY;
  return async () => {
    // After a failure too: the store is asked again later, not at once.
    if (now() - removedAt >= REMOVED_EVERY_MS) {
      removedAt = now();
      await deleteRemoved(options);
    }
    if (now() - unknownAt >= UNKNOWN_EVERY_MS && store.isOpen()) {
      unknownAt = now();
      const count = await deleteUnknown(options);
      if (count > 0) log('deleted objects that no row names', { count });
    }
  };
}

async function deleteRemoved({ client, store, keepDays, now }: SweepOptions): Promise<void> {
  const due = store.all<{ name: string }>(
    'SELECT name FROM removed_blobs WHERE removed_at <= ? ORDER BY removed_at LIMIT ?',
    now() - keepDays * DAY_MS,
    AT_A_TIME,
  );
  for (const { name } of due) {
    if (!store.isOpen()) return;
    if (!isNamed(store, name) && !(await deleteObject(client, name))) continue;
    store.run('DELETE FROM removed_blobs WHERE name = ?', name);
  }
}

async function deleteUnknown({ client, prefix, store, keepDays, now }: SweepOptions): Promise<number> {
  let count = 0;
  const before = now() - Math.max(1, keepDays) * DAY_MS;
  for await (const page of listObjects(client, prefix)) {
    for (const { key, modifiedAt } of page) {
      if (!store.isOpen()) return count;
      if (!isBlobName(key) || !(modifiedAt < before) || isNamed(store, key) || isRemoved(store, key)) continue;
      if (await deleteObject(client, key)) count += 1;
    }
  }
  for (const { key, uploadId, startedAt } of await listUnfinished(client, prefix)) {
    if (!isBlobName(key) || !(startedAt < before)) continue;
    await client.send({ method: 'DELETE', key, query: { uploadId } });
    count += 1;
  }
  return count;
}

async function deleteObject(client: S3Client, key: string): Promise<boolean> {
  const { status } = await client.send({ method: 'DELETE', key });
  return status === 204 || status === 200 || status === 404;
}

function isNamed(store: Store, name: string): boolean {
  const row = store.get(
    `SELECT 1 FROM files WHERE stored_name = ? UNION ALL SELECT 1 FROM thumbs WHERE stored_name = ?
     UNION ALL SELECT 1 FROM files WHERE ${IS_PROCESSING} AND incoming_name = ?`,
    name,
    name,
    name,
  );
  return row !== undefined;
}

const isRemoved = (store: Store, name: string) =>
  store.get('SELECT 1 FROM removed_blobs WHERE name = ?', name) !== undefined;
