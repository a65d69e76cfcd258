// The backoff of the API applies to one request: the effect of scattered errors, Retry-After and read-only mode, on real sockets.
import { beforeEach, describe, expect } from 'vitest';
import { EXIT } from '../../../../electron/cli/output/exit-codes.ts';
import {
  exitCodeOfOutcome,
  outcomeOfReceipt,
  receiptSummary,
} from '../../../../electron/cli/uploads/upload-outcome.ts';
import type { PublishChoice } from '../../../../shared/contract/upload-choices.ts';
import { batchDefaultsSchema, type UploadRow } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { makeCollection } from '../../../helpers/engine/engine-host.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';
import type { FastClock } from '../../../helpers/time/fast-clock.ts';
import {
  type ErringProxy,
  nameOfRequest,
  startErringProxy,
  type WholeRequest,
} from '../../../helpers/wire/erring-proxy.ts';

const SPEED = 40;

const it = deskTest().extend('proxy', async ({ service }, { onCleanup }) => {
  const proxy = await startErringProxy(service.baseUrl);
  onCleanup(() => proxy.close());
  return proxy;
});
it.override('speed', SPEED);
it.override('site', ({ service, proxy }) => ({ ...service, baseUrl: proxy.baseUrl }));

let service: ServiceProcess;
let proxy: ErringProxy;
let desk: Desk;
let clock: FastClock;
it.beforeEach(({ service: itsService, proxy: itsProxy, desk: itsDesk, clock: itsClock }) => {
  [service, proxy, desk, clock] = [itsService, itsProxy, itsDesk, itsClock];
});

/** Adds this number of small files, lets the library fail from then on, and waits until every upload has ended. */
async function upload(
  count: number,
  decide: ErringProxy['decide'],
  publish: PublishChoice = { kind: 'draft' },
): Promise<{ rows: UploadRow[]; tookS: number }> {
  await add(count, publish);
  proxy.decide = decide;
  const startedAt = clock.now();
  await desk.run();
  return { rows: await desk.rows(), tookS: (clock.now() - startedAt) / 1000 };
}

async function add(count: number, publish: PublishChoice = { kind: 'draft' }): Promise<void> {
  const paths = Array.from({ length: count }, (_, index) => {
    const name = `Lecture ${index + 1}.bin`;
    return desk.put(name, `${desk.dir} ${name} ${'x'.repeat(1000)}`);
  });
  await desk.add(paths, { publish });
}

const isWork = ({ url }: WholeRequest) => !url.includes('/oauth/');

/** Makes the first attempt of each request fail. */
function onceEach(answer: { status: number; body?: string; headers?: Record<string, string> }) {
  const met = new Set<string>();
  return (request: WholeRequest) => {
    const name = nameOfRequest(request);
    if (!isWork(request) || met.has(name)) return null;
    met.add(name);
    return answer;
  };
}

/** Returns a list that collects the seconds between each failure and its retry, as rows showed them. */
function watchWaits(): number[] {
  const seen = new Map<string, number>();
  const waits: number[] = [];
  desk.engine.on('onDidChangeUploads', ({ rows }) => {
    for (const { id, attempts, nextAttemptAt, error } of rows) {
      if (nextAttemptAt === null || error?.code !== 'api.server-error' || seen.get(id) === attempts) continue;
      seen.set(id, attempts);
      waits.push((nextAttemptAt - clock.now()) / 1000);
    }
  });
  return waits;
}

describe('errors of the library', () => {
  it('delay each request of ten small files by at most ten seconds when every request fails once', async () => {
    const waits = watchWaits();
    const { rows } = await upload(10, onceEach({ status: 500 }), { kind: 'now' });
    expect(rows.map(({ state }) => state)).toEqual(Array(10).fill('complete'));
    expect(waits.length).toBeGreaterThan(60);
    expect(Math.max(...waits)).toBeLessThanOrEqual(10);
    // At most eleven retries for each file.
    expect(waits.length).toBeLessThanOrEqual(110);
  }, 600_000);

  it('do not end a long upload when they are not consecutive, even when there are more than fifteen', async () => {
    await service.control('PATCH', '/settings', { processing: { delay_ms: 8000 } });
    let looks = 0;
    let errors = 0;
    const { rows } = await upload(1, ({ method, url }) => {
      if (method !== 'GET' || !/\/files\/\d+$/.test(url) || errors >= 18) return null;
      looks += 1;
      if (looks % 2 === 1) return null;
      errors += 1;
      return { status: 503 };
    });
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
    expect(errors).toBeGreaterThan(15);
    expect(rows).toMatchObject([{ state: 'complete', error: null, attempts: errors }]);
  }, 600_000);

  it('end the upload as failed after the 45 hours of the backoff when one request fails fifteen times in a row', async () => {
    let errors = 0;
    const { rows, tookS } = await upload(1, ({ method, url }) => {
      if (method !== 'GET' || !/\/files\/\d+$/.test(url)) return null;
      errors += 1;
      // Reads of local files would time out at this speed, but none is read from now on.
      clock.setSpeed(40_000);
      return { status: 500 };
    });
    expect(rows).toMatchObject([{ state: 'failed', attempts: 14, error: { code: 'api.server-error' } }]);
    expect(errors).toBe(15);
    expect(tookS).toBeGreaterThan(163_000);
  }, 600_000);
});

/**
 * Returns the simulated seconds between the first request that was answered with `status` and the next matching ones.
 */
function secondsAfter(status: number, matches: (request: WholeRequest) => boolean): number[] {
  const first = proxy.seen.findIndex((request) => request.status === status);
  const fromMs = proxy.seen[first]?.atMs ?? 0;
  return proxy.seen
    .slice(first + 1)
    .filter((request) => isWork(request) && matches(request))
    .map(({ atMs }) => ((atMs - fromMs) * SPEED) / 1000);
}

const isWrite = ({ method }: WholeRequest) => method !== 'GET';
const isCreation = ({ method, url }: WholeRequest) => method === 'POST' && url === '/api2/media';
const READ_ONLY = JSON.stringify({ message: 'Writes are disabled.' });
/** A timer can be early by some milliseconds of real time: 5 ms are 0.2 s on this clock. */
const SLACK_S = 0.2;

describe('Retry-After', () => {
  it('delays every write of the site, without using a retry, when it comes with read-only mode', async () => {
    let refused = 0;
    const { rows } = await upload(3, (request) => {
      if (!isCreation(request) || refused > 0) return null;
      refused += 1;
      return { status: 503, headers: { 'retry-after': '120', 'content-type': 'application/json' }, body: READ_ONLY };
    });
    expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(Array(3).fill(['complete', 0]));
    // Requests that were in flight at that moment are not counted.
    const later = secondsAfter(503, isWrite).filter((seconds) => seconds > 10);
    expect(later.length).toBeGreaterThan(6);
    expect(Math.min(...later)).toBeGreaterThan(120 - SLACK_S);
  }, 600_000);

  it('delays every request of the site by the server’s clock, without using a retry, when it comes with a 429', async () => {
    let refused = 0;
    const { rows } = await upload(3, (request) => {
      if (!isWork(request) || refused > 0) return null;
      refused += 1;
      const date = 'Mon, 05 Jan 2015 08:00:00 GMT';
      return { status: 429, headers: { 'retry-after': 'Mon, 05 Jan 2015 08:02:00 GMT', date } };
    });
    expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual(Array(3).fill(['complete', 0]));
    const later = secondsAfter(429, () => true).filter((seconds) => seconds > 10);
    expect(Math.min(...later)).toBeGreaterThan(120 - SLACK_S);
  }, 600_000);

  it.each([
    ['the library', (request: WholeRequest) => isCreation(request) && request.body.includes('Lecture 2')],
    ['a destination', ({ url, body }: WholeRequest) => url.startsWith('/upload/') && body.includes('Lecture 2')],
  ])(
    'delays only the upload that received it when it comes with an error of %s',
    async (_, meets) => {
      let refused = 0;
      const { rows } = await upload(3, (request) => {
        if (!meets(request) || refused > 0) return null;
        refused += 1;
        return { status: 502, headers: { 'retry-after': '160' } };
      });
      expect(rows.map(({ state }) => state)).toEqual(Array(3).fill('complete'));
      expect(rows.map(({ attempts }) => attempts).sort()).toEqual([0, 0, 1]);
      const own = secondsAfter(502, ({ body }) => body.includes('Lecture 2'));
      expect(Math.min(...own)).toBeGreaterThan(160 - SLACK_S);
      const others = secondsAfter(502, (request) => isWrite(request) && request.url.startsWith('/upload/'));
      expect(Math.min(...others)).toBeLessThan(160);
    },
    60_000,
  );
});

describe('read-only mode', () => {
  const refusal = {
    status: 503,
    headers: { 'retry-after': '86400', 'content-type': 'application/json' },
    body: READ_ONLY,
  };
  let isReadOnly = false;
  beforeEach(() => {
    isReadOnly = false;
    proxy.decide = (request) => (isReadOnly && isWrite(request) && isWork(request) ? refusal : null);
  });

  const when = (wanted: (counts: Record<string, number>) => boolean) =>
    new Promise<void>((resolve) => {
      desk.engine.on('onDidChangeUploads', ({ totals }) => {
        if (wanted(totals.counts)) resolve();
      });
    });

  /** Adds a file whose request is answered with the maintenance error, so that the breaker of the site opens. */
  async function addOne(name: string): Promise<string> {
    const path = desk.put(name);
    await desk.add([path]);
    return path;
  }

  it('allows polling of uploads in processing, and no write', async () => {
    await service.control('PATCH', '/settings', { processing: { delay_ms: 1500 } });
    await add(2);
    const delivered = when(({ processing }) => processing === 2);
    desk.engine.startUploads();
    await delivered;
    isReadOnly = true;
    const complete = when((counts) => counts.complete === 2);
    const path = await addOne('Third.bin');
    await complete;
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
    const rows = await desk.rows();
    expect(rows.filter(({ state }) => state === 'complete')).toHaveLength(2);
    expect(rows.find((each) => each.path === path)).toMatchObject({ error: { code: 'api.read-only' }, attempts: 0 });
    expect(proxy.seen.filter(({ status }) => status === 503)).toHaveLength(1);
  }, 600_000);

  it('allows the search for an item whose creation got no answer', async () => {
    await add(1);
    let lost = 0;
    const { decide } = proxy;
    proxy.decide = (request) => {
      if (!isCreation(request) || lost > 0) return decide(request);
      lost += 1;
      isReadOnly = true;
      return { status: 500, afterEffect: true };
    };
    const waits = desk.whenRow(({ state }) => state === 'waiting');
    desk.engine.startUploads();
    await waits;
    const found = desk.whenRow(({ mediaId, state }) => mediaId !== null && state === 'queued');
    await addOne('Second.bin');
    expect(await found).toMatchObject({ attempts: 1, error: { code: 'api.read-only' } });
    expect(proxy.seen.filter(({ status }) => status === 503)).toHaveLength(1);
  }, 600_000);

  it('allows only a limited number of uploads at a time to search for duplicates', async () => {
    const other = await makeCollection(desk.engine, desk.siteId, `other ${desk.dir.slice(-6)}`);
    desk.engine.startUploads();
    isReadOnly = true;
    const closed = when(({ waiting }) => waiting === 1);
    await addOne('First.bin');
    await closed;
    const before = proxy.seen.length;
    const names = Array.from({ length: 30 }, (_, index) => `Later ${index}.bin`);
    const paths = names.map((name) => desk.put(name));
    const putBack = new Promise<void>((resolve) => {
      const ids = new Set<string>();
      desk.engine.on('onDidChangeUploads', ({ rows }) => {
        for (const { id, state, error } of rows) if (state === 'queued' && error?.code === 'api.read-only') ids.add(id);
        // Several changes are announced together, so the count can skip a number.
        if (ids.size >= 8) resolve();
      });
    });
    const defaults = batchDefaultsSchema.parse({});
    await desk.engine.call('uploads.add', { siteId: desk.siteId, collectionId: other, paths, defaults });
    await putBack;
    const asked = proxy.seen.slice(before).filter(isWork);
    expect(asked.some(({ method, url }) => method === 'GET' && url.includes(`collection_id=${other}`))).toBe(true);
    expect(asked.filter(isWrite)).toEqual([]);
    const rows = await desk.rows();
    // The other uploads have not begun: they are still queued, without an error.
    expect(rows.filter(({ state, error }) => state === 'queued' && error === null).length).toBeGreaterThanOrEqual(
      30 - 8 - 3,
    );
  }, 600_000);
});

describe('a publication', () => {
  const isPublication = ({ method, url }: WholeRequest) => method === 'POST' && url.endsWith('/publish');
  const forbidden = {
    status: 403,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'You may not publish here.' }),
  };

  it.each([403, 404, 422])(
    'leaves a complete upload with a draft, and can be retried, when it is refused with %i',
    async (status) => {
      const { rows } = await upload(2, (request) => (isPublication(request) ? { ...forbidden, status } : null), {
        kind: 'now',
      });
      const failed = { kind: 'publish', state: 'failed', error: { code: 'upload.not-published' } };
      expect(rows).toMatchObject(Array(2).fill({ state: 'complete', error: null, attempts: 0, followUps: [failed] }));
      const batchId = rows[0]?.batchId ?? '';
      const receipt = await desk.engine.call('uploads.receipt', { batchId });
      expect(receipt.totals).toMatchObject({ added: 2, complete: 2, failed: 0, pending: 0, unpublished: 2 });
      expect(receipt.lines.map(({ errorCode }) => errorCode)).toEqual(Array(2).fill('upload.not-published'));
      expect(exitCodeOfOutcome(outcomeOfReceipt(receipt))).toBe(EXIT.incomplete);
      expect(receiptSummary(receipt)).toContain('2 complete');
      expect(receiptSummary(receipt)).toContain('2 complete items are drafts because the library refused to publish.');

      // A second refusal changes nothing; when it is allowed, the retry publishes the item.
      await desk.engine.call('uploads.retry', { kind: 'all' });
      await desk.engine.whenUploadsIdle();
      expect((await desk.rows())[0]?.followUps).toMatchObject([failed]);
      proxy.decide = () => null;
      await desk.engine.call('uploads.retry', { kind: 'all' });
      await desk.engine.whenUploadsIdle();
      expect((await desk.rows()).map(({ followUps }) => followUps)).toMatchObject(
        Array(2).fill([{ kind: 'publish', state: 'done', error: null }]),
      );
      const { collectionId, siteId } = desk;
      const query = { collectionId, search: '', type: null, status: null, sort: 'created_on', order: 'desc' } as const;
      const shown = await desk.engine.call('library.mediaWindow', {
        query: { siteId, ...query },
        offset: 0,
        limit: 10,
      });
      expect(shown.rows.map((item) => item.status)).toEqual(['published', 'published']);
      const after = await desk.engine.call('uploads.receipt', { batchId });
      expect(after.totals.unpublished).toBe(0);
      expect(exitCodeOfOutcome(outcomeOfReceipt(after))).toBe(EXIT.complete);
    },
    60_000,
  );

  it('is no error when it is refused and the library published the item itself', async () => {
    const { rows } = await upload(
      1,
      (request) => (isPublication(request) ? { ...forbidden, afterEffect: true } : null),
      {
        kind: 'now',
      },
    );
    expect(rows).toMatchObject([{ state: 'complete', error: null, followUps: [] }]);
  }, 600_000);

  it('fails the upload, and reports no draft, when the item was deleted', async () => {
    let deleted = false;
    const { rows } = await upload(
      1,
      (request) => {
        const gone = { ...forbidden, status: 404 };
        if (isPublication(request)) deleted = true;
        return deleted && request.url.startsWith('/api2/media/') ? gone : null;
      },
      { kind: 'now' },
    );
    expect(rows).toMatchObject([{ state: 'failed', error: { code: 'api.not-found' }, followUps: [] }]);
  }, 600_000);
});
