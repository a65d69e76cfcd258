import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createMemoryKeychain } from '../../../../electron/engine/ports/system/keychain-memory.ts';
import type { JournalEntry } from '../../../../service/site/journal.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { signInEngine } from '../../../helpers/engine/engine-host.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';

const it = deskTest();

const TOKEN_S = 5;
const PARALLEL = 16;

const keychain = createMemoryKeychain();
it.override({ settings: { access_token_s: TOKEN_S }, host: { parallelTransfers: PARALLEL, keychain } });

let service: ServiceProcess;
let desk: Desk;
let offsetMs = 0;
it.beforeEach(async ({ service: itsService, desk: itsDesk }) => {
  [service, desk] = [itsService, itsDesk];
  offsetMs = (await service.control<{ clock_offset_ms: number }>('GET', '/settings')).clock_offset_ms;
});

async function add(count: number): Promise<string[]> {
  const hashes = Array.from({ length: count }, (_, index) => {
    const bytes = Buffer.alloc(20_000 + index, `recording ${index} `);
    desk.put(`recording-${String(index).padStart(3, '0')}.bin`, bytes);
    return createHash('sha256').update(bytes).digest('hex');
  });
  await desk.add();
  return hashes;
}

/** Delays transfers, with this probability, so that tokens expire while they run. */
const slowDown = (ms: number, probability: number) =>
  service.control('POST', '/faults', {
    method: 'POST',
    path: '^/upload/',
    times: null,
    probability,
    action: { kind: 'delay', ms },
  });

/** Makes every access token expire immediately, while uploads run. */
async function endTokens(): Promise<void> {
  offsetMs += (TOKEN_S + 1) * 1000;
  await service.control('PATCH', '/settings', { clock_offset_ms: offsetMs });
}

const refreshes = () => requestsOf(service, 'POST', /^\/api2\/oauth\/access_token$/);

/** Makes the next calls of the token endpoint fail. */
const refuseRefreshes = (times: number) =>
  service.control('POST', '/faults', {
    path: '^/api2/oauth/access_token$',
    times,
    action: { kind: 'status', status: 500 },
  });

async function whenComplete(count: number): Promise<void> {
  while ((await desk.engine.call('uploads.totals', null)).counts.complete < count) await nextChange();
}

const nextChange = () =>
  new Promise<void>((resolve) => {
    const dispose = desk.engine.on('onDidChangeUploads', () => {
      dispose();
      resolve();
    });
  });

async function expectAllThere(hashes: readonly string[]): Promise<void> {
  const rows = await desk.rows();
  expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(rows.map(() => 'complete'));
  expect(rows.map(({ attempts }) => attempts)).toEqual(rows.map(() => 0));
  expect(rows.map(({ sha256 }) => sha256)).toEqual(hashes);
  for (const { fileId, sha256 } of rows) {
    const stored = await service.control<{ sha256: string }>('GET', `/files/${fileId}/sha256`);
    expect(stored.sha256).toBe(sha256);
  }
  expect(new Set(rows.map(({ mediaId }) => mediaId)).size).toBe(rows.length);
}

/** By the service's clock: each refresh ended before the next one began. */
function expectOneAtATime(seen: readonly JournalEntry[]): void {
  const spans = seen.map(({ at, duration_ms }) => ({ from: at, to: at + (duration_ms ?? 0) }));
  // The clock changed in between, so neighbors are compared in order of arrival.
  for (const [index, span] of spans.slice(1).entries()) expect(span.from).toBeGreaterThanOrEqual(spans[index]?.to ?? 0);
}

const refreshTokens = async () => [await keychain.get(`${desk.siteId}/a`), await keychain.get(`${desk.siteId}/b`)];

describe('access tokens with a lifetime of five seconds, under 16 parallel uploads', () => {
  it('are refreshed one at a time, fail no upload, and every refresh token is used once', async () => {
    const hashes = await add(240);
    await slowDown(2500, 0.4);
    const before = await refreshTokens();
    desk.engine.startUploads();
    await whenComplete(30);
    await endTokens();
    await whenComplete(120);
    await endTokens();
    await desk.engine.whenUploadsIdle();
    await expectAllThere(hashes);
    const seen = await refreshes();
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expect(seen.map(({ status }) => status)).toEqual(seen.map(() => 200));
    expectOneAtATime(seen);
    // Each refresh stored a new, numbered token in the keychain.
    const kept = (await refreshTokens()).map((text) => Number(text?.split('.')[0])).sort((a, b) => b - a);
    expect(kept[0]).toBe(seen.length + 1);
    expect(await refreshTokens()).not.toEqual(before);
  }, 600_000);

  it('fault 9: require one sign-in when the reply to a refresh is lost; all uploads wait, and continue', async () => {
    const hashes = await add(60);
    await slowDown(800, 0.4);
    desk.engine.startUploads();
    await whenComplete(10);
    await service.control('POST', '/faults', {
      path: '^/api2/oauth/access_token$',
      action: { kind: 'lose-reply' },
    });
    await endTokens();
    await desk.engine.whenUploadsIdle();
    expect((await desk.engine.call('sites.list', null)).map(({ state }) => state)).toEqual(['needs-sign-in']);
    const { counts, blockedBy } = await desk.engine.call('uploads.totals', null);
    expect({ failed: counts.failed, blockedBy: blockedBy?.code }).toEqual({ failed: 0, blockedBy: 'sign-in.required' });
    expectOneAtATime(await refreshes());
    expect(await signInEngine(desk.engine, service)).toBe(desk.siteId);
    await desk.engine.whenUploadsIdle();
    await expectAllThere(hashes);
  }, 600_000);

  it('are refreshed, without using a retry of the uploads, when the token endpoint fails for a while', async () => {
    const hashes = await add(40);
    await slowDown(500, 0.4);
    desk.engine.startUploads();
    await whenComplete(5);
    await refuseRefreshes(3);
    await endTokens();
    await desk.engine.whenUploadsIdle();
    await expectAllThere(hashes);
    const seen = await refreshes();
    expect(seen.filter(({ status }) => status === 500)).toHaveLength(3);
    expectOneAtATime(seen);
  }, 600_000);

  it('are refreshed, without using a retry of the uploads, when all uploads are in processing', async () => {
    await service.control('PATCH', '/settings', { processing: { delay_ms: 2000 } });
    const hashes = await add(2);
    desk.engine.startUploads();
    while ((await desk.engine.call('uploads.totals', null)).counts.processing < 2) await nextChange();
    await refuseRefreshes(2);
    await endTokens();
    await desk.engine.whenUploadsIdle();
    await expectAllThere(hashes);
    expect((await refreshes()).filter(({ status }) => status === 500)).toHaveLength(2);
    expect(await requestsOf(service, 'POST', /^\/upload\//)).toHaveLength(2);
  }, 600_000);
});
