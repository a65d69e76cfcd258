import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { retryDelayMs, signatureOf } from '../../../../service/webhook/deliveries.ts';
import { clearJournal, effectsOf } from '../../../helpers/service/journal.ts';
import { clientFor, type ServiceClient } from '../../../helpers/service/service-client.ts';
import { serviceOfFile } from '../../../helpers/service/service-of-file.ts';
import { wav } from '../../../helpers/service/service-samples.ts';
import { type SeenRequest, startSmallServer } from '../../../helpers/wire/small-server.ts';

const SECRET = 'a secret that both sides know';
const service = await serviceOfFile();
let admin: ServiceClient;
let clockMs = 0;

beforeAll(async () => {
  // The tests advance the clock of the service by days; the access token must stay valid.
  await settings({ access_token_s: 365 * 86_400 });
  admin = await clientFor(service);
});
beforeEach(async () => {
  await settings({ webhook_url: null, webhook_secret: SECRET, processing: { delay_ms: 0, outcome: 'auto' } });
  await clearJournal(service);
});

const settings = (patch: Record<string, unknown>) => service.control<Settings>('PATCH', '/settings', patch);
interface Settings {
  webhook_url: string | null;
  webhook_secret: string | null;
}

/** Advances the clock of the service, so that waiting deliveries become due. */
async function later(ms: number): Promise<void> {
  clockMs += ms;
  await settings({ clock_offset_ms: clockMs });
}

/** A receiver with prepared answers; the last one is repeated. */
async function receiver(...statuses: number[]) {
  return startSmallServer((_request, response: ServerResponse) => {
    response.statusCode = statuses.length > 1 ? (statuses.shift() ?? 200) : (statuses[0] ?? 200);
    response.end('ok');
  });
}

async function uploadFile(bytes = wav()): Promise<string> {
  const file = await admin.upload(await admin.createItem('Webhook'), 'a.wav', bytes);
  await admin.processed(file);
  return file;
}

const effects = async (name: string) => (await effectsOf(service, name)).length;
/** Waits until the journal has this number of effects with this name. */
const settled = (name: string, count = 1) => expect.poll(() => effects(name), { timeout: 60_000 }).toBe(count);

describe('the notification about processing', () => {
  test.each([
    ['complete', wav()],
    ['error', Buffer.from('no wave at all')],
  ])('is sent when a file becomes %s, signed, with its ids', async (status, bytes) => {
    const { url, seen } = await receiver(204);
    await settings({ webhook_url: `${url}/hook?site=1` });
    const file = await uploadFile(bytes);
    await settled('webhook-taken');
    expect(seen).toHaveLength(1);
    const [{ method, url: path, headers, body }] = seen as [SeenRequest];
    expect([method, path, headers['content-type']]).toEqual(['POST', '/hook?site=1', 'application/json']);
    const id = headers['x-library-delivery'];
    expect(id).toMatch(/^\d+$/);
    const signature = createHmac('sha256', SECRET).update(`${id}.${body}`).digest('hex');
    expect(headers['x-library-signature']).toBe(`sha256=${signature}`);
    expect(JSON.parse(body)).toEqual({
      event: 'encoding-completed',
      occurred_on: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      media_id: file.split('/')[3],
      file_id: file.split('/')[5],
      status,
      links: { media: file.split('/files')[0], file },
    });
    expect((await admin.get(JSON.parse(body).links.file)).body.status).toBe(status);
  });

  test('is sent for every file, each with its own delivery id', async () => {
    const { url, seen } = await receiver();
    await settings({ webhook_url: url });
    const files = [await uploadFile(), await uploadFile(), await uploadFile()];
    await settled('webhook-taken', 3);
    expect(new Set(seen.map(({ headers }) => headers['x-library-delivery'])).size).toBe(3);
    expect(seen.map(({ body }) => JSON.parse(body).links.file).sort()).toEqual([...files].sort());
  });

  test('is not sent for a file that was processed without a webhook, even when one is set later', async () => {
    await uploadFile();
    const { url, seen } = await receiver();
    await settings({ webhook_url: url });
    await uploadFile();
    await settled('webhook-taken');
    expect(seen).toHaveLength(1);
  });

  test('is sent again unchanged after 10 s and then 20 s when it is refused', async () => {
    const { url, seen } = await receiver(500, 302, 200);
    await settings({ webhook_url: url });
    await uploadFile();
    await settled('webhook-refused');
    await later(9000);
    expect(seen).toHaveLength(1);
    await later(1500);
    await settled('webhook-refused', 2);
    await later(15_000);
    expect(seen).toHaveLength(2);
    await later(6000);
    await settled('webhook-taken');
    expect(seen).toHaveLength(3);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
    expect(new Set(seen.map(({ headers }) => headers['x-library-delivery'])).size).toBe(1);
    await later(86_400_000);
    expect(seen).toHaveLength(3);
  });

  test('is sent once while the webhook takes long, also when the clock is set', async () => {
    const held: ServerResponse[] = [];
    const { url, seen } = await startSmallServer((_request, response: ServerResponse) => void held.push(response));
    await settings({ webhook_url: url });
    await uploadFile();
    await expect.poll(() => seen.length).toBe(1);
    await later(31_000);
    const second = await uploadFile();
    await expect.poll(() => seen.some(({ body }) => JSON.parse(body).links.file === second)).toBe(true);
    expect(seen).toHaveLength(2);
    for (const response of held) response.end();
    await settled('webhook-taken', 2);
  });

  test('survives a kill of the service when the webhook does not accept it', async () => {
    const first = await receiver();
    await settings({ webhook_url: first.url });
    await first.close();
    const file = await uploadFile();
    await settled('webhook-refused');
    await service.kill9();
    await service.restart();
    const second = await receiver();
    await settings({ webhook_url: second.url });
    await later(60_000);
    await expect.poll(() => second.seen.length).toBe(1);
    expect(JSON.parse(second.seen[0]?.body ?? '').links.file).toBe(file);
  });

  test('is dropped after fourteen retries, and when the webhook is removed', async () => {
    const { url, seen } = await receiver(503);
    await settings({ webhook_url: url });
    await uploadFile();
    for (let failed = 1; failed <= 14; failed += 1) {
      await settled('webhook-refused', failed);
      await later(retryDelayMs(failed) ?? 0);
    }
    await settled('webhook-given-up');
    expect(seen).toHaveLength(15);
    await uploadFile();
    await settled('webhook-refused', 15);
    await settings({ webhook_url: null });
    await later(86_400_000);
    const fresh = await receiver();
    await settings({ webhook_url: fresh.url });
    await later(86_400_000);
    const file = await uploadFile();
    await settled('webhook-taken');
    expect(fresh.seen.map(({ body }) => JSON.parse(body).links.file)).toEqual([file]);
  });

  test('delays neither the file nor the stop of the service when the webhook never answers', async () => {
    const { url, seen } = await startSmallServer(() => {});
    await settings({ webhook_url: url });
    await uploadFile();
    await expect.poll(() => seen.length).toBe(1);
    await service.restart();
    await expect.poll(() => seen.length).toBe(2);
    expect(seen[1]?.body).toBe(seen[0]?.body);
  });
});

describe('the settings of the webhook', () => {
  test('generate a secret when there is none', async () => {
    const made = await settings({ webhook_url: 'http://127.0.0.1:9/', webhook_secret: null });
    expect(made.webhook_secret).toMatch(/^[\w-]{32}$/);
    expect((await settings({ page_size: { default: null } })).webhook_secret).toBe(made.webhook_secret);
    expect((await settings({ webhook_url: null })).webhook_secret).toBe(made.webhook_secret);
  });

  test('accept only valid URLs, and no short secret', async () => {
    for (const webhook_url of ['', 'x', 'ftp://a.example/', 'file:///etc/passwd', 'http://a:b@c.example/', 5]) {
      await expect(settings({ webhook_url })).rejects.toThrow('422');
    }
    await expect(settings({ webhook_secret: 'short' })).rejects.toThrow('422');
  });

  test('stay out of the log', async () => {
    const { url } = await receiver(500);
    await settings({ webhook_url: `${url}/token-in-path` });
    await uploadFile();
    await settled('webhook-refused');
    await expect.poll(() => service.log()).toContain('the webhook did not take a notification');
    expect(service.log()).not.toContain('token-in-path');
    expect(service.log()).not.toContain(SECRET);
  });
});

test('the delays of the fourteen retries of a notification are 5 s times 2ⁿ', () => {
  const pauses = Array.from({ length: 14 }, (_, index) => retryDelayMs(index + 1));
  expect(pauses.slice(0, 3)).toEqual([10_000, 20_000, 40_000]);
  expect(pauses.at(-1)).toBe(5000 * 2 ** 14);
  expect(retryDelayMs(15)).toBeUndefined();
});

test.each(['https://portal.example/\r\nhook', ' https://portal.example/hook', 'https://portal.example/a\tb'])(
  'the address %j is refused, because another one would be requested',
  async (webhook_url) => {
    await expect(settings({ webhook_url })).rejects.toThrow(/must be an http\(s\) address/);
  },
);

test('the signature of a notification is the HMAC-SHA-256 of its id and body, in hexadecimal digits', () => {
  // Computed with Python's hmac for '7.what do ya want for nothing?'.
  expect(signatureOf('Jefe', { id: 7, body: 'what do ya want for nothing?' })).toBe(
    'sha256=239f4b39fd23f4376db46b239fae471e7c6824b3931bc60f4c0b745bef8de34f',
  );
});
