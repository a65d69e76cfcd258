import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { ReceiptHits } from '../../../shared/contract/uploads.ts';
import { call } from '../../bridge/bridge.ts';
import { NO_SELECTION, type Selection } from '../../lists/selection.ts';
import { WindowCache } from '../../lists/window-cache.ts';
import { toErrorData } from '../../text/errors.ts';
import { counted } from '../../text/format.ts';
import { say } from '../app/messages-store.ts';

export type ReceiptHit = ReceiptHits['rows'][number];

interface SearchState {
  text: string;
  /** Files found; null while nothing is known. */
  total: number | null;
  error: AppErrorData | null;
  version: number;
  selection: Selection;
}

const EMPTY = { total: null, error: null, selection: NO_SELECTION } as const;

export const useReceiptSearch = create<SearchState>(() => ({ text: '', version: 0, ...EMPTY }));

const hits = new WindowCache<ReceiptHit>();
const view = { first: 0, last: 49 };
const TYPING_MS = 180;
let due: number | null = null;

export const hitAt = (index: number): ReceiptHit | undefined => hits.rowAt(index);
export const hitIdAt = (index: number): string | undefined => hits.rowAt(index)?.line.uploadId;

/** Looks for files in all receipts, once the typing pauses; an empty text ends the search. */
export function searchReceipts(text: string): void {
  useReceiptSearch.setState({ text });
  if (due !== null) window.clearTimeout(due);
  due = window.setTimeout(start, TYPING_MS);
}

function start(): void {
  due = null;
  hits.clear();
  view.first = 0;
  view.last = 49;
  useReceiptSearch.setState((state) => ({ ...EMPTY, version: state.version + 1 }));
  fetchView();
}

export function showHits(first: number, last: number): void {
  if (view.first === first && view.last === last) return;
  view.first = first;
  view.last = last;
  hits.touch(first, last);
  fetchView();
}

/** Uploads moved on: what is shown is asked for again and stays until then. */
export function refreshHits(): void {
  hits.invalidate();
  fetchView();
}

export function retrySearch(): void {
  useReceiptSearch.setState({ error: null });
  fetchView();
}

export async function loadHitRange(first: number, last: number): Promise<void> {
  await Promise.all(hits.missing(first, Math.min(last, first + 999)).map(fetchChunk));
}

export function selectHit(selection: Selection): void {
  useReceiptSearch.setState({ selection });
}

function fetchView(): void {
  if (useReceiptSearch.getState().text.trim() === '') return;
  for (const chunk of hits.missing(view.first, view.last)) void fetchChunk(chunk);
}

async function fetchChunk(chunk: number): Promise<void> {
  const text = useReceiptSearch.getState().text.trim();
  const generation = hits.begin(chunk);
  const isFirst = useReceiptSearch.getState().total === null;
  try {
    const window = { offset: chunk * hits.chunkSize, limit: hits.chunkSize };
    const page = await call('receipts.search', { text, ...window });
    if (!hits.fill(chunk, generation, page.total, page.rows)) return;
    useReceiptSearch.setState((state) => ({ total: page.total, error: null, version: state.version + 1 }));
    if (isFirst) say(`${counted(page.total, 'file')} found.`);
  } catch (thrown) {
    hits.drop(chunk, generation);
    if (generation === hits.generation) useReceiptSearch.setState({ error: toErrorData(thrown) });
  }
}
