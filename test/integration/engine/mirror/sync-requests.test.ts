import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSiteClient } from '../../../../electron/engine/api/http-client.ts';
import { createMirrorSync } from '../../../../electron/engine/mirror/sync/create-mirror-sync.ts';
import { NO_FAILPOINTS } from '../../../../electron/engine/ports/failpoints.ts';
import { silentLogger as logger } from '../../../../electron/engine/ports/logger.ts';
import { nodeClock as clock } from '../../../../electron/engine/ports/system/node-clock.ts';
import { Scheduler } from '../../../../electron/engine/scheduler/scheduler.ts';
import { SiteBreakers } from '../../../../electron/engine/sites/site-breakers.ts';
import type { MediaQuery } from '../../../../shared/contract/library.ts';
import { aSite } from '../../../helpers/data/sites.ts';
import { directConnections } from '../../../helpers/engine/direct-network.ts';
import { ModelLibrary } from '../../../helpers/wire/model-library.ts';

const siteId = 'site-1';

/** Creates a library and its copy, which the scheduler keeps up to date as in the app: a pass every minute, and on request. */
async function syncedLibrary() {
  const library = await ModelLibrary.start();
  const profileDir = await mkdtemp(join(tmpdir(), 'mediadesk-sync-'));
  const site = aSite(siteId, { baseUrl: library.server.url });
  const client = createSiteClient({
    baseUrl: site.baseUrl,
    clock,
    logger,
    userAgent: 'test',
    connections: directConnections(),
    tokens: { accessToken: async () => 'token', renew: async () => 'token' },
  });
  const scheduler = new Scheduler({ clock, logger });
  const { mirrors, syncs, start, stop } = createMirrorSync({
    profileDir,
    clock,
    logger,
    failpoints: NO_FAILPOINTS,
    breakers: new SiteBreakers(clock),
    probe: async () => {},
    scheduler,
    accounts: { clientFor: () => client, list: () => [site], onDidChangeSites: () => () => {} },
    onDidComeBack: () => () => {},
    onDidChangeLibrary: () => {},
    hasEdits: () => false,
  });
  onTestFinished(async () => {
    await stop();
    await scheduler.stop();
    client.close();
    await rm(profileDir, { recursive: true });
  });
  scheduler.start();
  start();
  const query: MediaQuery = {
    siteId,
    collectionId: null,
    search: '',
    type: null,
    status: null,
    sort: 'created_on',
    order: 'asc',
  };
  const titles = () => mirrors.window(query, 0, 100)?.rows.map(({ title }) => title) ?? null;
  return { library, syncs, titles };
}

it('the sync runs another pass when one is requested during a pass, which may have read too early', async () => {
  const { library, syncs, titles } = await syncedLibrary();
  library.add('first');
  await expect.poll(titles).toEqual(['first']);
  await expect.poll(() => syncs.status(siteId).isRunning).toBe(false);
  // The library has answered all requests of the running pass when the item appears and the user refreshes.
  const left = new Set(['modified_on', 'count']);
  const second = new Promise<void>((done) => {
    library.onAnswer = () => {
      const url = library.server.seen.at(-1)?.url ?? '';
      for (const name of left) if (url.includes(name)) left.delete(name);
      if (left.size > 0) return;
      library.onAnswer = () => {};
      library.now += 10;
      library.add('second');
      syncs.passNow(siteId);
      done();
    };
  });
  syncs.passNow(siteId);
  await second;
  await expect.poll(titles, { timeout: 60_000 }).toEqual(['first', 'second']);
});
