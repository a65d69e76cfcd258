// Answers about uploads and receipts that arrive late, in another order, or after the user opened another list.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import {
  loadReceipts,
  openReceipt,
  receiptHits,
  refreshReceipts,
  searchReceipts,
  showBatches,
  useReceipts,
} from '../../../../../../renderer/features/receipts/state/receipts-store.ts';
import { loadUploads, takeUploads } from '../../../../../../renderer/features/uploads/state/load-uploads.ts';
import { useUploads } from '../../../../../../renderer/features/uploads/state/uploads-store.ts';
import type { Batch, ListedBatch, ReceiptHits, UploadTotals } from '../../../../../../shared/contract/uploads.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
  useUploads.setState({ batches: [], isLoaded: false });
});

const batch = (id: string, complete = 0) =>
  ({ id, collectionName: id, counts: { complete }, totalBytes: 1, duplicates: 0, addedAt: 0 }) as unknown as Batch;
const listed = (id: string, complete = 1, addedAt = id === 'first' ? 1 : 2) =>
  ({
    ...batch(id, complete),
    addedAt,
    listed: { counts: { complete }, duplicates: 0 },
    progress: { totalBytes: 0, sentBytes: 0, bytesPerSecond: 0, secondsLeft: null },
  }) as unknown as ListedBatch;
const NO_CHANGE = { rows: [], batches: [], structure: false, relist: false, outline: false };
const totals = (complete: number) => ({ counts: { complete } }) as unknown as UploadTotals;

describe('the list of batches', () => {
  it('loads older batches when its end becomes visible, and nothing when there are no more', async () => {
    const page = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: `b${from + index}`, counts: {} }) as unknown as Batch);
    const loading = loadReceipts();
    await bridge.take('uploads.batches').answer(page(0, 500));
    await loading;
    showBatches(100);
    expect(bridge.waiting).not.toContain('uploads.batches');
    showBatches(470);
    const first = bridge.take('uploads.batches');
    expect(first.input).toMatchObject({ offset: 0 });
    // A batch was added between the two calls, so the second page repeats the last batch of the first page.
    await first.answer(page(0, 500));
    const second = bridge.take('uploads.batches');
    expect(second.input).toMatchObject({ offset: 500 });
    await second.answer(page(499, 11));
    await vi.waitFor(() => expect(useReceipts.getState().batches).toHaveLength(510));
    expect(new Set(useReceipts.getState().batches?.map(({ id }) => id)).size).toBe(510);
    showBatches(509);
    expect(bridge.waiting).not.toContain('uploads.batches');
  });

  it('keeps the batches of the later load when the earlier answer arrives last', async () => {
    void loadReceipts();
    void loadReceipts();
    const [earlier, later] = [bridge.take('uploads.batches'), bridge.take('uploads.batches')];
    await later.answer([batch('second'), batch('first')]);
    await earlier.answer([batch('first')]);
    expect(useReceipts.getState().batches?.map(({ id }) => id)).toEqual(['second', 'first']);
  });
});

describe('a batch that is older than the listed batches', () => {
  it('keeps its receipt open, with new counts, when the list is loaded again', async () => {
    openReceipt('old');
    await bridge.take('uploads.batch').answer(batch('old', 1));
    expect(useReceipts.getState().batch).toMatchObject({ id: 'old', counts: { complete: 1 } });
    refreshReceipts();
    await bridge.take('uploads.batches').answer([batch('new', 5)]);
    await bridge.take('uploads.batch').answer(batch('old', 2));
    expect(useReceipts.getState()).toMatchObject({ batchId: 'old', batch: { id: 'old', counts: { complete: 2 } } });
    openReceipt('new');
    expect(useReceipts.getState().batch?.id).toBe('new');
    expect(bridge.waiting).not.toContain('uploads.batch');
  });

  it('is replaced by the latest batch when it does not exist', async () => {
    useReceipts.setState({ batches: [batch('new', 5)] });
    openReceipt('gone');
    await bridge.take('uploads.batch').answer(null);
    expect(useReceipts.getState()).toMatchObject({ batchId: 'new', batch: { id: 'new' } });
  });
});

describe('the totals and batches of the queue', () => {
  it('keep the totals of an event when the answer to an earlier read arrives after it', async () => {
    void loadUploads();
    const read = bridge.take('uploads.totals');
    takeUploads({ ...NO_CHANGE, totals: totals(2) });
    await read.answer(totals(1));
    expect(useUploads.getState().totals?.counts.complete).toBe(2);
  });

  it('keep the batches of the later load when the earlier answer arrives last', async () => {
    for (let step = 0; step < 2; step += 1) {
      void loadUploads();
      await bridge.take('uploads.totals').answer(totals(1));
    }
    const [earlier, later] = [bridge.take('uploads.outline'), bridge.take('uploads.outline')];
    await later.answer([listed('second'), listed('first')]);
    await earlier.answer([listed('first')]);
    expect(useUploads.getState().batches.map(({ id }) => id)).toEqual(['second', 'first']);
  });

  it('keep a batch of an event when the answer to an earlier read arrives after it', async () => {
    void loadUploads();
    await bridge.take('uploads.totals').answer(totals(1));
    const read = bridge.take('uploads.outline');
    takeUploads({ ...NO_CHANGE, totals: totals(2), batches: [listed('first', 2), listed('added', 1)] });
    await read.answer([listed('first', 1)]);
    expect(useUploads.getState().batches.map(({ id, counts }) => [id, counts.complete])).toEqual([
      ['added', 1],
      ['first', 2],
    ]);
  });

  it('forget a batch whose uploads were all cleared', async () => {
    void loadUploads();
    await bridge.take('uploads.totals').answer(totals(1));
    await bridge.take('uploads.outline').answer([listed('first', 1)]);
    takeUploads({ ...NO_CHANGE, totals: totals(0), batches: [listed('first', 0)], relist: true });
    expect(useUploads.getState().batches).toEqual([]);
  });
});

describe('a search in the receipts', () => {
  it('shows the new outcome of a file when it is loaded again', async () => {
    const hit = (outcome: string) =>
      ({ total: 1, rows: [{ batchId: 'b', line: { uploadId: 'u', outcome } }] }) as unknown as ReceiptHits;
    searchReceipts('lecture');
    await expect.poll(() => bridge.waiting).toContain('receipts.search');
    await bridge.take('receipts.search').answer(hit('pending'));
    receiptHits.refresh();
    expect(receiptHits.rowAt(0)?.line.outcome).toBe('pending');
    await bridge.take('receipts.search').answer(hit('complete'));
    expect(receiptHits.rowAt(0)?.line.outcome).toBe('complete');
  });
});
