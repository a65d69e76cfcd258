import { describe, expect } from 'vitest';
import type { UploadTotals } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';

const it = deskTest();

/** Adds one batch of files of these sizes, each filled with `contents`, or by default with its name. Returns its id. */
async function add(desk: Desk, files: Record<string, number>, contents = ''): Promise<string> {
  const paths = Object.entries(files).map(([name, bytes]) =>
    desk.put(name, Buffer.alloc(bytes, contents === '' ? name : contents)),
  );
  return (await desk.add(paths)).batchId;
}

const bytes = ({ sentBytes, totalBytes }: UploadTotals) => ({ sentBytes, totalBytes });
const shown = async (desk: Desk) => bytes(await desk.engine.call('uploads.totals', null));
const hold = (desk: Desk, batchId: string) => desk.engine.call('uploads.pause', { kind: 'batch', batchId });

describe('the shown progress', () => {
  it('is zero for a batch without sent bytes, whatever earlier batches sent', async ({ desk }) => {
    await add(desk, { 'earlier.bin': 4900 });
    await hold(desk, await add(desk, { 'later.bin': 5100 }));
    const before: UploadTotals[] = [];
    desk.engine.on('onDidChangeUploads', ({ totals }) => void before.push(totals));
    await desk.run();
    expect(await shown(desk)).toEqual({ sentBytes: 0, totalBytes: 5100 });
    expect(before.every(({ sentBytes, totalBytes }) => sentBytes <= totalBytes)).toBe(true);
  });

  it('counts the bytes that the active batch has delivered, also after a restart', async ({ desk }) => {
    const batchId = await add(desk, { 'a.bin': 3000, 'b.bin': 1000 });
    const b = (await desk.rows()).find(({ fileName }) => fileName === 'b.bin');
    await desk.engine.call('uploads.pause', { kind: 'ids', ids: [b?.id ?? ''] });
    await desk.run();
    expect(await shown(desk)).toEqual({ sentBytes: 3000, totalBytes: 4000 });
    await desk.reopen();
    expect(await shown(desk)).toEqual({ sentBytes: 3000, totalBytes: 4000 });
    await desk.engine.call('uploads.cancel', { kind: 'batch', batchId });
    expect(await shown(desk)).toEqual({ sentBytes: 0, totalBytes: 0 });
  });

  it('is zero for an upload that starts again from the first byte', async ({ desk, service }) => {
    await service.control('POST', '/faults', {
      method: 'POST',
      path: '^/upload/',
      times: 1,
      action: { kind: 'reset', afterBytes: 1_000_000 },
    });
    const failed = desk.whenRow(({ state }) => state === 'waiting');
    await add(desk, { 'again.bin': 3_000_000 });
    desk.engine.startUploads();
    expect((await failed).sentBytes).toBe(0);
    expect(await shown(desk)).toEqual({ sentBytes: 0, totalBytes: 3_000_000 });
  });

  it('counts no file as sent when it is skipped or waits for a decision', async ({ desk }) => {
    await add(desk, { 'first.bin': 2000 }, 'same');
    await desk.run();
    const batchId = await add(desk, { 'second.bin': 2000, 'other.bin': 500 }, 'same');
    await hold(desk, batchId);
    const other = (await desk.rows()).find(({ fileName }) => fileName === 'second.bin');
    await desk.engine.call('uploads.resume', { kind: 'ids', ids: [other?.id ?? ''] });
    await desk.engine.whenUploadsIdle();
    expect(await desk.engine.call('uploads.totals', null)).toMatchObject({
      duplicates: 1,
      sentBytes: 0,
      totalBytes: 500,
    });
    const list = async (filter: 'failed' | 'needs-decision') =>
      (await desk.engine.call('uploads.list', { filter, batchId, offset: 0, limit: 100 })).rows.map(
        ({ fileName }) => fileName,
      );
    expect(await list('failed')).toEqual([]);
    expect(await list('needs-decision')).toEqual(['second.bin']);
    await desk.engine.call('uploads.resolveDuplicates', { selection: { kind: 'failed' }, choice: 'skip' });
    expect(await shown(desk)).toEqual({ sentBytes: 0, totalBytes: 500 });
    const { totals } = await desk.engine.call('uploads.receipt', { batchId });
    expect(totals).toMatchObject({ added: 2, skipped: 1, pending: 1, complete: 0, failed: 0, asks: 0 });
  });
});
