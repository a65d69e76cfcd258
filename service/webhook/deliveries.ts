import { createHmac } from 'node:crypto';
import type { Store } from '../database/store.ts';
import { type FileRow, filePath } from '../resources/files/file-row.ts';
import { mediaPath } from '../resources/media/media-row.ts';
import type { Site } from '../site/site.ts';
import { timestamp } from '../wire/query.ts';

/** A pending notification. It stays in the database until the webhook accepts it or the last retry fails. */
export interface Delivery {
  id: number;
  /** JSON, equal in every attempt. */
  body: string;
  /** Number of failed attempts. */
  attempts: number;
  /** Epoch ms. */
  due_at: number;
}

const MAX_RETRIES = 14;

/**
 * Records a notification that the processing of a file has ended, if the site has a webhook. Call it in the transaction
 * that moves the file to `complete` or `error`, so that neither is stored without the other.
 */
export async function recordEncodingCompleted(site: Site, file: FileRow, status: 'complete' | 'error'): Promise<void> {
  if (site.settings.current().webhook_url === null) return;
  const now = site.now();
  const body = JSON.stringify({
    event: 'encoding-completed',
    occurred_on: timestamp(Math.floor(now / 1000)),
    media_id: String(file.media_id),
    file_id: String(file.id),
    status,
    links: { media: mediaPath(file.media_id), file: filePath(file) },
  });
  await site.store.run('INSERT INTO webhook_deliveries (body, due_at) VALUES (?, ?)', body, now);
}

/**
 * The signature by which the receiver verifies the origin: `sha256=` and the HMAC-SHA-256 of `<id>.<body>` in hexadecimal digits.
 * The id is signed too: by it the receiver recognizes a repetition, which must not pass for a new notification.
 */
export function signatureOf(secret: string, { id, body }: Pick<Delivery, 'id' | 'body'>): string {
  return `sha256=${createHmac('sha256', secret).update(`${id}.${body}`).digest('hex')}`;
}

/** Returns the milliseconds until the next attempt after this number of failures (5 s · 2ⁿ); undefined after the last attempt. */
export function retryDelayMs(failed: number): number | undefined {
  return failed > MAX_RETRIES ? undefined : 5000 * 2 ** failed;
}

/** A notification whose sender does not settle it within this time is sent again. */
const DELIVERY_LEASE_MS = 30_000;

/** Claims notifications that are due and that nobody sends. `except`: those that this process sends, however late it is. */
export function claimDeliveries(
  store: Store,
  nowAt: number,
  limit: number,
  except: readonly number[],
): Promise<Delivery[]> {
  return store.all<Delivery>(
    `UPDATE webhook_deliveries SET claimed_until = ? WHERE id IN (
       SELECT id FROM webhook_deliveries WHERE due_at <= ? AND claimed_until <= ?
         AND id NOT IN (SELECT value FROM json_each(?)) ORDER BY due_at, id LIMIT ?)
     RETURNING id, body, attempts, due_at`,
    nowAt + DELIVERY_LEASE_MS,
    nowAt,
    nowAt,
    JSON.stringify(except),
    limit,
  );
}

/** For the start: no process sends what an earlier run has claimed, unless there are other processes. */
export async function releaseDeliveries(store: Store): Promise<void> {
  if (store.isShared) return;
  await store.run('UPDATE webhook_deliveries SET claimed_until = 0');
}

export async function removeDelivery(store: Store, id: number): Promise<void> {
  await store.run('DELETE FROM webhook_deliveries WHERE id = ?', id);
}

export async function removeAllDeliveries(store: Store): Promise<void> {
  await store.run('DELETE FROM webhook_deliveries');
}

export async function postponeDelivery(store: Store, id: number, dueAt: number): Promise<void> {
  await store.run(
    'UPDATE webhook_deliveries SET attempts = attempts + 1, due_at = ?, claimed_until = 0 WHERE id = ?',
    dueAt,
    id,
  );
}
