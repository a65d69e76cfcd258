// A library that is unreachable for hours while many uploads wait for it. The list of faults is in docs/testing-failures.md.
import { expect } from 'vitest';
import type { JournalEntry } from '../../../../service/site/journal.ts';
import { captureLogger } from '../../../helpers/engine/capture-logger.ts';
import { deskTest } from '../../../helpers/engine/desk.ts';
import { requestsOf } from '../../../helpers/service/journal.ts';

const it = deskTest();

const HOUR_MS = 3_600_000;
const FILES = 500;
const PARALLEL = 4;
const LONGEST_PROBE_WAIT_MS = 8000;

const logger = captureLogger();
it.override('host', { logger, parallelTransfers: PARALLEL });

/** Returns the highest number of requests that were in flight at the same time. */
function mostAtOnce(seen: readonly JournalEntry[]): number {
  const turns = seen.flatMap(({ at, duration_ms }) => [
    { at, by: 1 },
    { at: at + (duration_ms ?? 0), by: -1 },
  ]);
  turns.sort((a, b) => a.at - b.at || a.by - b.by);
  let now = 0;
  let most = 0;
  for (const { by } of turns) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

it('fault 7: 500 uploads wait three hours for an unreachable library, resume without a burst of requests, and are stored once each', async ({
  desk,
  service,
  clock,
}) => {
  const { engine, siteId, collectionId } = desk;
  for (let index = 0; index < FILES; index += 1) desk.put(`${index}.bin`, `contents ${index}`);
  await desk.add();
  await service.kill9();

  const from = clock.now();
  const triesSoFar = () => logger.lines.filter(({ event }) => event === 'api.no-answer').length;
  engine.startUploads();
  // On a busy computer, three hours of the fast clock can be over before the first request, or after only a few requests.
  await expect.poll(triesSoFar, { timeout: 300_000 }).toBeGreaterThan(0);
  clock.setSpeed(1200);
  await new Promise((resolve) => clock.schedule(3 * HOUR_MS, () => resolve(undefined)));
  await expect.poll(triesSoFar, { timeout: 300_000 }).toBeGreaterThan(100);
  clock.setSpeed(20);
  const awayMs = clock.now() - from;
  const tries = triesSoFar();
  // The first requests meet an unreachable library; after that there is one probe at a time, at most every eight
  // seconds.
  expect(tries).toBeLessThanOrEqual(PARALLEL + 4 + awayMs / LONGEST_PROBE_WAIT_MS);
  const waiting = await desk.rows();
  expect(new Set(waiting.map(({ attempts }) => attempts))).toEqual(new Set([0]));
  expect((await engine.call('uploads.totals', null)).blockedBy?.code).toBe('network.unreachable');

  await service.restart();
  await engine.whenUploadsIdle();
  const rows = await desk.rows();
  expect(rows).toHaveLength(FILES);
  expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(rows.map(() => 'complete'));
  expect(new Set(rows.map(({ attempts }) => attempts))).toEqual(new Set([0]));
  expect(new Set(rows.map(({ mediaId }) => mediaId)).size).toBe(FILES);
  const query = {
    siteId,
    collectionId,
    search: '',
    type: null,
    status: null,
    ...({ sort: 'created_on', order: 'desc' } as const),
  };
  expect((await engine.call('library.mediaWindow', { query, offset: 0, limit: 1 })).total).toBe(FILES);
  const changes = await requestsOf(service, 'POST', /./);
  expect(changes.length).toBeGreaterThan(FILES);
  // From the start, never more in parallel than the configured number of transfers.
  expect(mostAtOnce(changes)).toBeLessThanOrEqual(PARALLEL);
}, 600_000);
