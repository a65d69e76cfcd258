// A cancel while a request about a delivered file is in flight: the upload then shows the state of the library.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PublishChoice } from '../../../../shared/contract/upload-choices.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { allRows, openTestDesk, type TestDesk } from '../../../helpers/engine/engine-host.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { fastClock } from '../../../helpers/time/fast-clock.ts';
import { type ChangingProxy, type PassedReply, startChangingProxy } from '../../../helpers/wire/changing-proxy.ts';

let service: ServiceProcess;
let proxy: ChangingProxy;
let desk: TestDesk;

beforeAll(async () => {
  service = await startService();
  await service.control('PATCH', '/settings', { processing: { outcome: 'complete' } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  proxy = await startChangingProxy(service.baseUrl);
  desk = await openTestDesk({ ...service, baseUrl: proxy.baseUrl }, 'publication', { clock: fastClock(40) });
});
afterEach(async () => {
  await desk.engine.stop();
  await proxy.close();
  desk.profile.remove();
  rmSync(desk.dir, { recursive: true, force: true });
});

const PUBLISH = /\/publish$/;
/** An address for requests that must not reach the library. */
const NOWHERE = '/api2/nowhere';

interface Held {
  /** Selects the reply to hold: the first match is held until the upload is cancelled. */
  fits(url: string, reply: PassedReply): boolean;
  /** Returns the reply that the engine receives; null: none, and the connection closes. */
  gives(reply: PassedReply): PassedReply | null;
  publish: PublishChoice;
  /** The proxy does not forward the request to publish. */
  isIntercepted?: boolean;
}

/** Uploads one file, and cancels it while a reply is held. */
async function cancelDuring({ fits, gives, publish, isIntercepted = false }: Held): Promise<void> {
  const arrived = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  let isHeld = false;
  proxy.change({
    request: (request) => (isIntercepted && PUBLISH.test(request.url) ? { ...request, url: NOWHERE } : request),
    async reply(reply, { url }) {
      if (isHeld || !fits(url, reply)) return reply;
      isHeld = true;
      arrived.resolve();
      await cancelled.promise;
      return gives(reply);
    },
  });
  const { engine, siteId, collectionId, dir } = desk;
  writeFileSync(join(dir, 'take.bin'), 'my recording');
  const defaults = batchDefaultsSchema.parse({ publish });
  await engine.call('uploads.add', { siteId, collectionId, paths: [join(dir, 'take.bin')], defaults });
  engine.startUploads();
  await arrived.promise;
  expect((await engine.call('uploads.cancel', { kind: 'all' })).changed).toBe(1);
  expect((await row())?.state).toBe('cancelled');
  cancelled.resolve();
  await engine.whenUploadsIdle();
}

const row = async () => (await allRows(desk.engine))[0];

async function item() {
  const client = await clientFor(service);
  const { body } = await client.get(`/api2/media?collection_id=${desk.collectionId}`);
  return body.items.map(({ status }: { status: string }) => status);
}

describe('an upload cancelled while its item is being published', () => {
  const isPublication = (url: string) => PUBLISH.test(url);

  it.each<[string, (reply: PassedReply) => PassedReply | null]>([
    ['the publication succeeds', (reply) => reply],
    ['the publication succeeds and its reply is lost', () => null],
  ])('is complete when %s', async (_, gives) => {
    await cancelDuring({ fits: isPublication, gives, publish: { kind: 'now' } });
    await expect.poll(row, { timeout: 60_000 }).toMatchObject({ state: 'complete', error: null });
    expect(await item()).toEqual(['published']);
  });

  it.each<[string, string, string]>([
    ['a time that has passed', 'published', '2001-02-03T04:05:06.789Z'],
    ['a later time with fractions of a second', 'scheduled', '2201-02-03T04:05:06.789Z'],
  ])('is complete when the library published the item for %s and the reply is lost', async (_, status, at) => {
    await cancelDuring({ fits: isPublication, gives: () => null, publish: { kind: 'at', at } });
    await expect.poll(row, { timeout: 60_000 }).toMatchObject({ state: 'complete', error: null });
    expect(await item()).toEqual([status]);
  });

  it('is cancelled and keeps its file as a draft when the publication is refused', async () => {
    await cancelDuring({
      fits: isPublication,
      gives: (reply) => ({ ...reply, status: 403 }),
      publish: { kind: 'now' },
      isIntercepted: true,
    });
    expect(await row()).toMatchObject({ state: 'cancelled' });
    expect(await item()).toEqual(['draft']);
    // A minute later, no request can take effect any more, so the next start sends none.
    await desk.engine.stop();
    const before = proxy.seen.length;
    desk.engine = await desk.profile.open({ clock: fastClock(40) });
    desk.engine.startUploads();
    await desk.engine.whenUploadsIdle();
    expect(proxy.seen.slice(before).filter(({ url }) => url.includes('/media/'))).toEqual([]);
    expect(await row()).toMatchObject({ state: 'cancelled' });
  });

  it('is published when the user retries it', async () => {
    await cancelDuring({ fits: isPublication, gives: () => null, publish: { kind: 'now' }, isIntercepted: true });
    proxy.change({});
    await desk.engine.call('uploads.retry', { kind: 'ids', ids: [(await row())?.id ?? ''] });
    await desk.engine.whenUploadsIdle();
    expect(await row()).toMatchObject({ state: 'complete', error: null });
    expect(await item()).toEqual(['published']);
  });
});

it.each<PublishChoice>([{ kind: 'draft' }, { kind: 'now' }])(
  'a cancel while the library reports the file as complete removes the item of the upload (%o)',
  async (publish) => {
    const fits = (url: string, reply: PassedReply) =>
      /\/files\/\d+$/.test(url) && reply.body.includes('"status":"complete"');
    await cancelDuring({ fits, gives: (reply) => reply, publish });
    await expect.poll(item, { timeout: 60_000 }).toEqual([]);
    expect(await row()).toMatchObject({ state: 'cancelled', mediaId: null });
  },
);
