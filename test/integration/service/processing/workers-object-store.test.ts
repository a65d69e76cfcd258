// Workers of a library whose content is in a real object store, if one is installed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTools } from '../../../../service/processing/tools/find-tools.ts';
import { CEPH } from '../../../destinations/ceph.ts';
import type { Store } from '../../../destinations/store.ts';
import { effectsOf } from '../../../helpers/service/journal.ts';
import { clientFor } from '../../../helpers/service/service-client.ts';
import { writeStorageConfig } from '../../../helpers/service/service-config.ts';
import { type ServiceProcess, startService } from '../../../helpers/service/service-process.ts';
import { wav } from '../../../helpers/service/service-samples.ts';
import { startWorker, WORKER_TOKEN, type WorkerProcess } from '../../../helpers/service/worker-process.ts';

const { ffmpeg, ffprobe } = findTools();
const isHere = CEPH.missing().length === 0 && ffmpeg !== null && ffprobe !== null;

describe.runIf(isHere)('workers of a library with its content in an object store', { timeout: 300_000 }, () => {
  let store: Store;
  let folder: string;
  let service: ServiceProcess;
  const workers: WorkerProcess[] = [];

  beforeAll(async () => {
    store = await CEPH.start();
    folder = mkdtempSync(join(tmpdir(), 'library-objects-'));
  }, 600_000);
  afterAll(async () => {
    for (const worker of workers) await worker.stop();
    await service?.stop();
    await store?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test.each(['proxied', 'redirected'])('process content that is %s, also after one was killed', async (content) => {
    const place = { folder, name: content, prefix: `${content}/` };
    const config = await writeStorageConfig(place, store, { content });
    const token = join(folder, 'token');
    writeFileSync(token, WORKER_TOKEN);
    const { storage } = JSON.parse(readFileSync(config, 'utf8')) as { storage: object };
    writeFileSync(config, JSON.stringify({ storage, workers: { token_file: token } }));
    service = await startService({ config });
    await service.control('PATCH', '/settings', { processing: { delay_ms: 600_000 } });
    const client = await clientFor(service);
    const file = await client.upload(await client.createItem('Stored away'), 'a.wav', wav(3));
    const first = startWorker(service.baseUrl, { scratch: folder });
    workers.push(first);
    await expect.poll(async () => (await effectsOf(service, 'file-claimed')).length).toBe(1);
    await first.kill9();
    await service.control('PATCH', '/settings', { processing: { delay_ms: 0 }, clock_offset_ms: 61_000 });
    const second = startWorker(service.baseUrl, { scratch: folder });
    workers.push(second);
    expect(await client.processed(file)).toMatchObject({
      status: 'complete',
      duration: 3,
      encodings: [{ duration: 3 }],
    });
    expect(await effectsOf(service, 'file-complete')).toHaveLength(1);
    await second.stop();
    await service.stop();
  });
});
