import type { Site } from '../site/site.ts';
import { createWaker } from '../site/waker.ts';
import {
  claimDeliveries,
  type Delivery,
  postponeDelivery,
  removeAllDeliveries,
  removeDelivery,
  retryDelayMs,
  signatureOf,
} from './deliveries.ts';

const CONCURRENCY = 4;
const TIMEOUT_MS = 10_000;

/** Sends notifications to the site's webhook. The rows are the queue, so it survives a restart. */
export interface WebhookSender {
  /** Sends the notifications that are due. */
  wake(): void;
  /** Aborts running requests; their notifications are sent again after the next start. */
  stop(): Promise<void>;
}

export function createWebhookSender(site: () => Site): WebhookSender {
  const running = new Map<number, Promise<void>>();
  const stopping = new AbortController();

  const waker = createWaker(async () => {
    if (stopping.signal.aborted || running.size >= CONCURRENCY) return;
    try {
      await sendDue();
    } catch (error) {
      // The drive may be full: what has called `wake` is done nevertheless, and the next second brings the next try.
      site().log('no notification could be claimed', { error: String(error) });
    }
  });

  async function sendDue(): Promise<void> {
    const { store, settings, now } = site();
    const due = await claimDeliveries(store, now(), CONCURRENCY - running.size, [...running.keys()]);
    if (due.length === 0) return;
    const { webhook_url: url, webhook_secret: secret } = settings.current();
    if (url === null || secret === null) {
      await removeAllDeliveries(store);
      return;
    }
    for (const delivery of due) {
      const work = deliver(delivery, url, secret)
        .catch((error) => site().log('a notification could not be settled', { error: String(error) }))
        .finally(() => {
          running.delete(delivery.id);
          waker.wake();
        });
      running.set(delivery.id, work);
    }
  }

  async function deliver(delivery: Delivery, url: string, secret: string): Promise<void> {
    const outcome = await post(delivery, url, secret);
    if (stopping.signal.aborted) return;
    const { store, log, journal, now } = site();
    if (outcome === 'taken') {
      await removeDelivery(store, delivery.id);
      journal.effect(now(), { name: 'webhook-taken', delivery_id: delivery.id });
      return;
    }
    const failed = delivery.attempts + 1;
    const delayMs = retryDelayMs(failed);
    log('the webhook did not take a notification', { delivery_id: delivery.id, attempt: failed, outcome });
    journal.effect(now(), {
      name: delayMs === undefined ? 'webhook-given-up' : 'webhook-refused',
      delivery_id: delivery.id,
    });
    if (delayMs === undefined) await removeDelivery(store, delivery.id);
    else await postponeDelivery(store, delivery.id, now() + delayMs);
  }

  /** Any 2xx accepts a notification. Redirects are not followed, because the operator determines the URL. */
  async function post({ id, body }: Delivery, url: string, secret: string): Promise<string> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'library-service',
          'x-library-delivery': String(id),
          'x-library-signature': signatureOf(secret, { id, body }),
        },
        body,
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      return response.ok ? 'taken' : `status ${response.status}`;
    } catch (error) {
      return error instanceof Error ? error.name : 'failed';
    }
  }

  return {
    wake: waker.wake,
    async stop() {
      stopping.abort(new Error('The service stops.'));
      await waker.ended();
      await Promise.all(running.values());
    },
  };
}
