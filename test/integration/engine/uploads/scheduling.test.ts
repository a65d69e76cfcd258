import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { nodeClock } from '../../../../electron/engine/ports/node-clock.ts';
import type { Settings } from '../../../../shared/contract/settings.ts';
import { batchDefaultsSchema, type UploadRow, type UploadTotals } from '../../../../shared/contract/uploads.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/model/default-settings.ts';
import { hasAnotherDisk, makeFolderOnAnotherDisk } from '../../../helpers/another-disk.ts';
import { captureLogger } from '../../../helpers/capture-logger.ts';
import { allRows, openTestDesk, type TestProfile, whenRow } from '../../../helpers/engine-host.ts';
import { fastClock } from '../../../helpers/fast-clock.ts';
import { clearJournal, requestsOf } from '../../../helpers/journal.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

const DEFAULTS = batchDefaultsSchema.parse({ duplicates: 'upload' });
const MB = 1_000_000;

let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let siteId: string;
let collectionId: string;
let dir: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

beforeEach(async () => {
  ({ profile, engine, siteId, collectionId, dir } = await openTestDesk(service, 'scheduling'));
});
afterEach(async () => {
  await engine.stop();
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

function put(name: string, sizeBytes: number): string {
  const path = resolve(dir, name);
  writeFileSync(path, '');
  truncateSync(path, sizeBytes);
  return path;
}

const add = (paths: string[]) => engine.call('uploads.add', { siteId, collectionId, paths, defaults: DEFAULTS });
const set = (patch: Partial<Settings>) => engine.call('settings.set', { patch });
const totals = () => engine.call('uploads.totals', null);
const named = async (name: string) => (await allRows(engine)).find(({ fileName }) => fileName === name) as UploadRow;
const idOf = async (name: string) => (await named(name)).id;

/** Resolves with the first totals that satisfy `wanted`, now or when they are announced. */
async function whenTotals(wanted: (totals: UploadTotals) => boolean): Promise<UploadTotals> {
  return new Promise((resolve) => {
    const dispose = engine.on('onDidChangeUploads', (data) => {
      if (!wanted(data.totals)) return;
      dispose();
      resolve(data.totals);
    });
    void totals().then((now) => {
      if (!wanted(now)) return;
      dispose();
      resolve(now);
    });
  });
}

/** File names in the order in which their uploads began. */
function sendingOrder(): string[] {
  const order: string[] = [];
  engine.on('onDidChangeUploads', ({ rows }) => {
    // A small one may be through before it was ever shown as sending.
    for (const { state, fileName } of rows) if (state !== 'queued' && !order.includes(fileName)) order.push(fileName);
  });
  return order;
}

describe('settings', () => {
  it('are there from the beginning, are announced when they change, and survive a restart', async () => {
    expect(await engine.call('settings.get', null)).toEqual(DEFAULT_SETTINGS);
    const announced: Settings[] = [];
    engine.on('onDidChangeSettings', (settings) => announced.push(settings));
    const timetable = [{ days: [1, 2], from: '22:00', to: '06:00', limitBytesPerSecond: null }];
    const changed = await set({ parallelTransfers: 2, limitBytesPerSecond: 5 * MB, timetable });
    expect(changed).toEqual({ ...DEFAULT_SETTINGS, parallelTransfers: 2, limitBytesPerSecond: 5 * MB, timetable });
    expect(announced).toEqual([changed]);
    await engine.stop();
    engine = await profile.open();
    expect(await engine.call('settings.get', null)).toEqual(changed);
  });

  it('that make no sense are refused, and nothing is changed', async () => {
    const wrong: Partial<Settings>[] = [
      { parallelTransfers: 0 },
      { parallelTransfers: 2.5 },
      { limitBytesPerSecond: 3 },
      { limitBytesPerSecond: -1 },
      { timetable: [{ days: [], from: '08:00', to: '09:00', limitBytesPerSecond: null }] },
      { timetable: [{ days: [7], from: '08:00', to: '09:00', limitBytesPerSecond: null }] },
      { timetable: [{ days: [1], from: '8:00', to: '24:00', limitBytesPerSecond: null }] },
    ];
    for (const patch of wrong) await expect(set(patch)).rejects.toMatchObject({ code: 'input.invalid' });
    expect(await engine.call('settings.get', null)).toEqual(DEFAULT_SETTINGS);
  });

  it('let more transfers begin at once when there may be more, and end none when there may be fewer', async () => {
    await set({ parallelTransfers: 1, limitBytesPerSecond: 200_000 });
    await add(['a', 'b', 'c', 'd'].map((name) => put(`${name}.bin`, 3 * MB)));
    engine.startUploads();
    await whenTotals(({ counts }) => counts.sending === 1);
    await set({ parallelTransfers: 3 });
    await whenTotals(({ counts }) => counts.sending === 3);
    await set({ parallelTransfers: 1 });
    expect((await totals()).counts).toMatchObject({ sending: 3, queued: 1 });
    await set({ limitBytesPerSecond: null });
    await engine.whenUploadsIdle();
    expect((await totals()).counts.complete).toBe(4);
  });

  it('let files of one disk be read one at a time', async () => {
    await set({ diskMode: 'serial', limitBytesPerSecond: 2 * MB });
    await add(['a', 'b', 'c'].map((name) => put(`${name}.bin`, MB)));
    let most = 0;
    engine.on('onDidChangeUploads', ({ totals: { counts } }) => {
      most = Math.max(most, counts.preparing + counts.sending);
    });
    engine.startUploads();
    await engine.whenUploadsIdle();
    expect((await totals()).counts.complete).toBe(3);
    // The next one may begin while the answer to the one before is still to come.
    expect(most).toBeLessThanOrEqual(2);
  });

  it.runIf(hasAnotherDisk)('let files of another disk be read beside those of the first', async () => {
    const other = makeFolderOnAnotherDisk('beside');
    try {
      await set({ diskMode: 'serial', limitBytesPerSecond: 2 * MB });
      await add([put('a.bin', MB), put('b.bin', MB), put(join(other, 'c.bin'), MB)]);
      const sending = new Set<string>();
      const together = new Set<string>();
      engine.on('onDidChangeUploads', ({ rows }) => {
        for (const { fileName, state, sentBytes, sizeBytes } of rows) {
          if (state === 'sending' && sentBytes > 0 && sentBytes < sizeBytes) sending.add(fileName);
          else sending.delete(fileName);
        }
        if (sending.size > 1) together.add([...sending].sort().join(' and '));
      });
      engine.startUploads();
      await engine.whenUploadsIdle();
      expect((await totals()).counts.complete).toBe(3);
      expect(together.size).toBeGreaterThan(0);
      for (const pair of together) expect(pair).toMatch(/^[ab]\.bin and c\.bin$/);
    } finally {
      rmSync(other, { recursive: true });
    }
  });
});

describe('the order of sending', () => {
  it('follows priorities, places and what is to be next', async () => {
    await set({ parallelTransfers: 1 });
    await add(['a', 'b', 'c', 'd', 'e'].map((name) => put(`${name}.bin`, 300_000)));
    const id = async (name: string) => ({ kind: 'ids' as const, ids: [await idOf(`${name}.bin`)] });
    await engine.call('uploads.setPriority', { selection: await id('d'), priority: 'high' });
    await engine.call('uploads.setPriority', { selection: await id('a'), priority: 'low' });
    await engine.call('uploads.move', { ids: [await idOf('c.bin')], before: await idOf('b.bin') });
    await engine.call('uploads.sendNext', { selection: await id('e') });
    const rows = await allRows(engine);
    expect(rows.map(({ fileName, priority }) => `${fileName} ${priority}`)).toEqual([
      'e.bin high',
      'd.bin high',
      'c.bin normal',
      'b.bin normal',
      'a.bin low',
    ]);
    await engine.stop();
    engine = await profile.open();
    await engine.call('settings.set', { patch: { limitBytesPerSecond: MB } });
    const order = sendingOrder();
    engine.startUploads();
    await engine.whenUploadsIdle();
    expect(order).toEqual(['e.bin', 'd.bin', 'c.bin', 'b.bin', 'a.bin']);
  });

  it('takes the smallest first when that is wanted, also of files that are added later', async () => {
    await set({ parallelTransfers: 1, smallFirst: true, limitBytesPerSecond: MB });
    await add([put('large.bin', 500_000), put('small.bin', 200_000)]);
    await add([put('middle.bin', 300_000)]);
    const order = sendingOrder();
    engine.startUploads();
    await engine.whenUploadsIdle();
    expect(order).toEqual(['small.bin', 'middle.bin', 'large.bin']);
  });

  it('is not held up by one file that can’t be sent', async () => {
    await set({ parallelTransfers: 1 });
    const poisoned = put('poisoned.bin', 1000);
    await add([poisoned, put('good.bin', 1000)]);
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media$',
      times: 1,
      action: { kind: 'status', status: 500 },
    });
    engine.startUploads();
    await whenRow(engine, ({ fileName, state }) => fileName === 'good.bin' && state === 'complete');
    expect(await named('poisoned.bin')).toMatchObject({ state: 'waiting', attempts: 1 });
  });
});

describe('a pause until an instant', () => {
  it('holds what runs, survives a restart, is shown, and ends by itself', async () => {
    await set({ limitBytesPerSecond: 500_000 });
    await add([put('a.bin', 2 * MB), put('b.bin', 1000)]);
    engine.startUploads();
    await whenRow(engine, ({ sentBytes, state }) => state === 'sending' && sentBytes > 0);
    const until = nodeClock.now() + 4000;
    await engine.call('uploads.pauseUntil', { until });
    expect(await totals()).toMatchObject({ paused: true, pausedUntil: until });
    const [row] = await allRows(engine);
    if (row?.state === 'sending') expect(row.notice).toMatchObject({ code: 'upload.paused-until', details: { until } });
    await engine.stop();
    engine = await profile.open();
    expect(await totals()).toMatchObject({ paused: true, pausedUntil: until });
    const begun: number[] = [];
    engine.on('onDidChangeUploads', ({ totals: { counts } }) => {
      if (counts.preparing + counts.sending > 0) begun.push(nodeClock.now());
    });
    await set({ limitBytesPerSecond: null });
    engine.startUploads();
    await engine.whenUploadsIdle();
    expect((await totals()).counts.complete).toBe(2);
    expect(Math.min(...begun)).toBeGreaterThanOrEqual(until);
    expect(await totals()).toMatchObject({ paused: false, pausedUntil: null });
  }, 30_000);

  it('ends when a person resumes the queue, and what a pause for good had stopped goes on with it', async () => {
    await set({ limitBytesPerSecond: 300_000 });
    await add([put('a.bin', MB)]);
    engine.startUploads();
    await whenRow(engine, ({ sentBytes, state }) => state === 'sending' && sentBytes > 0);
    await engine.call('uploads.pause', { kind: 'all' });
    await engine.call('uploads.pauseUntil', { until: nodeClock.now() + 3_600_000 });
    expect((await allRows(engine))[0]?.state).not.toBe('paused');
    await engine.call('uploads.pauseUntil', { until: null });
    await set({ limitBytesPerSecond: null });
    await engine.whenUploadsIdle();
    expect((await totals()).counts.complete).toBe(1);
  });

  it('in the past or in more than a month is refused', async () => {
    for (const until of [nodeClock.now() - 1, nodeClock.now() + 40 * 86_400_000]) {
      await expect(engine.call('uploads.pauseUntil', { until })).rejects.toMatchObject({ code: 'input.invalid' });
    }
    expect(await totals()).toMatchObject({ paused: false, pausedUntil: null });
  });
});

describe('a limit of nothing', () => {
  it('holds what runs with a word on it, lets nothing begin, and goes on where it stood', async () => {
    await clearJournal(service);
    const forms = () => requestsOf(service, 'POST', /^\/upload\//);
    await set({ limitBytesPerSecond: 400_000 });
    await add([put('a.bin', 2 * MB)]);
    engine.startUploads();
    await whenRow(engine, ({ sentBytes, state }) => state === 'sending' && sentBytes > 0);
    await set({ limitBytesPerSecond: 0 });
    const [held] = await allRows(engine);
    expect(held).toMatchObject({ state: 'sending', notice: { code: 'upload.limit-zero' } });
    expect(await totals()).toMatchObject({ paused: false, limitBytesPerSecond: 0, limitUntil: null });
    await add([put('b.bin', 1000)]);
    expect(await forms()).toHaveLength(1);
    expect((await named('b.bin')).state).toBe('queued');
    await set({ limitBytesPerSecond: null });
    await engine.whenUploadsIdle();
    expect((await totals()).counts.complete).toBe(2);
    // One form each: the one that was held went on.
    expect(await forms()).toHaveLength(2);
  });

  it('of the timetable is one as well', async () => {
    const timetable = [{ days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '00:00', limitBytesPerSecond: 0 }];
    await set({ timetable });
    await add([put('a.bin', 1000)]);
    engine.startUploads();
    // Nothing begins and nothing will by itself: that is idle.
    await engine.whenUploadsIdle();
    expect((await named('a.bin')).state).toBe('queued');
    await set({ timetable: [] });
    await engine.whenUploadsIdle();
    expect((await named('a.bin')).state).toBe('complete');
  });
});

describe('after the network was away', () => {
  it('a sign of the system brings the uploads back at once', async () => {
    await engine.stop();
    let comeBack: (cause: 'woke' | 'online') => void = () => {};
    const clock = fastClock(20);
    const logger = captureLogger();
    engine = await profile.open({
      clock,
      logger,
      signals: {
        onDidComeBack(listener) {
          comeBack = listener;
          return () => {};
        },
      },
    });
    await add([put('b.bin', 1000)]);
    await service.kill9();
    engine.startUploads();
    await whenTotals(({ blockedBy }) => blockedBy !== null);
    const failures = () => logger.lines.filter(({ event }) => event === 'api.no-answer').length;
    // The waits between probes have grown to eight seconds; the one that has begun passes at the pace of the real clock.
    await expect.poll(failures, { timeout: 10_000 }).toBeGreaterThan(5);
    clock.setSpeed(1);
    await service.restart();
    const backAt = nodeClock.monotonic();
    comeBack('online');
    await engine.whenUploadsIdle();
    expect(nodeClock.monotonic() - backAt).toBeLessThan(5000);
    expect((await named('b.bin')).state).toBe('complete');
  }, 60_000);
});
