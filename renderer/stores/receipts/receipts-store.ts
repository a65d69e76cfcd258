import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { CallInput } from '../../../shared/contract/contract.ts';
import type { Batch, UploadFilter, UploadRow } from '../../../shared/contract/uploads.ts';
import { latestOnly } from '../../async/latest-only.ts';
import { call } from '../../bridge/bridge.ts';
import { createWindowedList } from '../../lists/windowed-list.ts';
import { toErrorData } from '../../text/errors.ts';
import { attempt, notify } from '../app/messages-store.ts';
import { texts } from './texts.ts';

type ReceiptFormat = CallInput<'shell.saveReceipt'>['format'];

interface ReceiptsState {
  /** The newest first; null until they are loaded. */
  batches: readonly Batch[] | null;
  /** Why the batches could not be loaded. */
  error: AppErrorData | null;
  batchId: string | null;
  /** The batch of the open receipt, which may be older than `batches`; null until it is loaded. */
  batch: Batch | null;
  filter: UploadFilter;
  /** In a narrow window, where only one pane is shown: the receipt instead of the batches. */
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

/** Batches per call: the most that the engine returns. */
const BATCH_PAGE = 500;
/** When a row this close to the last loaded batch becomes visible, older batches are loaded. */
const NEAR_THE_END = 50;
/** How many batches to load: a page more each time the user scrolls to their end. */
let wanted = BATCH_PAGE;

const batchReads = latestOnly();

/** Loads the batches; opens the latest one when no receipt is open. */
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
    // A batch that is added between two calls shifts the others, so that one may arrive twice.
    for (const batch of page) batches.set(batch.id, batch);
    if (page.length < BATCH_PAGE) break;
  }
  return [...batches.values()];
}

/** Reports the last visible batch; loads older batches when it is near the end of the loaded ones. */
export function showBatches(last: number): void {
  const loaded = useReceipts.getState().batches?.length ?? 0;
  if (loaded < wanted || last < loaded - NEAR_THE_END) return;
  wanted += BATCH_PAGE;
  void loadReceipts();
}

/** Loads the batch of the open receipt. When it no longer exists, the latest batch is opened. */
async function loadOpenBatch(): Promise<void> {
  const { batchId, batches } = useReceipts.getState();
  if (batchId === null) return;
  const listed = batches?.find(({ id }) => id === batchId);
  const batch = listed ?? (await call('uploads.batch', { batchId }));
  if (useReceipts.getState().batchId !== batchId) return;
  if (batch === null) selectReceipt(batches?.[0]?.id ?? null);
  else useReceipts.setState({ batch });
}

/** Opens the receipt of a batch, or its files in one state only; a narrow window shows it instead of the batches. */
export function openReceipt(batchId: string, filter: UploadFilter = 'all'): void {
  selectReceipt(batchId, filter);
  useReceipts.setState({ showsReceipt: true });
}

/** Shows the batches again in a narrow window. */
export function closeReceipt(): void {
  useReceipts.setState({ showsReceipt: false });
}

/** Selects a batch in the list: a window with room shows its receipt. Does nothing when it is selected already. */
export function selectReceipt(batchId: string | null, filter: UploadFilter = 'all'): void {
  const before = useReceipts.getState();
  if (before.batchId === batchId && before.filter === filter) return;
  useReceipts.setState({ batchId, filter, batch: before.batch?.id === batchId ? before.batch : null });
  receiptLines.open(batchId === null ? null : { batchId, filter });
  if (useReceipts.getState().batch === null) void attempt(loadOpenBatch);
}

/** Loads batches and lines again after uploads changed; what is visible stays until then. */
export function refreshReceipts(): void {
  receiptLines.refresh();
  void loadReceipts();
}

/** Saves a receipt to a file that the user chooses. */
export function saveReceipt(batchId: string, format: ReceiptFormat): Promise<void> {
  return attempt(async () => {
    const { path } = await call('shell.saveReceipt', { batchId, format });
    if (path !== null) notify(texts.saved(path));
  });
}
