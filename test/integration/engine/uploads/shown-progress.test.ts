import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from '../../../../electron/engine/engine.ts';
import { batchDefaultsSchema, type UploadTotals } from '../../../../shared/contract/uploads.ts';
import { allRows, openTestDesk, type TestProfile, whenRow } from '../../../helpers/engine-host.ts';
import { type ServiceProcess, startService } from '../../../helpers/service-process.ts';

let service: ServiceProcess;
let profile: TestProfile;
let engine: Engine;
let siteId: string;
let collectionId: string;
let dir: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  ({ profile, engine, siteId, collectionId, dir } = await openTestDesk(service, 'progress'));
});
afterEach(async () => {
  await engine.stop();
  await service.control('DELETE', '/faults');
  profile.remove();
  rmSync(dir, { recursive: true, force: true });
});

/** One batch of files of these sizes; `contents` equal where the same is given. */
async function add(files: Record<string, number>, contents = ''): Promise<string> {
  const paths = Object.entries(files).map(([name, bytes]) => {
    writeFileSync(join(dir, name), Buffer.alloc(bytes, contents === '' ? name : contents));
    return join(dir, name);
  });
  const defaults = batchDefaultsSchema.parse({});
  return (await engine.call('uploads.add', { siteId, collectionId, paths, defaults })).batchId;
}

const bytes = ({ sentBytes, totalBytes }: UploadTotals) => ({ sentBytes, totalBytes });
const shown = async () => bytes(await engine.call('uploads.totals', null));
const hold = (batchId: string) => engine.call('uploads.pause', { kind: 'batch', batchId });
async function settled(): Promise<void> {
  engine.startUploads();
  await engine.whenUploadsIdle();
}

describe('the progress that is shown', () => {
  it('is nothing for a batch of which nothing is sent, whatever earlier batches sent', async () => {
    await add({ 'earlier.bin': 4900 });
    await hold(await add({ 'later.bin': 5100 }));
    const before: UploadTotals[] = [];
    engine.on('onDidChangeUploads', ({ totals }) => void before.push(totals));
    await settled();
    expect(await shown()).toEqual({ sentBytes: 0, totalBytes: 5100 });
    expect(before.every(({ sentBytes, totalBytes }) => sentBytes <= totalBytes)).toBe(true);
  });

  it('counts what the batch at work has delivered, also after a restart', async () => {
    const batchId = await add({ 'a.bin': 3000, 'b.bin': 1000 });
    const b = (await allRows(engine)).find(({ fileName }) => fileName === 'b.bin');
    await engine.call('uploads.pause', { kind: 'ids', ids: [b?.id ?? ''] });
    await settled();
    expect(await shown()).toEqual({ sentBytes: 3000, totalBytes: 4000 });
    await engine.stop();
    engine = await profile.open();
    expect(await shown()).toEqual({ sentBytes: 3000, totalBytes: 4000 });
    await engine.call('uploads.cancel', { kind: 'batch', batchId });
    expect(await shown()).toEqual({ sentBytes: 0, totalBytes: 0 });
  });

  it('is nothing for an upload that begins again from the start', async () => {
    await service.control('POST', '/faults', {
      ...{ method: 'POST', path: '^/upload/', times: 1, action: { kind: 'reset', afterBytes: 1_000_000 } },
    });
    const failed = whenRow(engine, ({ state }) => state === 'waiting');
    await add({ 'again.bin': 3_000_000 });
    engine.startUploads();
    expect((await failed).sentBytes).toBe(0);
    expect(await shown()).toEqual({ sentBytes: 0, totalBytes: 3_000_000 });
  });

  it('counts no file as sent that is left out or waits for a decision', async () => {
    await add({ 'first.bin': 2000 }, 'same');
    await settled();
    const batchId = await add({ 'second.bin': 2000, 'other.bin': 500 }, 'same');
    await hold(batchId);
    const other = (await allRows(engine)).find(({ fileName }) => fileName === 'second.bin');
    await engine.call('uploads.resume', { kind: 'ids', ids: [other?.id ?? ''] });
    await engine.whenUploadsIdle();
    expect(await engine.call('uploads.totals', null)).toMatchObject({ duplicates: 1, sentBytes: 0, totalBytes: 500 });
    const list = async (filter: 'failed' | 'needs-decision') =>
      (await engine.call('uploads.list', { filter, batchId, offset: 0, limit: 100 })).rows.map(
        ({ fileName }) => fileName,
      );
    expect(await list('failed')).toEqual([]);
    expect(await list('needs-decision')).toEqual(['second.bin']);
    await engine.call('uploads.resolveDuplicates', { selection: { kind: 'failed' }, choice: 'skip' });
    expect(await shown()).toEqual({ sentBytes: 0, totalBytes: 500 });
    const { totals } = await engine.call('uploads.receipt', { batchId });
    expect(totals).toMatchObject({ added: 2, skipped: 1, pending: 1, complete: 0, failed: 0, asks: 0 });
  });
});
