import { create } from 'zustand';
import type { AppErrorData } from '../../shared/contract/app-error.ts';
import type { EventData } from '../../shared/contract/contract.ts';
import type { Batch, UploadFilter, UploadRow, UploadSelection, UploadTotals } from '../../shared/contract/uploads.ts';
import { call } from '../bridge/bridge.ts';
import { announcementsFor, type Said } from '../text/announce.ts';
import { toErrorData } from '../text/errors.ts';
import { attempt, say } from './messages-store.ts';
import { NO_SELECTION, type Selection } from './selection.ts';
import { cancellable, isUnderWay, mergeRows } from './uploads-merge.ts';
import { WindowCache } from './window-cache.ts';

interface UploadsState {
  totals: UploadTotals | null;
  batches: Batch[];
  filter: UploadFilter;
  batchId: string | null;
  /** Rows of the open list; null while nothing is known. */
  total: number | null;
  error: AppErrorData | null;
  /** Counts up when the list's order or length changed; a tick of a row does not touch it. */
  version: number;
  /** Replaced rows by id, changed in place: subscribe to one row, not to the map. */
  rows: Map<string, UploadRow>;
  /** Counts up with every change of any row. */
  tick: number;
  selection: Selection;
  /** Uploads that the person is asked about before they are cancelled. */
  cancelling: readonly string[] | null;
}

export const useUploads = create<UploadsState>(() => ({
  totals: null,
  batches: [],
  filter: 'all',
  batchId: null,
  total: null,
  error: null,
  version: 0,
  rows: new Map(),
  tick: 0,
  selection: NO_SELECTION,
  cancelling: null,
}));

const order = new WindowCache<string>();
const view = { first: 0, last: 99 };

/** The row of an upload; paints its reader again only when this row changed. */
export function useUploadRow(id: string | undefined): UploadRow | undefined {
  return useUploads((state) => (id === undefined ? undefined : state.rows.get(id)));
}

export const uploadIdAt = (index: number): string | undefined => order.rowAt(index);

export function openUploads(filter: UploadFilter, batchId: string | null): void {
  order.clear();
  view.first = 0;
  view.last = 99;
  useUploads.setState((state) => ({
    filter,
    batchId,
    total: null,
    error: null,
    selection: NO_SELECTION,
    version: state.version + 1,
  }));
  fetchView();
}

export function showUploadRows(first: number, last: number): void {
  if (view.first === first && view.last === last) return;
  view.first = first;
  view.last = last;
  order.touch(first, last);
  fetchView();
}

export function retryUploadsList(): void {
  useUploads.setState({ error: null });
  fetchView();
}

function fetchView(): void {
  for (const chunk of order.missing(view.first, view.last)) void fetchChunk(chunk);
}

export async function loadUploadRange(first: number, last: number): Promise<void> {
  await Promise.all(order.missing(first, Math.min(last, first + 5_999)).map(fetchChunk));
}

async function fetchChunk(chunk: number): Promise<void> {
  const { filter, batchId } = useUploads.getState();
  const generation = order.begin(chunk);
  try {
    const page = await call('uploads.list', {
      filter,
      batchId,
      offset: chunk * order.chunkSize,
      limit: order.chunkSize,
    });
    const ids = page.rows.map((row) => row.id);
    if (!order.fill(chunk, generation, page.total, ids)) return;
    const { rows } = useUploads.getState();
    for (const row of page.rows) rows.set(row.id, row);
    useUploads.setState((state) => ({
      total: page.total,
      error: null,
      version: state.version + 1,
      tick: state.tick + 1,
    }));
  } catch (thrown) {
    order.drop(chunk, generation);
    if (generation === order.generation) useUploads.setState({ error: toErrorData(thrown) });
  }
}

/** Reads totals and batches, at the start and after a change of structure. */
export async function loadUploads(): Promise<void> {
  await attempt(async () => {
    const totals = await call('uploads.totals', null);
    useUploads.setState({ totals });
    await loadBatches();
  });
}

let said: ReadonlyMap<string, Said> = new Map();

async function loadBatches(): Promise<void> {
  const batches = await call('uploads.batches', { limit: 100 });
  const next = announcementsFor(batches, said);
  said = next.said;
  useUploads.setState({ batches });
  if (next.sentences.length > 0) say(next.sentences.join(' '));
}

const REFRESH_MS = 400;
let refreshDue: number | null = null;

/** Takes what the engine announced. Lists are asked for again at most every 0.4 s however fast rows end. */
export function takeUploads(data: EventData<'onDidChangeUploads'>): void {
  const { rows } = useUploads.getState();
  const changed = mergeRows(rows, data.rows);
  useUploads.setState((state) => ({
    totals: data.totals,
    tick: changed.length > 0 ? state.tick + 1 : state.tick,
  }));
  if (data.structure && refreshDue === null) refreshDue = window.setTimeout(refresh, REFRESH_MS);
}

function refresh(): void {
  refreshDue = null;
  order.invalidate();
  fetchView();
  void attempt(loadBatches);
}

export function setUploadSelection(selection: Selection): void {
  useUploads.setState({ selection });
}

export type UploadCommand = 'pause' | 'resume' | 'cancel' | 'retry';

export function command(name: UploadCommand, selection: UploadSelection): Promise<void> {
  return attempt(async () => {
    await call(`uploads.${name}`, selection);
  });
}

export function askToCancel(ids: readonly string[] | null): void {
  useUploads.setState({ cancelling: ids });
}

/** Cancels the selected uploads. More than one, or one that is under way, needs a second word. */
export function cancelSelected(): void {
  const { selection, rows } = useUploads.getState();
  const ids = cancellable([...selection.ids], rows);
  const [only] = ids;
  if (only === undefined) return;
  if (ids.length > 1 || isUnderWay(rows.get(only))) askToCancel(ids);
  else void command('cancel', { kind: 'ids', ids });
}
