import { create } from 'zustand';
import type { MediaSort } from '../../../shared/api/media.ts';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import type { MediaQuery, MediaRow } from '../../../shared/contract/library.ts';
import { call } from '../../bridge/bridge.ts';
import { NO_SELECTION, type Selection } from '../../lists/selection.ts';
import { WindowCache } from '../../lists/window-cache.ts';
import { toErrorData } from '../../text/errors.ts';

export type DateColumn = 'created_on' | 'publish_on' | 'modified_on';

interface MediaState {
  query: MediaQuery | null;
  /** Rows in the list; null while nothing is known. */
  total: number | null;
  error: AppErrorData | null;
  /** Counts up whenever cached rows changed, so that the list paints again. */
  version: number;
  selection: Selection;
  dateColumn: DateColumn;
}

export const useMedia = create<MediaState>(() => ({
  query: null,
  total: null,
  error: null,
  version: 0,
  selection: NO_SELECTION,
  dateColumn: 'created_on',
}));

const cache = new WindowCache<MediaRow>();
const view = { first: 0, last: 0 };

export function mediaRowAt(index: number): MediaRow | undefined {
  return cache.rowAt(index);
}

export const mediaIdAt = (index: number): string | undefined => cache.rowAt(index)?.id;

/** Opens a list from its top; nothing of the list before stays. */
export function openMedia(query: MediaQuery): void {
  cache.clear();
  view.first = 0;
  view.last = cache.chunkSize - 1;
  useMedia.setState((state) => ({
    query,
    total: null,
    error: null,
    selection: NO_SELECTION,
    version: state.version + 1,
  }));
  fetchView();
}

export function changeQuery(change: Partial<MediaQuery>): void {
  const { query } = useMedia.getState();
  if (query !== null) openMedia({ ...query, ...change });
}

/** A click on a column's header: sorts by it, or turns the order round. */
export function sortBy(sort: MediaSort): void {
  const { query } = useMedia.getState();
  if (query === null) return;
  const first = sort === 'title' ? 'asc' : 'desc';
  const order = query.sort === sort ? (query.order === 'asc' ? 'desc' : 'asc') : first;
  if (sort === 'created_on' || sort === 'publish_on' || sort === 'modified_on') {
    useMedia.setState({ dateColumn: sort });
  }
  openMedia({ ...query, sort, order });
}

/** The list tells which rows it shows; what is missing around them is fetched. */
export function showMediaRows(first: number, last: number): void {
  if (view.first === first && view.last === last) return;
  view.first = first;
  view.last = last;
  cache.touch(first, last);
  fetchView();
}

/** Something changed on the service: what is shown is asked for again and stays until then. */
export function refreshMedia(): void {
  cache.invalidate();
  fetchView();
}

export function retryMedia(): void {
  useMedia.setState({ error: null });
  fetchView();
}

function fetchView(): void {
  for (const chunk of cache.missing(view.first, view.last)) void fetchChunk(chunk);
}

/** Loads all rows of a range, for a selection that reaches beyond what was seen; no more than 6,000. */
export async function loadMediaRange(first: number, last: number): Promise<void> {
  await Promise.all(cache.missing(first, Math.min(last, first + 5_999)).map(fetchChunk));
}

async function fetchChunk(chunk: number): Promise<void> {
  const { query } = useMedia.getState();
  if (query === null) return;
  const generation = cache.begin(chunk);
  try {
    const page = await call('library.mediaWindow', {
      query,
      offset: chunk * cache.chunkSize,
      limit: cache.chunkSize,
    });
    if (!cache.fill(chunk, generation, page.total, page.rows)) return;
    useMedia.setState((state) => ({ total: page.total, error: null, version: state.version + 1 }));
  } catch (thrown) {
    cache.drop(chunk, generation);
    if (generation === cache.generation) useMedia.setState({ error: toErrorData(thrown) });
  }
}

export function setSelection(selection: Selection): void {
  useMedia.setState({ selection });
}

/** A row as the inspector just saved it. */
export function patchMediaRow(siteId: string, id: string, change: Partial<MediaRow>): void {
  if (useMedia.getState().query?.siteId !== siteId) return;
  const changed = cache.map((row) => (row.id === id ? { ...row, ...change } : row));
  if (changed) useMedia.setState((state) => ({ version: state.version + 1 }));
}

/** Loaded rows of a selection, for its summary. */
export function selectedRows(ids: ReadonlySet<string>, total: number): MediaRow[] {
  const rows: MediaRow[] = [];
  for (let index = 0; index < total && rows.length < ids.size; index += 1) {
    const row = cache.rowAt(index);
    if (row !== undefined && ids.has(row.id)) rows.push(row);
  }
  return rows;
}
