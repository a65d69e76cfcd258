// Failures that repeat for hours, on clocks of the test. The list is in docs/testing-failures.md.
import { describe, expect } from 'vitest';
import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const it = deskTest();

const HOUR_MS = 3_600_000;

async function add(desk: Desk, files: number): Promise<void> {
  for (let index = 0; index < files; index += 1) desk.put(`${index}.bin`, `contents ${index}`);
  await desk.add();
}

const failUploads = (service: ServiceProcess, times: number) =>
  service.control('POST', '/faults', {
    method: 'POST',
    path: '^/upload/',
    times,
    action: { kind: 'status', status: 502 },
  });

const rowOf = async (desk: Desk) => (await desk.rows())[0] as UploadRow;

/** Waits for real network and disk operations, with the engine's clock stopped, until the row satisfies `wanted`. */
async function untilRow(
  desk: Desk,
  wanted: (row: UploadRow) => boolean,
  nudge: () => void = () => {},
): Promise<UploadRow> {
  for (;;) {
    const row = await rowOf(desk);
    if (wanted(row)) return row;
    nudge();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

describe('an upload to a destination with a fault', () => {
  // The test advances the engine's clock.
  it.override('host', () => ({ clock: new ManualClock() }));

  it('fault 6: is retried with the exact backoff of the API after each of fourteen failures, and then completes', async ({
    desk,
    service,
    host,
  }) => {
    const clock = host.clock as ManualClock;
    await add(desk, 1);
    await failUploads(service, 14);
    desk.engine.startUploads();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 14; attempt += 1) {
      const row = await untilRow(desk, ({ state, attempts }) => state === 'waiting' && attempts === attempt);
      expect(row.error?.code).toBe('api.server-error');
      const waitMs = (row.nextAttemptAt ?? 0) - clock.now();
      waits.push(waitMs);
      clock.advance(waitMs - 1);
      // Waits for a complete exchange with the service: an upload that had started would have sent a request by then.
      expect(await requestsOf(service, 'POST', /^\/upload\//)).toHaveLength(attempt);
      expect((await rowOf(desk)).state).toBe('waiting');
      // The queue checks for due uploads at the latest twenty milliseconds after their time.
      clock.advance(21);
    }
    expect(waits).toEqual(Array.from({ length: 14 }, (_, index) => 5000 * 2 ** (index + 1)));
    const row = await untilRow(
      desk,
      ({ state }) => state === 'complete',
      () => clock.advance(500),
    );
    expect(row.attempts).toBe(14);
  }, 600_000);

  it('fault 6: fails after fifteen failures in a row, and the user can retry it', async ({ desk, service, host }) => {
    const clock = host.clock as ManualClock;
    await add(desk, 1);
    await failUploads(service, 15);
    desk.engine.startUploads();
    for (let attempt = 1; attempt <= 14; attempt += 1) {
      const row = await untilRow(desk, ({ state, attempts }) => state === 'waiting' && attempts === attempt);
      clock.advance((row.nextAttemptAt ?? 0) - clock.now() + 21);
    }
    const failed = await untilRow(desk, ({ state }) => state === 'failed');
    expect(failed.error?.code).toBe('api.server-error');
    await desk.engine.call('uploads.retry', { kind: 'failed' });
    await untilRow(
      desk,
      ({ state }) => state === 'complete',
      () => clock.advance(500),
    );
  }, 600_000);
});

describe('a library that is stopped behind a server that answers 502', () => {
  it.override('host', () => ({ clock: new ManualClock() }));

  it('counts as unreachable, uses no retry in two hours, and gets the upload within a minute afterwards', async ({
    desk,
    service,
    host,
  }) => {
    const clock = host.clock as ManualClock;
    const { engine } = desk;
    await add(desk, 1);
    await service.control('POST', '/faults', { path: '.', times: null, action: { kind: 'status', status: 502 } });
    engine.startUploads();
    const blockedBy = async () => (await engine.call('uploads.totals', null)).blockedBy?.code;
    const probes = async () => (await requestsOf(service, 'GET', /tokeninfo/)).length;
    await expect.poll(blockedBy).toBe('network.gateway');
    // The access token is still valid: the probe alone has shown it.
    expect(await engine.call('sites.list', null)).toMatchObject([{ reachable: false }]);
    const endsAt = clock.now() + 2 * HOUR_MS;
    // A complete exchange with the service after each step: a probe that had started is answered by then.
    for (let sent = 0; clock.now() < endsAt || sent === 0; sent = await probes()) clock.advance(5000);
    await expect.poll(blockedBy).toBe('network.gateway');
    expect(await rowOf(desk)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await engine.call('sites.list', null)).toMatchObject([{ reachable: false }]);
    // One probe a minute, and a few more at the beginning.
    expect(await probes()).toBeGreaterThan(60);
    expect(await probes()).toBeLessThan(130);
    await service.control('DELETE', '/faults');
    clock.advance(60_000);
    await untilRow(
      desk,
      ({ state }) => state === 'complete',
      () => clock.advance(500),
    );
    expect((await rowOf(desk)).attempts).toBe(0);
  }, 600_000);
});

it('fault 7: 200 uploads in half an hour of maintenance send one probe at a time, and then all complete', async ({
  desk,
  service,
  clock,
}) => {
  const { engine } = desk;
  await add(desk, 200);
  await service.control('PATCH', '/settings', { read_only: true });
  const from = clock.now();
  clock.setSpeed(150);
  engine.startUploads();
  await new Promise((resolve) => clock.schedule(HOUR_MS / 2, () => resolve(undefined)));
  clock.setSpeed(20);
  const refusals = (await requestsOf(service, 'POST', /./)).filter(({ status }) => status === 503).length;
  const hours = (clock.now() - from) / HOUR_MS;
  // The first uploads meet the maintenance; after that there is one probe a minute, and some more while the backoff
  // grows.
  expect(refusals).toBeGreaterThan(5);
  expect(refusals).toBeLessThanOrEqual(4 + 8 + hours * 60);
  const waiting = await desk.rows();
  expect(new Set(waiting.map(({ attempts }) => attempts))).toEqual(new Set([0]));
  // While a probe runs, `blockedBy` is null, so this is polled.
  await expect.poll(async () => (await engine.call('uploads.totals', null)).blockedBy?.code).toBe('api.read-only');
  await service.control('PATCH', '/settings', { read_only: false });
  await engine.whenUploadsIdle();
  const rows = await desk.rows();
  expect(rows).toHaveLength(200);
  expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(rows.map(() => 'complete'));
}, 600_000);
