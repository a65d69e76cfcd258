import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { CallInput } from '../../../shared/contract/contract.ts';
import type { Batch, UploadFilter, UploadRow } from '../../../shared/contract/uploads.ts';
import { call } from '../../bridge/bridge.ts';
import { NO_SELECTION, type Selection } from '../../lists/selection.ts';
import { WindowCache } from '../../lists/window-cache.ts';
import { toErrorData } from '../../text/errors.ts';
import { attempt, tell } from '../app/messages-store.ts';

export type ReceiptFormat = CallInput<'shell.saveReceipt'>['format'];

interface ReceiptsState {
  /** The newest first; null while nothing is known. */
  batches: readonly Batch[] | null;
  error: AppErrorData | null;
  batchId: string | null;
  /** The open batch, which may be older than those listed; null while nothing is known of it. */
  batch: Batch | null;
  filter: UploadFilter;
  /** Lines of the open receipt; null while nothing is known. */
  total: number | null;
  linesError: AppErrorData | null;
  /** Counts up whenever lines changed, so that the list paints again. */
  version: number;
  selection: Selection;
}

export const useReceipts = create<ReceiptsState>(() => ({
  batches: null,
  error: null,
  batchId: null,
  batch: null,
  filter: 'all',
  total: null,
  linesError: null,
  version: 0,
  selection: NO_SELECTION,
}));

/** Batches that are read at a time: what the engine answers at once. */
const BATCH_PAGE = 500;
/** Batches before the last one that is known: seeing these asks for older ones. */
const NEAR_THE_END = 50;
/** Batches that are to be known: more when somebody has scrolled to where they end. */
let wanted = BATCH_PAGE;

const lines = new WindowCache<UploadRow>();
const view = { first: 0, last: 99 };

export const receiptLineAt = (index: number): UploadRow | undefined => lines.rowAt(index);
export const receiptLineIdAt = (index: number): string | undefined => lines.rowAt(index)?.id;

/** Reads the batches; opens the latest one when none is open. */
export async function loadReceipts(): Promise<void> {
  try {
    const batches = await readBatches();
    useReceipts.setState({ batches, error: null });
    const { batchId } = useReceipts.getState();
    if (batchId === null) openReceipt(batches[0]?.id ?? null);
    else await learnBatch();
  } catch (thrown) {
    useReceipts.setState({ error: toErrorData(thrown) });
  }
}

async function readBatches(): Promise<Batch[]> {
  const batches = new Map<string, Batch>();
  for (let offset = 0; offset < wanted; offset += BATCH_PAGE) {
    const page = await call('uploads.batches', { limit: BATCH_PAGE, offset });
    // One that was added meanwhile moves the others on by one.
    for (const batch of page) batches.set(batch.id, batch);
    if (page.length < BATCH_PAGE) break;
  }
  return [...batches.values()];
}

/** Somebody looks at the list of batches down to there. */
export function showBatches(last: number): void {
  const known = useReceipts.getState().batches?.length ?? 0;
  if (known < wanted || last < known - NEAR_THE_END) return;
  wanted += BATCH_PAGE;
  void loadReceipts();
}

/** Reads what is known of the open batch. Where there is none of that id any more, the latest is opened. */
async function learnBatch(): Promise<void> {
  const { batchId, batches } = useReceipts.getState();
  if (batchId === null) return;
  const listed = batches?.find((batch) => batch.id === batchId);
  const batch = listed ?? (await call('uploads.batch', { batchId }));
  if (useReceipts.getState().batchId !== batchId) return;
  if (batch === null) openReceipt(batches?.[0]?.id ?? null);
  else useReceipts.setState({ batch });
}

export function openReceipt(batchId: string | null, filter: UploadFilter = 'all'): void {
  const before = useReceipts.getState();
  if (before.batchId === batchId && before.filter === filter) return;
  lines.clear();
  view.first = 0;
  view.last = 99;
  useReceipts.setState((state) => ({
    batchId,
    batch: state.batch?.id === batchId ? state.batch : null,
    filter,
    total: null,
    linesError: null,
    version: state.version + 1,
    selection: NO_SELECTION,
  }));
  fetchView();
  if (useReceipts.getState().batch === null) void attempt(learnBatch);
}

/** Uploads moved on: what is shown is asked for again and stays until then. */
export function refreshReceipts(): void {
  lines.invalidate();
  fetchView();
  void loadReceipts();
}

export function showReceiptLines(first: number, last: number): void {
  if (view.first === first && view.last === last) return;
  view.first = first;
  view.last = last;
  lines.touch(first, last);
  fetchView();
}

export async function loadReceiptRange(first: number, last: number): Promise<void> {
  await Promise.all(lines.missing(first, Math.min(last, first + 5_999)).map(fetchChunk));
}

export function setReceiptSelection(selection: Selection): void {
  useReceipts.setState({ selection });
}

function fetchView(): void {
  if (useReceipts.getState().batchId === null) return;
  for (const chunk of lines.missing(view.first, view.last)) void fetchChunk(chunk);
}

async function fetchChunk(chunk: number): Promise<void> {
  const { batchId, filter } = useReceipts.getState();
  if (batchId === null) return;
  const generation = lines.begin(chunk);
  try {
    const window = { offset: chunk * lines.chunkSize, limit: lines.chunkSize };
    const page = await call('uploads.list', { filter, batchId, ...window });
    if (!lines.fill(chunk, generation, page.total, page.rows)) return;
    useReceipts.setState((state) => ({ total: page.total, linesError: null, version: state.version + 1 }));
  } catch (thrown) {
    lines.drop(chunk, generation);
    if (generation === lines.generation) useReceipts.setState({ linesError: toErrorData(thrown) });
  }
}

/** Saves a receipt where the person chooses. */
export function saveReceipt(batchId: string, format: ReceiptFormat): Promise<void> {
  return attempt(async () => {
    const { path } = await call('shell.saveReceipt', { batchId, format });
    if (path !== null) tell(`Receipt saved as ${path}.`);
  });
}
