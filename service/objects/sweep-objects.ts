import type { Store } from '../database/store.ts';
import type { Log } from '../site/site.ts';
import { IS_PROCESSING, IS_UPLOADING } from '../site/underway.ts';
import { isBlobName, isDirectName } from '../storage/blobs.ts';
import { refusal, type S3Client } from '../storage/s3/client.ts';
import { listObjects, listUnfinished } from '../storage/s3/listing.ts';
import type { NamesUnderWay } from '../storage/s3/names-under-way.ts';

const DAY_MS = 86_400_000;
const REMOVED_EVERY_MS = 60_000;
const UNKNOWN_EVERY_MS = DAY_MS;
/** The object that says to which library the objects belong. */
export const OWNER_KEY = 'owner';
/** Removed objects that one round deletes, so that it ends. */
const AT_A_TIME = 500;

interface SweepOptions {
  client: S3Client;
  prefix: string;
  store: Store;
  /** For how long the objects of removed content stay. */
  keepDays: number;
  /** The epoch of the library, which must own the objects. */
  epoch: string;
  underWay: Pick<NamesUnderWay, 'has'>;
  now: () => number;
  log: Log;
  /** Ends the work. */
  signal: AbortSignal;
}

/**
 * Returns the work that deletes objects which nothing needs: those that were removed some days ago, and once a day those that no
 * row names, and unfinished uploads in parts. They are left by a service that was killed, or by a library that was restored. An
 * object stays as long as it is younger than these days, or a row will name it soon. Nothing is deleted when another library has
 * taken the objects meanwhile.
 */
export function createObjectSweep(options: SweepOptions): () => Promise<void> {
  const { now, log, signal } = options;
  let removedAt = Number.NEGATIVE_INFINITY;
  let unknownAt = Number.NEGATIVE_INFINITY;
  return async () => {
    // After a failure too: the store is asked again later, not at once.
    if (now() - removedAt >= REMOVED_EVERY_MS) {
      removedAt = now();
      const due = await dueNames(options);
      if (due.length > 0 && (await isOwned(options))) await deleteRemoved(options, due);
    }
    if (now() - unknownAt >= UNKNOWN_EVERY_MS && !signal.aborted) {
      unknownAt = now();
      if (!(await isOwned(options))) return;
      const count = await deleteUnknown(options);
      if (count > 0) log('deleted objects that no row names', { count });
    }
  };
}

function dueNames({ store, keepDays, now }: SweepOptions): Promise<{ name: string }[]> {
  return store.all<{ name: string }>(
    'SELECT name FROM removed_blobs WHERE removed_at <= ? ORDER BY removed_at LIMIT ?',
    now() - keepDays * DAY_MS,
    AT_A_TIME,
  );
}

async function isOwned({ client, epoch, log, signal }: SweepOptions): Promise<boolean> {
  const answer = await client.send({ method: 'GET', key: OWNER_KEY, signal });
  if (answer.status !== 200) throw refusal(answer);
  if (answer.text === epoch) return true;
  log('no objects are deleted, because another library, or another state of this one, has taken them');
  return false;
}

async function deleteRemoved({ client, store, signal }: SweepOptions, due: readonly { name: string }[]): Promise<void> {
  for (const { name } of due) {
    if (signal.aborted) return;
    if (!(await isNamed(store, name))) await deleteObject(client, name, signal);
    await store.run('DELETE FROM removed_blobs WHERE name = ?', name);
  }
}

async function deleteUnknown(options: SweepOptions): Promise<number> {
  const { client, prefix, underWay, keepDays, now, signal } = options;
  let count = 0;
  const before = now() - Math.max(1, keepDays) * DAY_MS;
  for await (const page of listObjects(client, prefix, signal)) {
    for (const { key, modifiedAt } of page) {
      if (signal.aborted) return count;
      if (!(modifiedAt < before) || (await isNeeded(options, key, modifiedAt))) continue;
      await deleteObject(client, key, signal);
      count += 1;
    }
  }
  for (const { key, uploadId, startedAt } of await listUnfinished(client, prefix, signal)) {
    if (!isBlobName(key) || !(startedAt < before) || underWay.has(key)) continue;
    await client.send({ method: 'DELETE', key, query: { uploadId }, signal });
    count += 1;
  }
  return count;
}

/** Whether an object must stay: also one that is none of the library's content. */
async function isNeeded({ store, underWay }: SweepOptions, key: string, modifiedAt: number): Promise<boolean> {
  if (!isBlobName(key) && !(isDirectName(key) && !(await mayBeCompleted(store, modifiedAt)))) return true;
  return underWay.has(key) || (await isNamed(store, key)) || (await isRemoved(store, key));
}

/** Whether an upload that was there when an object arrived is not complete yet: only its client knows the name of the object. */
async function mayBeCompleted(store: Store, arrivedAt: number): Promise<boolean> {
  const row = await store.get(`SELECT 1 FROM files WHERE ${IS_UPLOADING} AND created_at < ?`, arrivedAt + DAY_MS);
  return row !== undefined;
}

async function deleteObject(client: S3Client, key: string, signal: AbortSignal): Promise<void> {
  const answer = await client.send({ method: 'DELETE', key, signal });
  if (![200, 204, 404].includes(answer.status)) throw refusal(answer);
}

async function isNamed(store: Store, name: string): Promise<boolean> {
  const row = await store.get(
    `SELECT 1 FROM files WHERE stored_name = ? UNION ALL SELECT 1 FROM thumbs WHERE stored_name = ?
     UNION ALL SELECT 1 FROM files WHERE ${IS_PROCESSING} AND incoming_name = ?
     UNION ALL SELECT 1 FROM processing_products WHERE name = ?`,
    name,
    name,
    name,
    name,
  );
  return row !== undefined;
}

const isRemoved = async (store: Store, name: string) =>
  (await store.get('SELECT 1 FROM removed_blobs WHERE name = ?', name)) !== undefined;
