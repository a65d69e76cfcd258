import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { createMemoryKeychain } from '../../../../electron/engine/ports/keychain-memory.ts';
import type { JournalEntry } from '../../../../service/site/journal.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { allRows, createTestProfile, signInEngine, type TestProfile } from '../../../helpers/engine/engine-host.ts';
import { clearJournal, requestsOf } from '../../../helpers/service/journal.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';

const TOKEN_S = 5;
const PARALLEL = 16;

let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let siteId: string;
let dir: string;
let offsetMs = 0;
const keychain = createMemoryKeychain();

beforeEach(async () => {
  service = await startService();
  await service.control('PATCH', '/settings', { access_token_s: TOKEN_S });
  offsetMs = 0;
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-tokens-'));
  profile = createTestProfile(service);
  engine = await profile.open({ parallelTransfers: PARALLEL, keychain });
  siteId = await signInEngine(engine, service);
  await clearJournal(service);
});
afterEach(async () => {
  await engine.stop();
  await service.stop();
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

async function add(count: number): Promise<string[]> {
  const hashes = Array.from({ length: count }, (_, index) => {
    const bytes = Buffer.alloc(20_000 + index, `recording ${index} `);
    writeFileSync(join(dir, `recording-${String(index).padStart(3, '0')}.bin`), bytes);
    return createHash('sha256').update(bytes).digest('hex');
  });
  const [top] = await engine.call('library.collections', { siteId, parentId: null });
  const defaults = batchDefaultsSchema.parse({});
  await engine.call('uploads.add', { siteId, collectionId: top?.id ?? '', paths: [dir], defaults });
  return hashes;
}

/** Some transfers take longer than the lifetime of a token. */
const slowDown = (ms: number, probability: number) =>
  service.control('POST', '/faults', {
    ...{ method: 'POST', path: '^/upload/', times: null, probability },
    action: { kind: 'delay', ms },
  });

/** Makes every access token expire at once, while uploads run. */
async function endTokens(): Promise<void> {
  offsetMs += (TOKEN_S + 1) * 1000;
  await service.control('PATCH', '/settings', { clock_offset_ms: offsetMs });
}

const refreshes = () => requestsOf(service, 'POST', /^\/api2\/oauth\/access_token$/);

/** Makes the next calls of the token endpoint fail. */
const refuseRefreshes = (times: number) =>
  service.control('POST', '/faults', {
    ...{ path: '^/api2/oauth/access_token$', times },
    action: { kind: 'status', status: 500 },
  });

async function whenComplete(count: number): Promise<void> {
  while ((await engine.call('uploads.totals', null)).counts.complete < count) await nextChange();
}

const nextChange = () =>
  new Promise<void>((resolve) => {
    const dispose = engine.on('onDidChangeUploads', () => {
      dispose();
      resolve();
    });
  });

async function expectAllThere(hashes: readonly string[]): Promise<void> {
  const rows = await allRows(engine);
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
  // The clock changed in between, so neighbours are compared in order of arrival.
  for (const [index, span] of spans.slice(1).entries()) expect(span.from).toBeGreaterThanOrEqual(spans[index]?.to ?? 0);
}

const refreshTokens = async () => [await keychain.get(`${siteId}/a`), await keychain.get(`${siteId}/b`)];

describe('access tokens with a lifetime of five seconds, under 16 parallel uploads', () => {
  it('are refreshed one at a time, fail no upload, and every refresh token is used once', async () => {
    const hashes = await add(240);
    await slowDown(2500, 0.4);
    const before = await refreshTokens();
    engine.startUploads();
    await whenComplete(30);
    await endTokens();
    await whenComplete(120);
    await endTokens();
    await engine.whenUploadsIdle();
    await expectAllThere(hashes);
    const seen = await refreshes();
    expect(seen.length).toBeGreaterThanOrEqual(3);
    expect(seen.map(({ status }) => status)).toEqual(seen.map(() => 200));
    expectOneAtATime(seen);
    // Each refresh stored a new, numbered token in the keychain.
    const kept = (await refreshTokens()).map((text) => Number(text?.split('.')[0])).sort((a, b) => b - a);
    expect(kept[0]).toBe(seen.length + 1);
    expect(await refreshTokens()).not.toEqual(before);
  }, 120_000);

  it('fault 9: require one sign-in when the reply to a refresh is lost; all uploads wait, and continue', async () => {
    const hashes = await add(60);
    await slowDown(800, 0.4);
    engine.startUploads();
    await whenComplete(10);
    await service.control('POST', '/faults', {
      path: '^/api2/oauth/access_token$',
      action: { kind: 'lose-reply' },
    });
    await endTokens();
    await engine.whenUploadsIdle();
    expect((await engine.call('sites.list', null)).map(({ state }) => state)).toEqual(['needs-sign-in']);
    const { counts, blockedBy } = await engine.call('uploads.totals', null);
    expect({ failed: counts.failed, blockedBy: blockedBy?.code }).toEqual({ failed: 0, blockedBy: 'sign-in.required' });
    expectOneAtATime(await refreshes());
    expect(await signInEngine(engine, service)).toBe(siteId);
    await engine.whenUploadsIdle();
    await expectAllThere(hashes);
  }, 120_000);

  it('are refreshed, without an attempt, when the token endpoint fails for a while', async () => {
    const hashes = await add(40);
    await slowDown(500, 0.4);
    engine.startUploads();
    await whenComplete(5);
    await refuseRefreshes(3);
    await endTokens();
    await engine.whenUploadsIdle();
    await expectAllThere(hashes);
    const seen = await refreshes();
    expect(seen.filter(({ status }) => status === 500)).toHaveLength(3);
    expectOneAtATime(seen);
  }, 120_000);

  it('are refreshed, without an attempt, for uploads that are only in processing', async () => {
    await service.control('PATCH', '/settings', { processing: { delay_ms: 2000 } });
    const hashes = await add(2);
    engine.startUploads();
    while ((await engine.call('uploads.totals', null)).counts.processing < 2) await nextChange();
    await refuseRefreshes(2);
    await endTokens();
    await engine.whenUploadsIdle();
    await expectAllThere(hashes);
    expect((await refreshes()).filter(({ status }) => status === 500)).toHaveLength(2);
    expect(await requestsOf(service, 'POST', /^\/upload\//)).toHaveLength(2);
  }, 120_000);
});
