import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { ListedBatch } from '../../../../shared/contract/uploads.ts';
import { type Desk, deskTest } from '../../../helpers/engine/desk.ts';

const it = deskTest();

const all = { kind: 'all' } as const;
const names = async (desk: Desk) => (await desk.rows()).map(({ fileName }) => fileName).sort();
const clear = (desk: Desk, what: 'completed' | 'ended') => desk.engine.call('uploads.clear', { selection: all, what });
const receiptTotals = async (desk: Desk, batchId: string) =>
  (await desk.engine.call('uploads.receipt', { batchId })).totals;

async function onlyBatch(desk: Desk): Promise<ListedBatch> {
  const [batch, ...others] = await desk.engine.call('uploads.outline', null);
  if (batch === undefined || others.length > 0) throw new Error('one batch was expected');
  return batch;
}

/** Adds a batch with a complete, a cancelled, a skipped, a failed and a paused upload. Returns its id. */
async function mixedBatch(desk: Desk): Promise<string> {
  for (const name of ['complete.bin', 'cancelled.bin', '.DS_Store', 'failed.bin', 'paused.bin']) desk.put(name);
  const { batchId } = await desk.add();
  const only = async (name: string) => ({ kind: 'ids' as const, ids: [(await desk.row(name)).id] });
  await desk.engine.call('uploads.cancel', await only('cancelled.bin'));
  await desk.engine.call('uploads.pause', await only('paused.bin'));
  rmSync(join(desk.dir, 'failed.bin'));
  await desk.run();
  return batchId;
}

describe('clearing completed uploads', () => {
  it('removes only these from lists and counts, and keeps their receipt, also after a restart', async ({ desk }) => {
    const batchId = await mixedBatch(desk);
    const receipt = await receiptTotals(desk, batchId);
    expect(receipt).toMatchObject({ added: 5, complete: 1, cancelled: 1, skipped: 1, failed: 1, pending: 1 });
    const { changed, undoId } = await clear(desk, 'completed');
    expect(changed).toBe(3);
    for (const restarted of [false, true]) {
      if (restarted) await desk.reopen();
      expect(await names(desk)).toEqual(['failed.bin', 'paused.bin']);
      const listed = { complete: 0, cancelled: 0, skipped: 0, failed: 1, paused: 1 };
      expect((await onlyBatch(desk)).listed.counts).toMatchObject(listed);
      const list = { filter: 'all', batchId, offset: 0, limit: 10, withCleared: true } as const;
      expect(await desk.engine.call('uploads.list', list)).toMatchObject({ total: 5 });
      expect((await desk.engine.call('uploads.totals', null)).counts).toMatchObject(listed);
      expect(await receiptTotals(desk, batchId)).toEqual(receipt);
      const [batch] = await desk.engine.call('uploads.batches', { limit: 10 });
      expect(batch?.counts).toMatchObject({ complete: 1, cancelled: 1, skipped: 1, failed: 1, paused: 1 });
      expect((await desk.engine.call('app.doctor', { all: false })).findings.map(({ code }) => code)).not.toContain(
        'counts.differ',
      );
    }
    // The engine that offered the undo has ended.
    expect(await desk.engine.call('uploads.undoClear', { undoId: undoId ?? '' })).toEqual({ changed: 0 });
    const selection = { kind: 'batch', batchId } as const;
    expect(await desk.engine.call('uploads.undoClear', { selection })).toEqual({ changed: 3 });
    expect(await desk.rows()).toHaveLength(5);
  });

  it('is undone once, and the undo restores only the removed uploads', async ({ desk }) => {
    await mixedBatch(desk);
    const complete = (await desk.row('complete.bin')).id;
    await desk.engine.call('uploads.clear', { selection: { kind: 'ids', ids: [complete] }, what: 'completed' });
    const { changed, undoId } = await clear(desk, 'completed');
    expect(changed).toBe(2);
    expect(await desk.engine.call('uploads.undoClear', { undoId: undoId ?? '' })).toEqual({ changed: 2 });
    expect(await desk.engine.call('uploads.undoClear', { undoId: undoId ?? '' })).toEqual({ changed: 0 });
    expect(await names(desk)).toEqual(['.DS_Store', 'cancelled.bin', 'failed.bin', 'paused.bin']);
  });

  it('keeps failed uploads until all ended uploads are cleared, and always keeps those in progress', async ({
    desk,
  }) => {
    await desk.add([desk.put('first.bin', 'one')]);
    await desk.run();
    await desk.add([desk.put('again.bin', 'one'), desk.put('later.bin', 'two')]);
    await desk.engine.call('uploads.pause', { kind: 'ids', ids: [(await desk.row('later.bin')).id] });
    await desk.run();
    expect((await desk.row('again.bin')).error?.code).toBe('upload.duplicate');
    expect((await clear(desk, 'completed')).changed).toBe(1);
    expect(await names(desk)).toEqual(['again.bin', 'later.bin']);
    expect((await clear(desk, 'ended')).changed).toBe(1);
    expect(await names(desk)).toEqual(['later.bin']);
    expect((await desk.engine.call('uploads.totals', null)).duplicates).toBe(0);
  });

  it('hides cleared uploads from commands for a batch or for all; a retry by id lists the upload again', async ({
    desk,
  }) => {
    const batchId = await mixedBatch(desk);
    const cancelled = (await desk.row('cancelled.bin')).id;
    expect((await clear(desk, 'ended')).changed).toBe(4);
    for (const selection of [all, { kind: 'batch', batchId } as const]) {
      expect(await desk.engine.call('uploads.retry', selection)).toEqual({ changed: 0 });
      expect(await names(desk)).toEqual(['paused.bin']);
    }
    expect(await desk.engine.call('uploads.retry', { kind: 'ids', ids: [cancelled] })).toEqual({ changed: 1 });
    expect(await names(desk)).toEqual(['cancelled.bin', 'paused.bin']);
    await desk.run();
    expect((await desk.row('cancelled.bin')).state).toBe('complete');
  });

  it('does not change the progress of a batch that is in progress', async ({ desk }) => {
    const paths = ['a.bin', 'b.bin', 'c.bin'].map((name) => desk.put(name, `${name}!`.repeat(100)));
    await desk.add(paths);
    await desk.engine.call('uploads.pause', { kind: 'ids', ids: [(await desk.row('c.bin')).id] });
    await desk.run();
    const before = await onlyBatch(desk);
    expect(before.progress).toMatchObject({ totalBytes: 1800, sentBytes: 1200 });
    await clear(desk, 'completed');
    const after = await onlyBatch(desk);
    expect(after.progress).toEqual(before.progress);
    expect(after.counts).toEqual(before.counts);
    expect(after.listed.counts).toMatchObject({ complete: 0, paused: 1 });
    const totals = await desk.engine.call('uploads.totals', null);
    expect(totals).toMatchObject({ totalBytes: 1800, sentBytes: 1200 });
  });

  it('reports the changed batch, and that lists must be loaded again', async ({ desk }) => {
    await mixedBatch(desk);
    const reported = new Promise<ListedBatch[]>((resolve) => {
      desk.engine.on('onDidChangeUploads', ({ batches, relist }) => relist && resolve(batches));
    });
    await clear(desk, 'completed');
    const [batch] = await reported;
    expect(batch?.listed.counts).toMatchObject({ complete: 0, skipped: 0, cancelled: 0, failed: 1, paused: 1 });
    expect(batch?.counts).toMatchObject({ complete: 1, skipped: 1, cancelled: 1, failed: 1, paused: 1 });
  });
});
