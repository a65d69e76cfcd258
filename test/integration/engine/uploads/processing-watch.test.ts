import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import {
  pollWaitMs,
  RequestBudget,
  UNUSUALLY_LONG_MS,
} from '../../../../electron/engine/uploads/processing/poll-schedule.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import {
  allRows,
  createTestProfile,
  openTestDesk,
  signInEngine,
  type TestDesk,
  type TestProfile,
  whenRow,
} from '../../../helpers/engine-host.ts';
import { fastClock } from '../../../helpers/fast-clock.ts';
import { clearJournal, requestsOf } from '../../../helpers/journal.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

const FILES = 40;

describe.each(['reference', 'lean', 'strict'] as const)('the polling of many uploads in processing, %s', (dialect) => {
  let service: ServiceProcess;
  let profile: TestProfile;
  let engine: Engine;
  let dir: string;

  beforeAll(async () => {
    service = await startService({ dialect });
    dir = mkdtempSync(join(tmpdir(), 'mediadesk-watch-'));
    for (let index = 0; index < FILES; index += 1) writeFileSync(join(dir, `take ${index}.bin`), `bytes ${index}`);
    profile = createTestProfile(service);
    engine = await profile.open();
  });
  afterAll(async () => {
    await engine.stop();
    await service.stop();
    profile.remove();
    rmSync(dir, { recursive: true, force: true });
  });

  it('needs fewer requests than there are files', async () => {
    const siteId = await signInEngine(engine, service);
    const [top] = await engine.call('library.collections', { siteId, parentId: null });
    await service.control('PATCH', '/settings', { processing: { delay_ms: 600 } });
    await clearJournal(service);
    const defaults = batchDefaultsSchema.parse({ duplicates: 'upload' });
    await engine.call('uploads.add', { siteId, collectionId: top?.id ?? '', paths: [dir], defaults });
    engine.startUploads();
    await engine.whenUploadsIdle();
    const rows = await allRows(engine);
    expect(rows.map(({ state, error }) => error ?? state)).toEqual(rows.map(() => 'complete'));
    const single = await requestsOf(service, 'GET', /\/files\/\d+$/);
    // One or two are processed at a time; most of them wait for seconds and would be polled often.
    expect(single.length).toBeLessThan(FILES);
  }, 60_000);
});

describe('a file that is processed for a very long time', () => {
  let service: ServiceProcess;
  let desk: TestDesk;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(async () => {
    await desk.engine.stop();
    await service.stop();
    desk.profile.remove();
    rmSync(desk.dir, { recursive: true, force: true });
  });

  it('is polled until it ends, with a notice after half an hour, and is not sent again', async () => {
    const clock = fastClock(1);
    desk = await openTestDesk(service, 'slow', { clock });
    const { engine, siteId, collectionId, dir } = desk;
    // Longer than this test waits: a restart of the service without the delay ends it.
    await service.control('PATCH', '/settings', { processing: { delay_ms: 3_600_000 } });
    writeFileSync(join(dir, 'long.bin'), 'worked on for long');
    const defaults = batchDefaultsSchema.parse({});
    await engine.call('uploads.add', { siteId, collectionId, paths: [dir], defaults });
    const processing = whenRow(engine, ({ state }) => state === 'processing');
    const told = whenRow(engine, ({ notice }) => notice !== null);
    engine.startUploads();
    await processing;
    const from = clock.now();
    clock.setSpeed(1000);
    const { state, notice, attempts } = await told;
    const passedMs = clock.now() - from;
    clock.setSpeed(20);
    expect({ state, code: notice?.code, attempts }).toEqual({
      ...{ state: 'processing', code: 'upload.processing-slow', attempts: 0 },
    });
    expect(passedMs).toBeGreaterThanOrEqual(UNUSUALLY_LONG_MS);
    expect(notice?.details?.minutes).toBeGreaterThanOrEqual(30);
    const before = await requestsOf(service, 'POST', /^\/upload\//);
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 } });
    await service.restart();
    await engine.whenUploadsIdle();
    const [row] = await allRows(engine);
    expect(row).toMatchObject({ state: 'complete', error: null, notice: null, attempts: 0 });
    const after = await requestsOf(service, 'POST', /^\/upload\//);
    expect(before.length + after.length).toBe(1);
  }, 60_000);
});

describe('the poll schedule', () => {
  it('polls each second at first, and every two minutes in the end', () => {
    expect(pollWaitMs(0)).toBeLessThanOrEqual(1000);
    expect(pollWaitMs(5 * 60_000)).toBeLessThanOrEqual(1000);
    expect(pollWaitMs(3_600_000)).toBeGreaterThan(5000);
    expect(pollWaitMs(30 * 24 * 3_600_000)).toBe(120_000);
  });

  it('keeps its request budget under any load', () => {
    const budget = new RequestBudget(0);
    let now = 0;
    let made = 0;
    while (now < 60_000) {
      now += budget.take(now);
      made += 1;
    }
    expect(made).toBeLessThanOrEqual(3 * 60 + 5);
  });
});
