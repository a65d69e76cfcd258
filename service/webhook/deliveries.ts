import { createHmac } from 'node:crypto';
import type { Store } from '../database/store.ts';
import { type FileRow, filePath } from '../resources/files/file-row.ts';
import { mediaPath } from '../resources/media/media-row.ts';
import type { Site } from '../site/site.ts';
import { timestamp } from '../wire/query.ts';

/** A notification that has not been taken yet. It is in the database until it is taken or given up. */
export interface Delivery {
  id: number;
  /** JSON, the same for every attempt. */
  body: string;
  /** Attempts that have failed. */
  attempts: number;
  /** Epoch ms. */
  due_at: number;
}

const MAX_RETRIES = 14;

/**
 * Notes that the processing of a file has ended, if the site has a webhook. To be called in the transaction that moves
 * the file to `complete` or `error`: there is no end without its notification, and no notification without the end.
 */
export function noteEncodingCompleted(site: Site, file: FileRow, status: 'complete' | 'error'): void {
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
  site.store.run('INSERT INTO webhook_deliveries (body, due_at) VALUES (?, ?)', body, now);
}

/** What proves to the receiver that a body comes from here: `sha256=` and its HMAC-SHA-256 in hexadecimal digits. */
export function signatureOf(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** Milliseconds before the next attempt after so many failed ones (5 s · 2ⁿ); undefined when it is time to give up. */
export function retryDelayMs(failed: number): number | undefined {
  return failed > MAX_RETRIES ? undefined : 5000 * 2 ** failed;
}

export function dueDeliveries(store: Store, nowAt: number, limit: number): Delivery[] {
  return store.all<Delivery>(
    'SELECT * FROM webhook_deliveries WHERE due_at <= ? ORDER BY due_at, id LIMIT ?',
    nowAt,
    limit,
  );
}

export function removeDelivery(store: Store, id: number): void {
  store.run('DELETE FROM webhook_deliveries WHERE id = ?', id);
}

export function removeAllDeliveries(store: Store): void {
  store.run('DELETE FROM webhook_deliveries');
}

export function postponeDelivery(store: Store, id: number, dueAt: number): void {
  store.run('UPDATE webhook_deliveries SET attempts = attempts + 1, due_at = ? WHERE id = ?', dueAt, id);
}
