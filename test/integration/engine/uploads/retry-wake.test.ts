import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { batchDefaultsSchema } from '../../../../shared/contract/uploads.ts';
import { allRows, createTestProfile, signInEngine } from '../../../helpers/engine-host.ts';
import { fastClock } from '../../../helpers/fast-clock.ts';
import { startService } from '../../../helpers/service-process.ts';

// Time that runs this fast goes on noticeably between two lines of the queue's own code.
it('a retry that becomes due while the queue checks what is due is not lost', async () => {
  const service = await startService();
  const profile = createTestProfile(service);
  const dir = mkdtempSync(join(tmpdir(), 'mediadesk-wake-'));
  const engine = await profile.open({ clock: fastClock(300), parallelTransfers: 1 });
  try {
    const siteId = await signInEngine(engine, service);
    const [top] = await engine.call('library.collections', { siteId, parentId: null });
    engine.startUploads();
    for (let index = 0; index < 15; index += 1) {
      const path = join(dir, `${index}.bin`);
      writeFileSync(path, `contents ${index}`);
      await service.control('POST', '/faults', { path: '^/upload/', action: { kind: 'status', status: 500 } });
      const defaults = batchDefaultsSchema.parse({});
      await engine.call('uploads.add', { siteId, collectionId: top?.id ?? '', paths: [path], defaults });
      // One at a time: another one at work would wake the queue by itself.
      await engine.whenUploadsIdle();
    }
    expect((await allRows(engine)).map(({ state }) => state)).toEqual(Array.from({ length: 15 }, () => 'complete'));
  } finally {
    await engine.stop();
    await service.stop();
    profile.remove();
    rmSync(dir, { recursive: true, force: true });
  }
});
