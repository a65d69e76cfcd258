// The back-off of the API fits one request: what scattered errors, Retry-After and read-only mode come to, on real sockets.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { batchDefaultsSchema, type PublishChoice, type UploadRow } from '../../../../shared/contract/uploads.ts';
import {
  allRows,
  createTestProfile,
  makeCollection,
  signInEngine,
  type TestProfile,
} from '../../../helpers/engine-host.ts';
import { type ErringProxy, nameOfRequest, startErringProxy, type WholeRequest } from '../../../helpers/erring-proxy.ts';
import { type FastClock, fastClock } from '../../../helpers/fast-clock.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

const SPEED = 40;

let service: ServiceProcess;
let proxy: ErringProxy;
let profile: TestProfile;
let engine: Engine;
let siteId: string;
let collectionId: string;
let clock: FastClock;
let dir: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  proxy = await startErringProxy(service.baseUrl);
  profile = createTestProfile(service);
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-errors-'));
  clock = fastClock(SPEED);
  engine = await profile.open({ clock });
  siteId = await signInEngine(engine, { ...service, baseUrl: proxy.baseUrl });
  collectionId = await makeCollection(engine, siteId, `errors ${profile.dir.slice(-6)}`);
});
afterEach(async () => {
  await engine.stop();
  await proxy.close();
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

/** Adds so many small files, lets the library err from then on, and waits until nothing is left to do. */
async function upload(
  count: number,
  decide: ErringProxy['decide'],
  publish: PublishChoice = { kind: 'draft' },
): Promise<{ rows: UploadRow[]; tookS: number }> {
  await add(count, publish);
  proxy.decide = decide;
  const startedAt = clock.now();
  engine.startUploads();
  await engine.whenUploadsIdle();
  return { rows: await allRows(engine), tookS: (clock.now() - startedAt) / 1000 };
}

async function add(count: number, publish: PublishChoice = { kind: 'draft' }): Promise<void> {
  const paths = Array.from({ length: count }, (_, index) => {
    const path = join(dir, `Lecture ${index + 1}.bin`);
    writeFileSync(path, `${path} ${'x'.repeat(1000)}`);
    return path;
  });
  const defaults = { ...batchDefaultsSchema.parse({}), publish };
  await engine.call('uploads.add', { siteId, collectionId, paths, defaults });
}

const isWork = ({ url }: WholeRequest) => !url.includes('/oauth/');

/** An error the first time that each request is made. */
function onceEach(answer: { status: number; body?: string; headers?: Record<string, string> }) {
  const met = new Set<string>();
  return (request: WholeRequest) => {
    const name = nameOfRequest(request);
    if (!isWork(request) || met.has(name)) return null;
    met.add(name);
    return answer;
  };
}

/** The waits between a failure and its retry that rows showed, in seconds. */
function watchWaits(): number[] {
  const seen = new Map<string, number>();
  const waits: number[] = [];
  engine.on('onDidChangeUploads', ({ rows }) => {
    for (const { id, attempts, nextAttemptAt, error } of rows) {
      if (nextAttemptAt === null || error?.code !== 'api.server-error' || seen.get(id) === attempts) continue;
      seen.set(id, attempts);
      waits.push((nextAttemptAt - clock.now()) / 1000);
    }
  });
  return waits;
}

describe('errors of the library', () => {
  it('that meet every request once delay ten small files by ten seconds each, which is five minutes in all', async () => {
    const waits = watchWaits();
    const { rows, tookS } = await upload(10, onceEach({ status: 500 }), { kind: 'now' });
    expect(rows.map(({ state }) => state)).toEqual(Array(10).fill('complete'));
    expect(waits.length).toBeGreaterThan(60);
    expect(Math.max(...waits)).toBeLessThanOrEqual(10);
    // At most eleven retries a file and the minute in which a creation may yet take effect: 170 s. The rest is this computer's.
    expect(tookS).toBeLessThan(400);
  }, 60_000);

  it('that are scattered over one long upload do not end it, however many', async () => {
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
  }, 60_000);

  it('that meet one request fifteen times in a row end the upload, after the 45 hours of the back-off', async () => {
    clock.setSpeed(40_000);
    let errors = 0;
    const { rows, tookS } = await upload(1, ({ method, url }) => {
      if (method !== 'POST' || !url.endsWith('/files')) return null;
      errors += 1;
      return { status: 500 };
    });
    expect(rows).toMatchObject([{ state: 'failed', attempts: 14, error: { code: 'api.server-error' } }]);
    expect(errors).toBe(15);
    expect(tookS).toBeGreaterThan(163_000);
  }, 60_000);
});
