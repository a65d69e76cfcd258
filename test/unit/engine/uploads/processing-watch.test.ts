import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { lookWaitMs, RequestBudget } from '../../../../electron/engine/uploads/look-schedule.ts';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { allRows, createTestProfile, signInEngine, type TestProfile } from '../../../helpers/engine-host.ts';
import { clearJournal, requestsOf } from '../../../helpers/journal.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

const FILES = 40;

describe.each(['reference', 'lean', 'strict'] as const)('many uploads in processing, %s', (dialect) => {
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

  it('are followed together: with far fewer requests than there are looks', async () => {
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
    // Processed one or two at a time, most of them wait for seconds and would be looked at many times.
    expect(single.length).toBeLessThan(FILES);
  }, 60_000);
});

describe('the schedule of looks', () => {
  it('is dense at first and takes minutes for what never ends', () => {
    expect(lookWaitMs(0)).toBeLessThanOrEqual(1000);
    expect(lookWaitMs(5 * 60_000)).toBeLessThanOrEqual(1000);
    expect(lookWaitMs(3_600_000)).toBeGreaterThan(5000);
    expect(lookWaitMs(30 * 24 * 3_600_000)).toBe(120_000);
  });

  it('keeps to a budget of requests a second, whatever is asked of it', () => {
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
