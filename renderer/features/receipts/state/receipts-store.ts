import { create } from 'zustand';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { CallInput } from '../../../../shared/contract/contract.ts';
import type { Batch, ReceiptHits, UploadFilter, UploadRow } from '../../../../shared/contract/uploads.ts';
import { delayed } from '../../../kit/async/delayed.ts';
import { latestOnly } from '../../../kit/async/latest-only.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { createWindowedList } from '../../../kit/lists/windowed-list.ts';
import { toErrorData } from '../../../kit/text/errors.ts';
import { announce, attempt, notify } from '../../common/state/messages-store.ts';
import { texts } from './texts.ts';

type ReceiptFormat = CallInput<'shell.saveReceipt'>['format'];

interface ReceiptsState {
  /** The loaded batches, the newest first; null until they are loaded. */
  batches: readonly Batch[] | null;
  /** Why the batches could not be loaded. */
  error: AppErrorData | null;
  batchId: string | null;
  /** The batch of the open receipt, which may be older than `batches`; null until it is loaded. */
  batch: Batch | null;
  filter: UploadFilter;
  /** Whether a narrow window, which has room for one pane, shows the receipt instead of the batches. */
  showsReceipt: boolean;
}

export const useReceipts = create<ReceiptsState>(() => ({
  batches: null,
  error: null,
  batchId: null,
  batch: null,
  filter: 'all',
  showsReceipt: false,
}));

/** The uploads of the open receipt. */
export const receiptLines = createWindowedList<{ batchId: string; filter: UploadFilter }, UploadRow>({
  load: (query, window) => call('uploads.list', { ...query, ...window, withCleared: true }),
  idOf: (row) => row.id,
});

/** The number of batches per call: the maximum that the engine returns. */
const BATCH_PAGE = 500;
/** Older batches are loaded when a visible row is this close to the last loaded batch. */
const NEAR_THE_END = 50;
/** How many batches to load: a page more each time the user scrolls to their end. */
let wanted = BATCH_PAGE;

const batchReads = latestOnly();

/** Loads the batches; opens the latest batch when no receipt is open. */
export async function loadReceipts(): Promise<void> {
  const read = batchReads.begin();
  try {
    const batches = await loadBatches();
    if (!read.accept()) return;
    useReceipts.setState({ batches, error: null });
    const { batchId } = useReceipts.getState();
    if (batchId === null) selectReceipt(batches[0]?.id ?? null);
    else await loadOpenBatch();
  } catch (thrown) {
    if (read.accept()) useReceipts.setState({ error: toErrorData(thrown) });
  }
}

async function loadBatches(): Promise<Batch[]> {
  const batches = new Map<string, Batch>();
  for (let offset = 0; offset < wanted; offset += BATCH_PAGE) {
    const page = await call('uploads.batches', { limit: BATCH_PAGE, offset });
    // A batch that is added between two calls shifts the other batches, so that one of them may be returned twice.
    for (const batch of page) batches.set(batch.id, batch);
    if (page.length < BATCH_PAGE) break;
  }
  return [...batches.values()];
}

/** Reports the index of the last visible batch; loads older batches when it is near the end of the loaded ones. */
export function showBatches(last: number): void {
  const loaded = useReceipts.getState().batches?.length ?? 0;
  if (loaded < wanted || last < loaded - NEAR_THE_END) return;
  wanted += BATCH_PAGE;
  void loadReceipts();
}

/** Loads the batch of the open receipt. Opens the latest batch when it no longer exists. */
async function loadOpenBatch(): Promise<void> {
  const { batchId, batches } = useReceipts.getState();
  if (batchId === null) return;
  const listed = batches?.find(({ id }) => id === batchId);
  const batch = listed ?? (await call('uploads.batch', { batchId }));
  if (useReceipts.getState().batchId !== batchId) return;
  if (batch === null) selectReceipt(batches?.[0]?.id ?? null);
  else useReceipts.setState({ batch });
}

/**
 * Opens the receipt of a batch, optionally only its files in one state; a narrow window shows the receipt instead of the batches.
 */
export function openReceipt(batchId: string, filter: UploadFilter = 'all'): void {
  selectReceipt(batchId, filter);
  useReceipts.setState({ showsReceipt: true });
}

/** Shows the batches again in a narrow window. */
export function closeReceipt(): void {
  useReceipts.setState({ showsReceipt: false });
}

/** Selects a batch in the list: a wide window shows its receipt. Does nothing when it is already selected with this filter. */
export function selectReceipt(batchId: string | null, filter: UploadFilter = 'all'): void {
  const before = useReceipts.getState();
  if (before.batchId === batchId && before.filter === filter) return;
  useReceipts.setState({ batchId, filter, batch: before.batch?.id === batchId ? before.batch : null });
  receiptLines.open(batchId === null ? null : { batchId, filter });
  if (useReceipts.getState().batch === null) void attempt(loadOpenBatch);
}

/** Loads the batches and lines again after uploads changed. The visible rows stay until the answers arrive. */
export function refreshReceipts(): void {
  receiptLines.refresh();
  void loadReceipts();
}

/** Lets the user choose a file, and saves a receipt to it. */
export function saveReceipt(batchId: string, format: ReceiptFormat): Promise<void> {
  return attempt(async () => {
    const { path } = await call('shell.saveReceipt', { batchId, format });
    if (path !== null) notify(texts.saved(path));
  });
}

export type ReceiptHit = ReceiptHits['rows'][number];

/** The text in the search box. The list is searched for it when the user stops typing. */
export const useReceiptSearch = create<{ text: string }>(() => ({ text: '' }));

/** The files of all receipts that match the search text. */
export const receiptHits = createWindowedList<string, ReceiptHit>({
  load: (text, window) => call('receipts.search', { text, ...window }),
  idOf: (hit) => hit.line.uploadId,
  onPage: ({ total }, isFirst) => {
    if (isFirst) announce(texts.found(total));
  },
  maxRange: 1_000,
});

const TYPING_MS = 180;

const search = delayed(() => {
  const text = useReceiptSearch.getState().text.trim();
  receiptHits.open(text === '' ? null : text);
}, TYPING_MS);

/** Searches files in all receipts when the typing pauses; an empty text ends the search. */
export function searchReceipts(text: string): void {
  useReceiptSearch.setState({ text });
  search.postpone();
}
