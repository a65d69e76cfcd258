import { create } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { EventData } from '../../../shared/contract/contract.ts';
import type {
  Batch,
  UploadFilter,
  UploadRow,
  UploadSelection,
  UploadTotals,
} from '../../../shared/contract/uploads.ts';
import type { Priority } from '../../../shared/model/priorities.ts';
import { call } from '../../bridge/bridge.ts';
import { NO_SELECTION, type Selection } from '../../lists/selection.ts';
import { WindowCache } from '../../lists/window-cache.ts';
import { toErrorData } from '../../text/errors.ts';
import { counted } from '../../text/format.ts';
import { untilWords } from '../../text/until-text.ts';
import { attempt, say, warn } from '../app/messages-store.ts';
import { announcementsFor, type Said } from './announce.ts';
import { mergeRows } from './uploads-merge.ts';

interface UploadsState {
  totals: UploadTotals | null;
  batches: Batch[];
  filter: UploadFilter;
  batchId: string | null;
  /** The batch whose uploads are listed, which may be older than those of `batches`; null while nothing is known of it. */
  batch: Batch | null;
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
  /** The person is choosing the time until which the queue pauses. */
  isChoosingPause: boolean;
}

export const useUploads = create<UploadsState>(() => ({
  totals: null,
  batches: [],
  filter: 'all',
  batchId: null,
  batch: null,
  total: null,
  error: null,
  version: 0,
  rows: new Map(),
  tick: 0,
  selection: NO_SELECTION,
  isChoosingPause: false,
}));

const order = new WindowCache<string>();
const view = { first: 0, last: 99 };

/** The row of an upload; paints its reader again only when this row changed. */
export function useUploadRow(id: string | undefined): UploadRow | undefined {
  return useUploads((state) => (id === undefined ? undefined : state.rows.get(id)));
}

export const uploadIdAt = (index: number): string | undefined => order.rowAt(index);

export function uploadRowAt(index: number): UploadRow | undefined {
  const id = order.rowAt(index);
  return id === undefined ? undefined : useUploads.getState().rows.get(id);
}

export function openUploads(filter: UploadFilter, batchId: string | null): void {
  order.clear();
  view.first = 0;
  view.last = 99;
  useUploads.setState((state) => ({
    filter,
    batchId,
    batch: state.batch?.id === batchId ? state.batch : null,
    total: null,
    error: null,
    selection: NO_SELECTION,
    version: state.version + 1,
  }));
  fetchView();
  if (batchId !== null && useUploads.getState().batch === null) void attempt(learnBatch);
}

/** Uploads were added: a list that would not show them gives way to the list of everything. */
export function openForAdded(): void {
  const { filter, batchId } = useUploads.getState();
  const showsThem = batchId === null && (filter === 'all' || filter === 'waiting');
  if (!showsThem) openUploads('all', null);
}

async function learnBatch(): Promise<void> {
  const { batchId, batches } = useUploads.getState();
  if (batchId === null) return;
  const listed = batches.find((batch) => batch.id === batchId);
  const batch = listed ?? (await call('uploads.batch', { batchId }));
  if (useUploads.getState().batchId === batchId) useUploads.setState({ batch });
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

/** The ids of the open list, however long it is; null when they could not be read. */
export async function allUploadIds(): Promise<ReadonlySet<string> | null> {
  const { filter, batchId } = useUploads.getState();
  let ids: ReadonlySet<string> | null = null;
  await attempt(async () => {
    ids = new Set((await call('uploads.ids', { filter, batchId })).ids);
  });
  const now = useUploads.getState();
  return now.filter === filter && now.batchId === batchId ? ids : null;
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
  await learnBatch();
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
  if (refreshDue !== null) window.clearTimeout(refreshDue);
  refreshDue = null;
  order.invalidate();
  fetchView();
  void attempt(loadBatches);
}

export function setUploadSelection(selection: Selection): void {
  useUploads.setState({ selection });
}

/** Without `cancel`: that has a way of its own, see `cancelUploads`. */
export type UploadCommand = 'pause' | 'resume' | 'retry';

export function command(name: UploadCommand, selection: UploadSelection): Promise<void> {
  return attempt(async () => {
    await call(`uploads.${name}`, selection);
  });
}

/** Pauses the whole queue until an instant, epoch milliseconds; null: it goes on now. */
export function pauseUntil(until: number | null): Promise<void> {
  return attempt(async () => {
    await call('uploads.pauseUntil', { until });
    if (until === null) say('Uploads go on.');
    else say(`All uploads are paused until ${untilWords(until, Date.now())}.`);
  });
}

export function choosePause(isChoosingPause: boolean): void {
  useUploads.setState({ isChoosingPause });
}

/** The places in the list of those of some uploads that are loaded, from the top down. */
function placesOf(ids: ReadonlySet<string>): { index: number; id: string }[] {
  const places: { index: number; id: string }[] = [];
  for (const { index, row: id } of order.loaded()) if (ids.has(id)) places.push({ index, id });
  return places.sort((a, b) => a.index - b.index);
}

/** Whether the place of an upload in the queue still matters. */
export function canMove(row: UploadRow | undefined): boolean {
  return row !== undefined && (MOVABLE_STATES as readonly string[]).includes(row.state);
}

const MOVABLE_STATES = ['queued', 'waiting', 'paused'] as const;

/** Those that can still be moved, as far as is known; of a row that was never looked at the engine knows. */
export function movable(ids: readonly string[]): string[] {
  const { rows } = useUploads.getState();
  return ids.filter((id) => {
    const row = rows.get(id);
    return row === undefined || canMove(row);
  });
}

/**
 * Puts uploads in front of the row at an index of the list; the number of rows puts them behind its last one. That is the
 * end of the queue only in the list of everything: in others, more may follow that is not shown.
 */
export function moveUploads(ids: readonly string[], index: number): Promise<void> {
  return attempt(async () => {
    const { rows, total, filter, batchId } = useUploads.getState();
    const moving = movable(ids);
    const isEnd = index === total;
    const isAll = filter === 'all' && batchId === null;
    const neighbour = isEnd && isAll ? null : uploadIdAt(isEnd ? index - 1 : index);
    if (moving.length === 0 || neighbour === undefined) return;
    const place = isEnd && neighbour !== null ? { before: null, after: neighbour } : { before: neighbour };
    const { changed } = await call('uploads.move', { ids: moving, ...place });
    if (changed === 0) return;
    const what = moving.length === 1 ? rows.get(moving[0] ?? '')?.fileName : counted(changed, 'upload');
    const other = neighbour === null ? '' : (rows.get(neighbour)?.fileName ?? 'another upload');
    const where = neighbour === null ? 'to the end' : `${isEnd ? 'behind' : 'in front of'} ${other}`;
    say(`${what} moved ${where}.`);
    refresh();
  });
}

/** Moves the selected uploads one place up or down, by keyboard. The selection goes along. */
export function moveSelected(direction: -1 | 1): Promise<void> {
  const { selection, total } = useUploads.getState();
  const moving = new Set(movable([...selection.ids]));
  const places = placesOf(moving);
  const first = places[0];
  const last = places.at(-1);
  if (first === undefined || last === undefined || total === null) return Promise.resolve();
  if (places.length < moving.size) {
    // Where the others lie is not known here, so nobody could tell which place is the next one.
    warn('Not all of the selected uploads are at hand.', 'Select fewer, or drag them to where they belong.');
    return Promise.resolve();
  }
  const target = direction < 0 ? first.index - 1 : last.index + 2;
  if (target < 0 || target > total) return Promise.resolve();
  const isGathered = last.index - first.index + 1 === places.length;
  const focus = isGathered ? selection.focus + direction : direction < 0 ? target : last.index;
  useUploads.setState({ selection: { ...selection, focus, anchor: focus } });
  return moveUploads(
    places.map(({ id }) => id),
    target,
  );
}

/** Leaves files out that the collection has already, or sends them a second time. */
export function resolveDuplicates(selection: UploadSelection, choice: 'skip' | 'upload'): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.resolveDuplicates', { selection, choice });
    say(`${counted(changed, 'file')} ${choice === 'skip' ? 'left out' : 'to be uploaded anyway'}.`);
    refresh();
  });
}

/** Continues an upload in an item that may be its own; null: in a new one. */
export function chooseItem(id: string, mediaId: string | null): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.chooseItem', { id, mediaId });
    if (changed > 0)
      say(mediaId === null ? 'The upload continues in a new item.' : 'The upload continues in that item.');
    refresh();
  });
}

export function sendNext(selection: UploadSelection): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.sendNext', { selection });
    say(changed === 1 ? 'It is sent next.' : `${changed} uploads are sent next.`);
    refresh();
  });
}

export function setPriority(selection: UploadSelection, priority: Priority): Promise<void> {
  return attempt(async () => {
    const { changed } = await call('uploads.setPriority', { selection, priority });
    say(`Priority of ${counted(changed, 'upload')}: ${priority}.`);
    refresh();
  });
}
