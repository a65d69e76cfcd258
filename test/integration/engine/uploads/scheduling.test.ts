import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import type { Settings } from '../../../../shared/contract/settings.ts';
import type { UploadTotals } from '../../../../shared/contract/uploads.ts';
import { DEFAULT_SETTINGS } from '../../../../shared/model/default-settings.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';
import { hasAnotherDisk, makeFolderOnAnotherDisk } from '../../../helpers/system/another-disk.ts';
import { fastClock } from '../../../helpers/time/fast-clock.ts';

const it = deskTest();

const MB = 1_000_000;

const add = (desk: Desk, ...paths: string[]) => desk.add(paths, { duplicates: 'upload' });
const set = ({ engine }: Desk, patch: Partial<Settings>) => engine.call('settings.set', { patch });
const totals = ({ engine }: Desk) => engine.call('uploads.totals', null);

/** Resolves with the first totals that satisfy `wanted`, current or announced later. */
async function whenTotals(desk: Desk, wanted: (totals: UploadTotals) => boolean): Promise<UploadTotals> {
  return new Promise((resolve) => {
    const dispose = desk.engine.on('onDidChangeUploads', (data) => {
      if (!wanted(data.totals)) return;
      dispose();
      resolve(data.totals);
    });
    void totals(desk).then((now) => {
      if (!wanted(now)) return;
      dispose();
      resolve(now);
    });
  });
}

/** File names in the order in which their uploads started. */
function sendingOrder(desk: Desk): string[] {
  const order: string[] = [];
  desk.engine.on('onDidChangeUploads', ({ rows }) => {
    // A small file may complete before it is shown as sending.
    for (const { state, fileName } of rows) if (state !== 'queued' && !order.includes(fileName)) order.push(fileName);
  });
  return order;
}

describe('settings', () => {
  it('start with the defaults, are announced when they change, and are kept over a restart', async ({ desk }) => {
    expect(await desk.engine.call('settings.get', null)).toEqual(DEFAULT_SETTINGS);
    const announced: Settings[] = [];
    desk.engine.on('onDidChangeSettings', (settings) => announced.push(settings));
    const timetable = [{ days: [1, 2], from: '22:00', to: '06:00', limitBytesPerSecond: null }];
    const changed = await set(desk, { parallelTransfers: 2, limitBytesPerSecond: 5 * MB, timetable });
    expect(changed).toEqual({ ...DEFAULT_SETTINGS, parallelTransfers: 2, limitBytesPerSecond: 5 * MB, timetable });
    expect(announced).toEqual([changed]);
    await desk.reopen();
    expect(await desk.engine.call('settings.get', null)).toEqual(changed);
  });

  it('are refused, and nothing changes, when a value is invalid', async ({ desk }) => {
    const wrong: Partial<Settings>[] = [
      { parallelTransfers: 0 },
      { parallelTransfers: 2.5 },
      { limitBytesPerSecond: 3 },
      { limitBytesPerSecond: -1 },
      { timetable: [{ days: [], from: '08:00', to: '09:00', limitBytesPerSecond: null }] },
      { timetable: [{ days: [7], from: '08:00', to: '09:00', limitBytesPerSecond: null }] },
      { timetable: [{ days: [1], from: '8:00', to: '24:00', limitBytesPerSecond: null }] },
    ];
    for (const patch of wrong) await expect(set(desk, patch)).rejects.toMatchObject({ code: 'input.invalid' });
    expect(await desk.engine.call('settings.get', null)).toEqual(DEFAULT_SETTINGS);
  });

  it('let more transfers start when parallelTransfers is raised, and end none when it is lowered', async ({ desk }) => {
    await set(desk, { parallelTransfers: 1, limitBytesPerSecond: 200_000 });
    await add(desk, ...['a', 'b', 'c', 'd'].map((name) => desk.put(`${name}.bin`, 3 * MB)));
    desk.engine.startUploads();
    await whenTotals(desk, ({ counts }) => counts.sending === 1);
    await set(desk, { parallelTransfers: 3 });
    await whenTotals(desk, ({ counts }) => counts.sending === 3);
    await set(desk, { parallelTransfers: 1 });
    expect((await totals(desk)).counts).toMatchObject({ sending: 3, queued: 1 });
    await set(desk, { limitBytesPerSecond: null });
    await desk.engine.whenUploadsIdle();
    expect((await totals(desk)).counts.complete).toBe(4);
  });
});

describe('the disk mode “serial”', () => {
  it('has files of one disk sent one after the other', async ({ desk }) => {
    await set(desk, { diskMode: 'serial', limitBytesPerSecond: 2 * MB });
    await add(desk, ...['a', 'b', 'c'].map((name) => desk.put(`${name}.bin`, MB)));
    let most = 0;
    desk.engine.on('onDidChangeUploads', ({ totals: { counts } }) => {
      most = Math.max(most, counts.preparing + counts.sending);
    });
    await desk.run();
    expect((await totals(desk)).counts.complete).toBe(3);
    // The next upload may start while the answer to the previous one is in flight.
    expect(most).toBeLessThanOrEqual(2);
  });

  it.runIf(hasAnotherDisk)('has files of two disks sent in parallel, one of each disk', async ({ desk }) => {
    const other = makeFolderOnAnotherDisk('beside');
    try {
      await set(desk, { diskMode: 'serial', limitBytesPerSecond: MB });
      await add(desk, desk.put('a.bin', MB), desk.put('b.bin', MB), desk.put(join(other, 'c.bin'), 2 * MB));
      const sending = new Set<string>();
      const together = new Set<string>();
      desk.engine.on('onDidChangeUploads', ({ rows }) => {
        for (const { fileName, state, sentBytes, sizeBytes } of rows) {
          if (state === 'sending' && sentBytes > 0 && sentBytes < sizeBytes) sending.add(fileName);
          else sending.delete(fileName);
        }
        if (sending.size > 1) together.add([...sending].sort().join(' and '));
      });
      await desk.run();
      expect((await totals(desk)).counts.complete).toBe(3);
      expect(together.size).toBeGreaterThan(0);
      for (const pair of together) expect(pair).toMatch(/^[ab]\.bin and c\.bin$/);
    } finally {
      rmSync(other, { recursive: true });
    }
  });
});

describe('the order of sending', () => {
  it('follows priorities, positions and “send next”', async ({ desk }) => {
    await set(desk, { parallelTransfers: 1 });
    await add(desk, ...['a', 'b', 'c', 'd', 'e'].map((name) => desk.put(`${name}.bin`, 300_000)));
    const id = async (name: string) => ({ kind: 'ids' as const, ids: [(await desk.row(`${name}.bin`)).id] });
    await desk.engine.call('uploads.setPriority', { selection: await id('d'), priority: 'high' });
    await desk.engine.call('uploads.setPriority', { selection: await id('a'), priority: 'low' });
    await desk.engine.call('uploads.move', {
      ids: [(await desk.row('c.bin')).id],
      before: (await desk.row('b.bin')).id,
    });
    await desk.engine.call('uploads.sendNext', { selection: await id('e') });
    const rows = await desk.rows();
    expect(rows.map(({ fileName, priority }) => `${fileName} ${priority}`)).toEqual([
      'e.bin high',
      'd.bin high',
      'c.bin normal',
      'b.bin normal',
      'a.bin low',
    ]);
    await desk.reopen();
    await desk.engine.call('settings.set', { patch: { limitBytesPerSecond: MB } });
    const order = sendingOrder(desk);
    await desk.run();
    expect(order).toEqual(['e.bin', 'd.bin', 'c.bin', 'b.bin', 'a.bin']);
  });

  it('begins with the smallest file, also among files added later, when the setting smallFirst is on', async ({
    desk,
  }) => {
    await set(desk, { parallelTransfers: 1, smallFirst: true, limitBytesPerSecond: MB });
    await add(desk, desk.put('large.bin', 500_000), desk.put('small.bin', 200_000));
    await add(desk, desk.put('middle.bin', 300_000));
    const order = sendingOrder(desk);
    await desk.run();
    expect(order).toEqual(['small.bin', 'middle.bin', 'large.bin']);
  });

  it('continues with the next file when one cannot be sent', async ({ desk, service }) => {
    await set(desk, { parallelTransfers: 1 });
    const poisoned = desk.put('poisoned.bin', 1000);
    await add(desk, poisoned, desk.put('good.bin', 1000));
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/api2/media$',
      times: 1,
      action: { kind: 'status', status: 500 },
    });
    desk.engine.startUploads();
    await desk.whenRow(({ fileName, state }) => fileName === 'good.bin' && state === 'complete');
    expect(await desk.row('poisoned.bin')).toMatchObject({ state: 'waiting', attempts: 1 });
  });
});

describe('a pause of the queue until a given time', () => {
  it('pauses running transfers, is kept over a restart, is shown, and ends at that time', async ({ desk }) => {
    await set(desk, { limitBytesPerSecond: 500_000 });
    await add(desk, desk.put('a.bin', 2 * MB), desk.put('b.bin', 1000));
    desk.engine.startUploads();
    await desk.whenRow(({ sentBytes, state }) => state === 'sending' && sentBytes > 0);
    const until = nodeClock.now() + 4000;
    await desk.engine.call('uploads.pauseUntil', { until });
    expect(await totals(desk)).toMatchObject({ paused: true, pausedUntil: until });
    const [row] = await desk.rows();
    if (row?.state === 'sending') expect(row.notice).toMatchObject({ code: 'upload.paused-until', details: { until } });
    await desk.reopen();
    expect(await totals(desk)).toMatchObject({ paused: true, pausedUntil: until });
    const begun: number[] = [];
    desk.engine.on('onDidChangeUploads', ({ totals: { counts } }) => {
      if (counts.preparing + counts.sending > 0) begun.push(nodeClock.now());
    });
    await set(desk, { limitBytesPerSecond: null });
    await desk.run();
    expect((await totals(desk)).counts.complete).toBe(2);
    expect(Math.min(...begun)).toBeGreaterThanOrEqual(until);
    expect(await totals(desk)).toMatchObject({ paused: false, pausedUntil: null });
  });

  it('ends when the user resumes the queue, which also ends a pause without a time', async ({ desk }) => {
    await set(desk, { limitBytesPerSecond: 300_000 });
    await add(desk, desk.put('a.bin', MB));
    desk.engine.startUploads();
    await desk.whenRow(({ sentBytes, state }) => state === 'sending' && sentBytes > 0);
    await desk.engine.call('uploads.pause', { kind: 'all' });
    await desk.engine.call('uploads.pauseUntil', { until: nodeClock.now() + 3_600_000 });
    expect((await desk.rows())[0]?.state).not.toBe('paused');
    await desk.engine.call('uploads.pauseUntil', { until: null });
    await set(desk, { limitBytesPerSecond: null });
    await desk.engine.whenUploadsIdle();
    expect((await totals(desk)).counts.complete).toBe(1);
  });

  it('is refused when the time is in the past or more than a month away', async ({ desk }) => {
    for (const until of [nodeClock.now() - 1, nodeClock.now() + 40 * 86_400_000]) {
      await expect(desk.engine.call('uploads.pauseUntil', { until })).rejects.toMatchObject({ code: 'input.invalid' });
    }
    expect(await totals(desk)).toMatchObject({ paused: false, pausedUntil: null });
  });
});

describe('a speed limit of zero', () => {
  it('pauses running transfers with a notice, starts none, and they continue on the same connection when it is removed', async ({
    desk,
    service,
  }) => {
    const forms = () => requestsOf(service, 'POST', /^\/upload\//);
    await set(desk, { limitBytesPerSecond: 400_000 });
    await add(desk, desk.put('a.bin', 2 * MB));
    desk.engine.startUploads();
    await desk.whenRow(({ sentBytes, state }) => state === 'sending' && sentBytes > 0);
    await set(desk, { limitBytesPerSecond: 0 });
    const [held] = await desk.rows();
    expect(held).toMatchObject({ state: 'sending', notice: { code: 'upload.limit-zero' } });
    expect(await totals(desk)).toMatchObject({ paused: false, limitBytesPerSecond: 0, limitUntil: null });
    await add(desk, desk.put('b.bin', 1000));
    expect(await forms()).toHaveLength(1);
    expect((await desk.row('b.bin')).state).toBe('queued');
    await set(desk, { limitBytesPerSecond: null });
    await desk.engine.whenUploadsIdle();
    expect((await totals(desk)).counts.complete).toBe(2);
    // One form for each file: the held transfer continued.
    expect(await forms()).toHaveLength(2);
  });

  it('pauses new uploads when the timetable sets it', async ({ desk }) => {
    const timetable = [{ days: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '00:00', limitBytesPerSecond: 0 }];
    await set(desk, { timetable });
    await add(desk, desk.put('a.bin', 1000));
    desk.engine.startUploads();
    // No upload is running, and none will start automatically, so the queue is idle.
    await desk.engine.whenUploadsIdle();
    expect((await desk.row('a.bin')).state).toBe('queued');
    await set(desk, { timetable: [] });
    await desk.engine.whenUploadsIdle();
    expect((await desk.row('a.bin')).state).toBe('complete');
  });
});

describe('when the network is available again', () => {
  it('uploads resume as soon as the system reports it', async ({ desk, service }) => {
    let comeBack: (cause: 'woke' | 'online') => void = () => {};
    const clock = fastClock(20);
    const logger = captureLogger();
    await desk.reopen({
      clock,
      logger,
      signals: {
        onDidComeBack(listener) {
          comeBack = listener;
          return () => {};
        },
      },
    });
    await add(desk, desk.put('b.bin', 1000));
    await service.kill9();
    desk.engine.startUploads();
    await whenTotals(desk, ({ blockedBy }) => blockedBy !== null);
    const failures = () => logger.lines.filter(({ event }) => event === 'api.no-answer').length;
    // The probe interval has grown to eight seconds; the current wait passes in real time.
    await expect.poll(failures, { timeout: 60_000 }).toBeGreaterThan(5);
    clock.setSpeed(1);
    await service.restart();
    const backAt = nodeClock.monotonic();
    comeBack('online');
    await desk.engine.whenUploadsIdle();
    expect(nodeClock.monotonic() - backAt).toBeLessThan(5000);
    expect((await desk.row('b.bin')).state).toBe('complete');
  });
});
