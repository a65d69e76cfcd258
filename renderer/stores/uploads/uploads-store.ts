import { create } from 'zustand';
import type { EventData } from '../../../shared/contract/contract.ts';
import type { Batch, UploadFilter, UploadRow, UploadTotals } from '../../../shared/contract/uploads.ts';
import { delayed } from '../../async/delayed.ts';
import { latestOnly } from '../../async/latest-only.ts';
import { call } from '../../bridge/bridge.ts';
import { createWindowedList } from '../../lists/windowed-list.ts';
import { announce, attempt } from '../app/messages-store.ts';
import { type Announced, announcementsFor } from './announcements.ts';
import { mergeRows } from './merge-rows.ts';

/** Which uploads are listed. `batchId` null: of all batches. */
interface UploadsQuery {
  filter: UploadFilter;
  batchId: string | null;
}

interface UploadsState {
  /** Counts and speed of the whole queue; null until they are loaded. */
  totals: UploadTotals | null;
  /** The latest 100 batches. */
  batches: Batch[];
  /**
   * The batch whose uploads are listed, which may be older than `batches`; null until it is loaded, or for all batches.
   */
  batch: Batch | null;
  /**
   * The current rows by id, replaced inside this same map: subscribe to one row with `useUploadRow`, not to the map.
   */
  rows: Map<string, UploadRow>;
  /** Increases with every change of any row. */
  tick: number;
}

export const useUploads = create<UploadsState>(() => ({
  totals: null,
  batches: [],
  batch: null,
  rows: new Map(),
  tick: 0,
}));

/** The listed uploads. Its rows give the order; their current contents are in the `rows` of `useUploads`. */
export const uploadsList = createWindowedList<UploadsQuery, UploadRow>({
  load: (query, window) => call('uploads.list', { ...query, ...window }),
  idOf: (row) => row.id,
  onPage: (page) => {
    const { rows } = useUploads.getState();
    for (const row of page.rows) rows.set(row.id, row);
    useUploads.setState(({ tick }) => ({ tick: tick + 1 }));
  },
});

/** Returns which uploads are listed: all, before a list was opened. */
export function listedUploads(): UploadsQuery {
  return uploadsList.useList.getState().query ?? ALL_UPLOADS;
}

export const ALL_UPLOADS: UploadsQuery = { filter: 'all', batchId: null };

/** Subscribes a component to one upload: it renders again only when that row changed. */
export function useUploadRow(id: string | undefined): UploadRow | undefined {
  return useUploads((state) => (id === undefined ? undefined : state.rows.get(id)));
}

/** The current row at an index of the list. */
export function uploadRowAt(index: number): UploadRow | undefined {
  const id = uploadsList.idAt(index);
  return id === undefined ? undefined : useUploads.getState().rows.get(id);
}

export function openUploads(filter: UploadFilter, batchId: string | null): void {
  useUploads.setState(({ batch }) => ({ batch: batch?.id === batchId ? batch : null }));
  uploadsList.open({ filter, batchId });
  if (batchId !== null && useUploads.getState().batch === null) void attempt(loadOpenBatch);
}

/** Makes uploads visible that were just added: opens the list of everything when the open list leaves them out. */
export function openForAdded(): void {
  const { filter, batchId } = listedUploads();
  const isShown = batchId === null && (filter === 'all' || filter === 'waiting');
  if (!isShown) openUploads('all', null);
}

async function loadOpenBatch(): Promise<void> {
  const { batchId } = listedUploads();
  if (batchId === null) return;
  const listed = useUploads.getState().batches.find(({ id }) => id === batchId);
  const batch = listed ?? (await call('uploads.batch', { batchId }));
  if (listedUploads().batchId === batchId) useUploads.setState({ batch });
}

/**
 * Returns the ids of the open list, whatever its length; null when they could not be loaded or another list was opened.
 */
export async function allUploadIds(): Promise<ReadonlySet<string> | null> {
  const query = listedUploads();
  let ids: ReadonlySet<string> | null = null;
  await attempt(async () => {
    ids = new Set((await call('uploads.ids', query)).ids);
  });
  return listedUploads() === query ? ids : null;
}

const totalsReads = latestOnly();
const batchReads = latestOnly();

/** Loads totals and batches, at the start and after a change of structure. */
export async function loadUploads(): Promise<void> {
  await attempt(async () => {
    const read = totalsReads.begin();
    const totals = await call('uploads.totals', null);
    if (read.accept()) useUploads.setState({ totals });
    await loadBatches();
  });
}

let announced: ReadonlyMap<string, Announced> = new Map();

async function loadBatches(): Promise<void> {
  const read = batchReads.begin();
  const batches = await call('uploads.batches', { limit: 100 });
  if (!read.accept()) return;
  const next = announcementsFor(batches, announced);
  announced = next.announced;
  useUploads.setState({ batches });
  await loadOpenBatch();
  if (next.sentences.length > 0) announce(next.sentences.join(' '));
}

/** The shortest time between two refreshes, however fast rows end. */
const REFRESH_MS = 400;

const refresh = delayed(() => {
  uploadsList.refresh();
  void attempt(loadBatches);
}, REFRESH_MS);

/** Loads the list and the batches again now: a command changed them. */
export const refreshUploads = refresh.runNow;

/** Takes an event of the engine: changed rows and totals at once, a change of structure with the next refresh. */
export function takeUploads(data: EventData<'onDidChangeUploads'>): void {
  totalsReads.cancel();
  const changed = mergeRows(useUploads.getState().rows, data.rows);
  useUploads.setState(({ tick }) => ({ totals: data.totals, tick: changed.length > 0 ? tick + 1 : tick }));
  if (data.structure) refresh.schedule();
}
