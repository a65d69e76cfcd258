// A library that is away for hours while very many wait for it. The list of faults is in docs/testing.md.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import type { JournalEntry } from '../../../../service/site/journal.ts';
import { batchDefaultsSchema, type UploadRow } from '../../../../shared/contract/uploads.ts';
import { captureLogger } from '../../../helpers/capture-logger.ts';
import {
  allRows,
  createTestProfile,
  makeCollection,
  signInEngine,
  type TestProfile,
} from '../../../helpers/engine-host.ts';
import { fastClock } from '../../../helpers/fast-clock.ts';
import { requestsOf } from '../../../helpers/journal.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

const HOUR_MS = 3_600_000;
const FILES = 500;
const PARALLEL = 4;
const LONGEST_PROBE_WAIT_MS = 8000;

let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let dir: string;

beforeEach(async () => {
  service = await startService();
  profile = createTestProfile(service);
  dir = mkdtempSync(join(tmpdir(), 'mediadesk-absence-'));
});
afterEach(async () => {
  await engine.stop();
  await service.stop();
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

/** Most requests that were under way at one instant. */
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

it('fault 7: 500 uploads wait three hours for an unreachable library, resume without a burst of requests, and are stored once each', async () => {
  const clock = fastClock(1);
  const logger = captureLogger();
  engine = await profile.open({ clock, logger, parallelTransfers: PARALLEL });
  const siteId = await signInEngine(engine, service);
  const collectionId = await makeCollection(engine, siteId, 'After the absence');
  for (let index = 0; index < FILES; index += 1) writeFileSync(join(dir, `${index}.bin`), `contents ${index}`);
  await engine.call('uploads.add', { siteId, collectionId, paths: [dir], defaults: batchDefaultsSchema.parse({}) });
  await service.kill9();

  const from = clock.now();
  clock.setSpeed(600);
  engine.startUploads();
  await new Promise((resolve) => clock.schedule(3 * HOUR_MS, () => resolve(undefined)));
  clock.setSpeed(20);
  const awayMs = clock.now() - from;
  const tries = logger.lines.filter(({ event }) => event === 'api.no-answer').length;
  // The first wave meets a closed door, then one question at a time, at most every eight seconds.
  expect(tries).toBeGreaterThan(100);
  expect(tries).toBeLessThanOrEqual(PARALLEL + 4 + awayMs / LONGEST_PROBE_WAIT_MS);
  const waiting = await allRows(engine);
  expect(new Set(waiting.map(({ attempts }) => attempts))).toEqual(new Set([0]));
  expect((await engine.call('uploads.totals', null)).blockedBy?.code).toBe('network.unreachable');

  await service.restart();
  await engine.whenUploadsIdle();
  const rows: UploadRow[] = await allRows(engine);
  expect(rows).toHaveLength(FILES);
  expect(rows.map(({ state, error }) => error?.code ?? state)).toEqual(rows.map(() => 'complete'));
  expect(new Set(rows.map(({ attempts }) => attempts))).toEqual(new Set([0]));
  expect(new Set(rows.map(({ mediaId }) => mediaId)).size).toBe(FILES);
  const query = {
    ...{ siteId, collectionId, search: '', type: null, status: null },
    ...({ sort: 'created_on', order: 'desc' } as const),
  };
  expect((await engine.call('library.mediaWindow', { query, offset: 0, limit: 1 })).total).toBe(FILES);
  const changes = await requestsOf(service, 'POST', /./);
  expect(changes.length).toBeGreaterThan(FILES);
  // Never more at once than transfers are allowed, from the first moment on.
  expect(mostAtOnce(changes)).toBeLessThanOrEqual(PARALLEL);
}, 180_000);
