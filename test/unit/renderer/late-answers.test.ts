// What a screen makes of answers that come late, in another order, or after it went on to something else.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useMessages } from '../../../renderer/stores/app/messages-store.ts';
import { changeSettings, takeSettings, useSettings } from '../../../renderer/stores/app/settings-store.ts';
import {
  deleteInspected,
  edit,
  inspect,
  loadDetail,
  publish,
  save,
  useInspector,
} from '../../../renderer/stores/library/inspector-store.ts';
import { mediaRowAt, openMedia } from '../../../renderer/stores/library/media-store.ts';
import { filterTree, openTree, reloadTree, useTree } from '../../../renderer/stores/library/tree-store.ts';
import { hitAt, refreshHits, searchReceipts } from '../../../renderer/stores/receipts/receipt-search-store.ts';
import {
  loadReceipts,
  openReceipt,
  refreshReceipts,
  showBatches,
  useReceipts,
} from '../../../renderer/stores/receipts/receipts-store.ts';
import {
  addUploads,
  chooseTarget,
  closeAddSheet,
  openAddSheet,
  useAdd,
} from '../../../renderer/stores/uploads/add-store.ts';
import { openUploads, useUploads } from '../../../renderer/stores/uploads/uploads-store.ts';
import { mediaItemSchema } from '../../../shared/api/media.ts';
import type { MediaDetail, MediaRow } from '../../../shared/contract/library.ts';
import {
  type AddUploadsOutput,
  type Batch,
  batchDefaultsSchema,
  type ReceiptHits,
} from '../../../shared/contract/uploads.ts';
import { DEFAULT_SETTINGS } from '../../../shared/model/default-settings.ts';
import { HeldBridge } from '../../helpers/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ spoken: '', messages: [] });
});
const told = () => useMessages.getState().messages.map(({ text }) => text);

const detail = (title: string): MediaDetail => ({
  item: mediaItemSchema.parse({ id: 7, title, status: 'draft', collection_id: 2 }),
  collectionName: null,
  files: [],
  viewUrl: null,
});

describe('the inspector, with items of one id in two libraries', () => {
  const shown = () => useInspector.getState().detail?.item.title;

  beforeEach(() => inspect(null, null));

  it('never shows the item of one library in the place of the other’s', async () => {
    inspect('a', '7');
    const ofA = bridge.take('library.media');
    inspect('b', '7');
    const ofB = bridge.take('library.media');
    await ofB.answer(detail('of B'));
    await ofA.answer(detail('of A'));
    expect(shown()).toBe('of B');
  });

  it('never shows the failure of one library in the place of the other', async () => {
    inspect('a', '7');
    const ofA = bridge.take('library.media');
    inspect('b', '7');
    await ofA.refuse('site.unreachable');
    expect(useInspector.getState()).toMatchObject({ loadError: null, error: null });
  });

  it('leaves the other library’s item alone when a command ends', async () => {
    inspect('a', '7');
    await bridge.take('library.media').answer(detail('of A'));
    edit({ title: 'of A, edited' });
    const saving = save();
    inspect('b', '7');
    await bridge.take('library.media').answer(detail('of B'));
    edit({ title: 'of B, edited' });
    await bridge.take('library.updateMedia').answer(detail('of A, edited'));
    await saving;
    expect(useInspector.getState()).toMatchObject({ busy: null, draft: { title: 'of B, edited' } });
    expect(shown()).toBe('of B');
  });

  it('tells of a command that failed after the person went on', async () => {
    inspect('a', '7');
    const publishing = publish(null);
    inspect('b', '7');
    await bridge.take('library.publishMedia').refuse('api.read-only');
    await publishing;
    expect(useInspector.getState().error).toBeNull();
    expect(told()).toHaveLength(1);
  });

  it('says what an item is after it was published, from the library’s answer', async () => {
    inspect('a', '7');
    const publishing = publish(null);
    expect(bridge.take('library.media').input).toEqual({ siteId: 'a', mediaId: '7' });
    const answer = detail('Show');
    const item = { ...answer.item, title: 'Show', status: 'published', publish_on: '2026-01-01T10:00:00Z' };
    await bridge.take('library.publishMedia').answer({ ...answer, item });
    await publishing;
    expect(useInspector.getState().detail?.item).toMatchObject({ status: 'published', publish_on: item.publish_on });
    expect(useMessages.getState().spoken).toBe('“Show” is published.');
    expect(useMessages.getState().messages).toMatchObject([{ tone: 'good', text: '“Show” is published.' }]);
  });

  it('changes no row of the other library’s list', async () => {
    const row = { id: '7', title: 'of B', status: 'draft' } as MediaRow;
    inspect('a', '7');
    const publishing = publish(null);
    const query = { siteId: 'b', collectionId: null, search: '', type: null, status: null } as const;
    openMedia({ ...query, sort: 'created_on', order: 'desc' });
    await bridge.take('library.mediaWindow').answer({ total: 1, offset: 0, rows: [row] });
    const answer = detail('of A');
    await bridge.take('library.publishMedia').answer({ ...answer, item: { ...answer.item, status: 'published' } });
    await publishing;
    expect(mediaRowAt(0)?.status).toBe('draft');
  });

  it('says that nothing more is to be closed when something else is shown by the time an item is gone', async () => {
    inspect('a', '7');
    const deleting = deleteInspected();
    inspect('b', '7');
    await bridge.take('library.deleteMedia').answer(null);
    expect(await deleting).toBe(false);
  });

  it('does not go back to a reading from before a command', async () => {
    inspect('a', '7');
    await bridge.take('library.media').answer(detail('before'));
    void loadDetail();
    const old = bridge.take('library.media');
    edit({ title: 'after' });
    const saving = save();
    await bridge.take('library.updateMedia').answer(detail('after'));
    await saving;
    await old.answer(detail('before'));
    expect(shown()).toBe('after');
  });
});

describe('the sheet before adding', () => {
  const defaults = batchDefaultsSchema.parse({});
  const added = (change: Partial<AddUploadsOutput> = {}): AddUploadsOutput => ({
    ...{ batchId: 'b', added: 1, addedBytes: 1, skipped: [], skippedCount: 0, sidecars: 0 },
    ...change,
  });
  const preview = { files: 1, bytes: 1, skipped: 0, likelyDuplicates: 1, sidecars: 0, isAll: true, firstNames: [] };

  beforeEach(() => {
    useAdd.setState({ isAdding: false });
    closeAddSheet();
    openAddSheet('s', 'c', ['/one']);
  });

  it('closes when all was added, and says so to whoever waits', async () => {
    const adding = addUploads(defaults);
    await bridge.take('uploads.add').answer(added());
    expect(await adding).toBe(true);
    expect(useAdd.getState()).toMatchObject({ paths: null, isAdding: false });
  });

  it.each([
    ['complete', null, 'all', null],
    ['all', 'an older one', 'all', null],
    ['waiting', null, 'waiting', null],
  ] as const)('leaves what was added in sight: from %s, batch %s', async (filter, batchId, thenFilter, thenBatch) => {
    openUploads(filter, batchId);
    const adding = addUploads(defaults);
    await bridge.take('uploads.add').answer(added());
    await adding;
    expect(useUploads.getState()).toMatchObject({ filter: thenFilter, batchId: thenBatch });
  });

  it('stays open until what it adds was added, so that its end is seen', async () => {
    const adding = addUploads(defaults);
    closeAddSheet();
    expect(useAdd.getState().paths).toEqual(['/one']);
    await bridge.take('uploads.add').answer(added({ skippedCount: 1 }));
    expect(await adding).toBe(false);
    expect(useAdd.getState().result?.skippedCount).toBe(1);
    closeAddSheet();
    expect(useAdd.getState().paths).toBeNull();
  });

  it('is not closed, filled or failed by the answer to another one', async () => {
    const first = addUploads(defaults);
    const answer = bridge.take('uploads.add');
    openAddSheet('s', 'c', ['/two']);
    await answer.answer(added());
    expect(await first).toBe(false);
    expect(useAdd.getState()).toMatchObject({ paths: ['/two'], isAdding: false, result: null });

    const second = addUploads(defaults);
    const refusal = bridge.take('uploads.add');
    openAddSheet('s', 'c', ['/three']);
    await refusal.refuse('file.missing');
    await second;
    expect(useAdd.getState()).toMatchObject({ paths: ['/three'], isAdding: false, error: null });
    expect(told()).toHaveLength(1);
  });

  it('lets the engine look no further when it closes or something else is asked', async () => {
    const ends = () => bridge.waiting.filter((name) => name === 'uploads.endPreview').length;
    const before = ends();
    chooseTarget('d');
    expect(ends()).toBe(before + 1);
    // In this order, so that it ends the look before and not the one that follows.
    expect(bridge.waiting.slice(-2)).toEqual(['uploads.endPreview', 'uploads.preview']);
    closeAddSheet();
    expect(ends()).toBe(before + 2);
    closeAddSheet();
    expect(ends()).toBe(before + 2);
  });

  it('knows that its counts are of the choices before while it looks again', async () => {
    expect(useAdd.getState()).toMatchObject({ preview: null, isLooking: true });
    await bridge.take('uploads.preview').answer(preview);
    expect(useAdd.getState()).toMatchObject({ preview, isLooking: false });
    chooseTarget('d');
    expect(useAdd.getState()).toMatchObject({ preview, isLooking: true });
    await bridge.take('uploads.preview').refuse('file.missing');
    expect(useAdd.getState().isLooking).toBe(false);
  });
});

describe('settings that change faster than they are answered', () => {
  const shown = () => useSettings.getState().settings;

  beforeEach(() => takeSettings(DEFAULT_SETTINGS));

  it('show each change at once and never one from before it', async () => {
    void changeSettings({ parallelTransfers: 5 });
    void changeSettings({ parallelTransfers: 6 });
    const [first, second] = [bridge.take('settings.set'), bridge.take('settings.set')];
    await first.answer({ ...DEFAULT_SETTINGS, parallelTransfers: 5 });
    expect(shown()?.parallelTransfers).toBe(6);
    // What somebody else changed shows when the last answer has come.
    takeSettings({ ...DEFAULT_SETTINGS, parallelTransfers: 5, smallFirst: true });
    expect(shown()).toMatchObject({ parallelTransfers: 6, smallFirst: DEFAULT_SETTINGS.smallFirst });
    await second.answer({ ...DEFAULT_SETTINGS, parallelTransfers: 6, smallFirst: true });
    expect(shown()).toMatchObject({ parallelTransfers: 6, smallFirst: true });
  });

  it('end with the last change when its answer overtakes the one before', async () => {
    void changeSettings({ smallFirst: true });
    void changeSettings({ parallelTransfers: 6 });
    const [first, second] = [bridge.take('settings.set'), bridge.take('settings.set')];
    await second.answer({ ...DEFAULT_SETTINGS, smallFirst: true, parallelTransfers: 6 });
    await first.answer({ ...DEFAULT_SETTINGS, smallFirst: true });
    expect(shown()).toMatchObject({ smallFirst: true, parallelTransfers: 6 });
  });

  it('go back to what is in force when a change is refused', async () => {
    void changeSettings({ parallelTransfers: 5 });
    void changeSettings({ parallelTransfers: 99 });
    const [first, second] = [bridge.take('settings.set'), bridge.take('settings.set')];
    await first.answer({ ...DEFAULT_SETTINGS, parallelTransfers: 5 });
    await second.refuse('input.invalid');
    expect(shown()?.parallelTransfers).toBe(5);
    expect(told()).toHaveLength(1);
  });
});

describe('the list of batches', () => {
  it('goes on with older ones when its end comes into view, and no further than there are', async () => {
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
    // One was added meanwhile: the last of the page before comes again.
    await first.answer(page(0, 500));
    const second = bridge.take('uploads.batches');
    expect(second.input).toMatchObject({ offset: 500 });
    await second.answer(page(499, 11));
    await vi.waitFor(() => expect(useReceipts.getState().batches).toHaveLength(510));
    expect(new Set(useReceipts.getState().batches?.map(({ id }) => id)).size).toBe(510);
    showBatches(509);
    expect(bridge.waiting).not.toContain('uploads.batches');
  });
});

describe('a batch that is older than those listed', () => {
  const batch = (id: string, complete: number) =>
    ({ id, collectionName: id, counts: { complete }, totalBytes: 1, duplicates: 0, addedAt: 0 }) as unknown as Batch;

  it('has its receipt open, and keeps it open when the list is read again', async () => {
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

  it('that is not there gives way to the latest', async () => {
    useReceipts.setState({ batches: [batch('new', 5)] });
    openReceipt('gone');
    await bridge.take('uploads.batch').answer(null);
    expect(useReceipts.getState()).toMatchObject({ batchId: 'new', batch: { id: 'new' } });
  });

  it('is known by name and counts where its uploads are listed, and never taken for another', async () => {
    openUploads('all', 'old');
    expect(useUploads.getState().batch).toBeNull();
    const old = bridge.take('uploads.batch');
    openUploads('all', 'older');
    await old.answer(batch('old', 1));
    expect(useUploads.getState().batch).toBeNull();
    await bridge.take('uploads.batch').answer(batch('older', 1));
    expect(useUploads.getState().batch?.id).toBe('older');
    openUploads('all', null);
    expect(useUploads.getState().batch).toBeNull();
  });
});

describe('a search', () => {
  it('for collections that fails says so, and is done again when the library is back', async () => {
    openTree('s');
    void filterTree('optics');
    await bridge.take('library.findCollections').refuse('site.unreachable');
    expect(useTree.getState()).toMatchObject({ found: [], findError: { code: 'site.unreachable' } });
    reloadTree();
    await bridge.take('library.findCollections').answer([]);
    expect(useTree.getState()).toMatchObject({ found: [], findError: null });
  });

  it('for files in receipts shows what became of them since', async () => {
    const hit = (outcome: string) =>
      ({ total: 1, rows: [{ batchId: 'b', line: { uploadId: 'u', outcome } }] }) as unknown as ReceiptHits;
    searchReceipts('lecture');
    await expect.poll(() => bridge.waiting).toContain('receipts.search');
    await bridge.take('receipts.search').answer(hit('pending'));
    refreshHits();
    expect(hitAt(0)?.line.outcome).toBe('pending');
    await bridge.take('receipts.search').answer(hit('complete'));
    expect(hitAt(0)?.line.outcome).toBe('complete');
  });
});
