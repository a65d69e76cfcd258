// The cost of polling when very many files are in processing, counted by the service on the engine's clock.
import { expect } from 'vitest';
import { Desk, deskTest } from '../../../helpers/engine/desk.ts';
import { clearJournal, journalOf, requestsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import type { ServiceProcess } from '../../../helpers/service/service-process.ts';
import { ManualClock } from '../../../helpers/time/manual-clock.ts';

const it = deskTest();

const MANY = 1000;
const A_FEW_PER_SECOND = 3;
/** The permitted burst, plus the requests that were in flight when counting began. */
const AT_ONCE = 3 + 4;
const AN_HOUR_MS = 3_600_000;

const processing = (service: ServiceProcess, delayMs: number) =>
  service.control('PATCH', '/settings', { processing: { delay_ms: delayMs, outcome: 'complete' } });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const countsOf = async ({ engine }: Desk) => (await engine.call('uploads.totals', null)).counts;

/** Adds this number of files and starts their uploads; the library processes each for `delayMs`. */
async function upload(desk: Desk, files: number, delayMs: number): Promise<void> {
  await processing(desk.service, delayMs);
  for (let index = 0; index < files; index += 1) desk.put(`take ${index}.bin`, `bytes ${index}`);
  await desk.add([desk.dir], { duplicates: 'upload' });
  desk.engine.startUploads();
}

it.override({ host: { parallelTransfers: 8 } });

it('a thousand uploads in processing are polled with at most three requests per second, until each has ended', async ({
  desk,
  service,
  clock,
}) => {
  await upload(desk, MANY, AN_HOUR_MS);
  while ((await countsOf(desk)).processing < MANY) await pause(20);

  clock.setSpeed(10);
  await pause(500);
  await clearJournal(service);
  const from = clock.monotonic();
  while (clock.monotonic() - from < 60_000) await pause(20);
  const asked = (await journalOf(service)).filter(({ method }) => method !== null);
  const seconds = (clock.monotonic() - from) / 1000;
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.length).toBeLessThanOrEqual(seconds * A_FEW_PER_SECOND + AT_ONCE);
  expect((await countsOf(desk)).processing).toBe(MANY);

  // After its restart, the service starts the interrupted processing again, now without a delay.
  await processing(service, 0);
  await service.restart();
  const releasedAt = clock.monotonic();
  await desk.engine.whenUploadsIdle();
  const until = (clock.monotonic() - releasedAt) / 1000;
  expect((await countsOf(desk)).complete).toBe(MANY);
  const afterwards = (await journalOf(service)).filter(({ method }) => method !== null);
  expect(afterwards.length).toBeLessThanOrEqual(until * A_FEW_PER_SECOND + AT_ONCE);
  // Fewer requests than files: they are polled together.
  expect(afterwards.length).toBeLessThan(MANY);
}, 600_000);

it('the end of the processing of a single upload is detected within one second', async ({ service }) => {
  const clock = new ManualClock();
  await using desk = await Desk.open(service, { clock });
  await upload(desk, 1, 400);
  const row = async () => (await desk.rows())[0];
  const isDoneThere = async () => {
    const id = (await row())?.fileId;
    return id && (await service.control<{ status: string }>('GET', `/files/${id}/sha256`)).status === 'complete';
  };
  // Only the first steps of the upload need the engine's clock. After them the clock stops, however long the service takes.
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
  await expect.poll(async () => (await row())?.state, { timeout: 60_000 }).toBe('complete');
}, 600_000);

it('uploads behind hundreds of newer items are found in the list instead of being polled one by one', async ({
  desk,
  service,
}) => {
  const files = 80;
  await upload(desk, files, AN_HOUR_MS);
  while ((await countsOf(desk)).processing < files) await pause(20);
  // Uploads become due for polling at different times. After a restart, all are due immediately, so one pass over the list covers
  // them all.
  await desk.engine.stop();
  const client = await clientFor(service);
  for (let index = 0; index < 450; index += 1) {
    await client.post('/api2/media', { title: `newer ${index}`, collection_id: desk.collectionId });
  }
  await processing(service, 0);
  await service.restart();
  await clearJournal(service);
  await desk.reopen();
  expect((await countsOf(desk)).processing).toBe(files);
  desk.engine.startUploads();
  await desk.engine.whenUploadsIdle();
  expect((await countsOf(desk)).complete).toBe(files);
  const alone = await requestsOf(service, 'GET', /\/files\/\d+$/);
  expect(alone.length).toBeLessThan(files / 4);
}, 600_000);
