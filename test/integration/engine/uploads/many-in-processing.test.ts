// The cost of polling for the service when very many files are in processing, counted by the service on the engine's
// clock.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Clock } from '../../../../electron/engine/ports/clock.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { allRows, openTestDesk, type TestDesk } from '../../../helpers/engine-host.ts';
import { fastClock } from '../../../helpers/fast-clock.ts';
import { clearJournal, journalOf, requestsOf } from '../../../helpers/journal.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { clientFor } from '../../../helpers/service-client.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

const MANY = 1000;
const A_FEW_PER_SECOND = 3;
/** The permitted burst, plus the requests that were in flight when counting began. */
const AT_ONCE = 3 + 4;
const AN_HOUR_MS = 3_600_000;

let service: ServiceProcess;
let desk: TestDesk;

beforeEach(async () => {
  service = await startService();
});
afterEach(async () => {
  await desk.engine.stop();
  await service.stop();
  desk.profile.remove();
  rmSync(desk.dir, { recursive: true, force: true });
});

/** Sets every processing outcome to complete. */
const processing = (delayMs: number) =>
  service.control('PATCH', '/settings', { processing: { delay_ms: delayMs, outcome: 'complete' } });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const counts = async () => (await desk.engine.call('uploads.totals', null)).counts;

async function upload(clock: Clock, files: number): Promise<void> {
  desk = await openTestDesk(service, 'processing', { clock, parallelTransfers: 8 });
  const { engine, siteId, collectionId, dir } = desk;
  for (let index = 0; index < files; index += 1) writeFileSync(join(dir, `take ${index}.bin`), `bytes ${index}`);
  const defaults = batchDefaultsSchema.parse({ duplicates: 'upload' });
  await engine.call('uploads.add', { siteId, collectionId, paths: [dir], defaults });
  engine.startUploads();
}

it('a thousand uploads in processing are polled with at most three requests per second, until each has ended', async () => {
  await processing(AN_HOUR_MS);
  const clock = fastClock(1);
  await upload(clock, MANY);
  while ((await counts()).processing < MANY) await pause(20);

  clock.setSpeed(10);
  await pause(500);
  await clearJournal(service);
  const from = clock.monotonic();
  while (clock.monotonic() - from < 60_000) await pause(20);
  const asked = (await journalOf(service)).filter(({ method }) => method !== null);
  const seconds = (clock.monotonic() - from) / 1000;
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.length).toBeLessThanOrEqual(seconds * A_FEW_PER_SECOND + AT_ONCE);
  expect((await counts()).processing).toBe(MANY);

  // Interrupted work starts again without a delay.
  await processing(0);
  await service.restart();
  const releasedAt = clock.monotonic();
  await desk.engine.whenUploadsIdle();
  const until = (clock.monotonic() - releasedAt) / 1000;
  expect((await counts()).complete).toBe(MANY);
  const afterwards = (await journalOf(service)).filter(({ method }) => method !== null);
  expect(afterwards.length).toBeLessThanOrEqual(until * A_FEW_PER_SECOND + AT_ONCE);
  // Fewer requests than files: they are polled together.
  expect(afterwards.length).toBeLessThan(MANY);
}, 180_000);

it('the end of a single upload is detected within one second', async () => {
  await processing(400);
  const clock = new ManualClock();
  await upload(clock, 1);
  const row = async () => (await allRows(desk.engine))[0];
  const isDoneThere = async () => {
    const id = (await row())?.fileId;
    return id && (await service.control<{ status: string }>('GET', `/files/${id}/sha256`)).status === 'complete';
  };
  // Only the engine’s first steps need its clock; then it stops, however long the service takes.
  while ((await row())?.state !== 'processing') {
    clock.advance(20);
    await pause(2);
  }
  while (!(await isDoneThere())) await pause(5);
  expect((await row())?.state).toBe('processing');
  let waitedMs = 0;
  for (; waitedMs < 1000 && (await row())?.state !== 'complete'; waitedMs += 50) {
    clock.advance(50);
    await pause(5);
  }
  // Requests that were sent within that second may take longer in real time.
  await expect.poll(async () => (await row())?.state, { timeout: 10_000 }).toBe('complete');
}, 60_000);

it('finds uploads behind hundreds of newer items in the list instead of polling them one by one', async () => {
  const files = 80;
  await processing(AN_HOUR_MS);
  await upload(fastClock(1), files);
  while ((await counts()).processing < files) await pause(20);
  // Uploads become due for polling at different times. After a restart all are due at once, so that one pass over the
  // list covers them all.
  await desk.engine.stop();
  const client = await clientFor(service);
  for (let index = 0; index < 450; index += 1) {
    await client.post('/api2/media', { title: `newer ${index}`, collection_id: desk.collectionId });
  }
  await processing(0);
  await service.restart();
  await clearJournal(service);
  desk.engine = await desk.profile.open({ clock: fastClock(1) });
  expect((await counts()).processing).toBe(files);
  desk.engine.startUploads();
  await desk.engine.whenUploadsIdle();
  expect((await counts()).complete).toBe(files);
  const alone = await requestsOf(service, 'GET', /\/files\/\d+$/);
  expect(alone.length).toBeLessThan(files / 4);
}, 120_000);
