// Failures that last, on a clock that a test moves. The list is in docs/testing.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import type { Clock } from '../../../../electron/engine/ports/clock.ts';
import { batchDefaultsSchema, type UploadRow } from '../../../../shared/contract/uploads.ts';
import { allRows, createTestProfile, signInEngine, type TestProfile } from '../../../helpers/engine-host.ts';
import { fastClock } from '../../../helpers/fast-clock.ts';
import { clearJournal, requestsOf } from '../../../helpers/journal.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

const HOUR_MS = 3_600_000;
let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let dir: string;

beforeEach(async () => {
  service = await startService();
  profile = createTestProfile(service);
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-schedule-'));
});
afterEach(async () => {
  await engine.stop();
  await service.stop();
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

async function begin(clock: Clock, files: number): Promise<void> {
  engine = await profile.open({ clock });
  const siteId = await signInEngine(engine, service);
  const [top] = await engine.call('library.collections', { siteId, parentId: null });
  const defaults = batchDefaultsSchema.parse({});
  for (let index = 0; index < files; index += 1) writeFileSync(join(dir, `${index}.bin`), `contents ${index}`);
  await engine.call('uploads.add', { siteId, collectionId: top?.id ?? '', paths: [dir], defaults });
  await clearJournal(service);
}

const failUploads = (times: number) =>
  service.control('POST', '/faults', {
    ...{ method: 'POST', path: '^/upload/', times },
    action: { kind: 'status', status: 502 },
  });

const theRow = async () => (await allRows(engine))[0] as UploadRow;

/** Lets real things (the network, the disk) happen while the clock stands, until the row is as wanted. */
async function untilRow(wanted: (row: UploadRow) => boolean, nudge: () => void = () => {}): Promise<UploadRow> {
  for (;;) {
    const row = await theRow();
    if (wanted(row)) return row;
    nudge();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

it('fault 6: fourteen failures in a row are retried with the exact backoff of the API, then the upload completes', async () => {
  const clock = new ManualClock();
  await begin(clock, 1);
  await failUploads(14);
  engine.startUploads();
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 14; attempt += 1) {
    const row = await untilRow(({ state, attempts }) => state === 'waiting' && attempts === attempt);
    expect(row.error?.code).toBe('api.server-error');
    const waitMs = (row.nextAttemptAt ?? 0) - clock.now();
    waits.push(waitMs);
    clock.advance(waitMs - 1);
    // A whole exchange with the service: an upload that had begun would be there by now.
    expect(await requestsOf(service, 'POST', /^\/upload\//)).toHaveLength(attempt);
    expect((await theRow()).state).toBe('waiting');
    // The queue looks again at the latest twenty milliseconds behind the time.
    clock.advance(21);
  }
  expect(waits).toEqual(Array.from({ length: 14 }, (_, index) => 5000 * 2 ** (index + 1)));
  const row = await untilRow(
    ({ state }) => state === 'complete',
    () => clock.advance(500),
  );
  expect(row.attempts).toBe(14);
}, 60_000);

it('fault 6: a fifteenth failure fails the upload, and a person can retry it', async () => {
  const clock = new ManualClock();
  await begin(clock, 1);
  await failUploads(15);
  engine.startUploads();
  for (let attempt = 1; attempt <= 14; attempt += 1) {
    const row = await untilRow(({ state, attempts }) => state === 'waiting' && attempts === attempt);
    clock.advance((row.nextAttemptAt ?? 0) - clock.now() + 21);
  }
  const failed = await untilRow(({ state }) => state === 'failed');
  expect(failed.error?.code).toBe('api.server-error');
  await engine.call('uploads.retry', { kind: 'failed' });
  await untilRow(
    ({ state }) => state === 'complete',
    () => clock.advance(500),
  );
}, 60_000);

it('fault 7: 200 uploads in half an hour of maintenance send one probe at a time, and then all complete', async () => {
  const clock = fastClock(1);
  await begin(clock, 200);
  await service.control('PATCH', '/settings', { read_only: true });
  const from = clock.now();
  clock.setSpeed(150);
  engine.startUploads();
  await new Promise((resolve) => clock.schedule(HOUR_MS / 2, () => resolve(undefined)));
  clock.setSpeed(20);
  const refusals = (await requestsOf(service, 'POST', /./)).filter(({ status }) => status === 503).length;
  const hours = (clock.now() - from) / HOUR_MS;
  // The first wave meets the maintenance unprepared; after that one a minute, and a few while the waits grow.
  expect(refusals).toBeGreaterThan(5);
  expect(refusals).toBeLessThanOrEqual(4 + 8 + hours * 60);
  const waiting = await allRows(engine);
  expect(new Set(waiting.map(({ attempts }) => attempts))).toEqual(new Set([0]));
  // For the moment of a probe the uploads are not held.
  await expect.poll(async () => (await engine.call('uploads.totals', null)).blockedBy?.code).toBe('api.read-only');
  await service.control('PATCH', '/settings', { read_only: false });
  await engine.whenUploadsIdle();
  const rows = await allRows(engine);
  expect(rows).toHaveLength(200);
  expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(rows.map(() => 'complete'));
}, 120_000);
