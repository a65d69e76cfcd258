import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SiteClient } from '../../../../electron/engine/api/http-client.ts';
import { ServerClock } from '../../../../electron/engine/api/server-clock.ts';
import { createMirrorSync } from '../../../../electron/engine/mirror/sync/create-mirror-sync.ts';
import { NO_FAILPOINTS } from '../../../../electron/engine/ports/failpoints.ts';
import { silentLogger } from '../../../../electron/engine/ports/logger.ts';
import { nodeClock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { Scheduler } from '../../../../electron/engine/scheduler/scheduler.ts';
import { SiteBreakers } from '../../../../electron/engine/sites/site-breakers.ts';
import { Prng } from '../../../helpers/data/prng.ts';
import { aSite } from '../../../helpers/data/sites.ts';
import { directConnections } from '../../../helpers/engine/direct-network.ts';
import { VirtualTime } from '../../../simulation/world/virtual-time.ts';

let profileDir: string;
beforeEach(() => {
  profileDir = mkdtempSync(join(tmpdir(), 'mediadesk-sync-'));
});
afterEach(() => rmSync(profileDir, { recursive: true, force: true }));

const SITE = aSite('s', { baseUrl: 'http://127.0.0.1:9' });
const TEN_MINUTES_MS = 600_000;
const MOST_ATTEMPTS = 20;
const never = () => new Promise<never>(() => {});
const NEVER_ANSWERS: SiteClient = {
  baseUrl: SITE.baseUrl,
  logger: silentLogger,
  request: never,
  get: never,
  read: never,
  resolve: (link) => new URL(link),
  serverClock: new ServerClock(nodeClock),
  reconnect() {},
  close() {},
  contents: directConnections().pool(),
};

it('the sync waits longer after each pass that ends with a programming error, and logs the error', async () => {
  const time = new VirtualTime(new Prng(1, 1), new Prng(1, 2), 0);
  const clock = time.clockFor({ number: 0, alive: true }, () => 0);
  const attempts: number[] = [];
  let logged = 0;
  const error = (event: string) => {
    if (event === 'mirror.pass-fault') logged += 1;
  };
  const logger = { ...silentLogger, error };
  const scheduler = new Scheduler({ clock, logger });
  const clientFor = () => {
    attempts.push(time.elapsedMs);
    // An endless loop would block this thread, so a request without an answer ends it.
    if (attempts.length > MOST_ATTEMPTS) return NEVER_ANSWERS;
    throw new TypeError('a bug');
  };
  const mirror = createMirrorSync({
    profileDir,
    clock,
    logger,
    failpoints: NO_FAILPOINTS,
    breakers: new SiteBreakers(clock),
    probe: async () => {},
    scheduler,
    accounts: { clientFor, list: () => [SITE], onDidChangeSites: () => () => {} },
    onDidComeBack: () => () => {},
    onDidChangeLibrary: () => {},
    hasEdits: () => false,
  });
  scheduler.start();
  mirror.start();
  time.after(TEN_MINUTES_MS, null, () => {});
  while (time.elapsedMs < TEN_MINUTES_MS && time.step()) await nextTurn();
  expect(attempts.length).toBeGreaterThan(3);
  expect(attempts.length).toBeLessThan(MOST_ATTEMPTS);
  expect(logged).toBe(attempts.length);
  const waits = attempts.slice(1).map((atMs, index) => atMs - (attempts[index] ?? 0));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1000);
  for (const [index, wait] of waits.slice(1).entries()) expect(wait).toBeGreaterThan(waits[index] ?? 0);
  await mirror.stop();
  await scheduler.stop();
});
