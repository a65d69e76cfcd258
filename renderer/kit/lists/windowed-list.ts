import { create, type StoreApi, type UseBoundStore } from 'zustand';
import type { AppErrorData } from '../../../shared/contract/app-error.ts';
import { toErrorData } from '../text/errors.ts';
import { NO_SELECTION, type Selection } from './selection.ts';
import { WindowCache } from './window-cache.ts';

interface WindowedListState<Query> {
  /** The listed query: filters, order, search text. null while no list is open. */
  query: Query | null;
  /** The number of rows of the whole list; null until the first window is loaded. */
  total: number | null;
  /** Why the latest window could not be loaded; null after the next successful load. */
  error: AppErrorData | null;
  /** Increases with every change of cached rows. Rows are not React state: a view subscribes to this number instead. */
  version: number;
  selection: Selection;
  /** The row to which the view scrolls: another object for each `reveal`; null before the first one. */
  revealed: { index: number } | null;
}

export interface ListWindow {
  offset: number;
  limit: number;
}

export interface ListPage<Row> {
  /** The number of rows of the whole list. */
  total: number;
  rows: readonly Row[];
}

interface WindowedListOptions<Query, Row, Page> {
  /** Loads one window of the rows of a query. Rejects with anything that `toErrorData` accepts. */
  load: (query: Query, window: ListWindow) => Promise<Page>;
  idOf: (row: Row) => string;
  /** Called with every page that is accepted, before subscribers see it. `isFirst`: the first one since `open`. */
  onPage?: (page: Page, isFirst: boolean) => void;
  /** The maximum number of rows that one call of `loadRange` covers. */
  maxRange?: number;
}

/**
 * A list of any length that loads only the windows around the visible rows. Answers that belong to an earlier query, or to a
 * state before `refresh`, are dropped.
 */
export interface WindowedList<Query, Row> {
  /** The state as a React hook and as a store. */
  readonly useList: UseBoundStore<StoreApi<WindowedListState<Query>>>;
  /** The row at an index; undefined while it is not loaded. */
  rowAt(index: number): Row | undefined;
  idAt(index: number): string | undefined;
  /** Every loaded row with its index, in no particular order. */
  loaded(): Iterable<{ index: number; row: Row }>;
  /** Opens a list at its top with an empty selection, and loads its first window. null closes the list. */
  open(query: Query | null): void;
  /** Reports which rows are visible (both ends included); missing windows among them are loaded. */
  show(first: number, last: number): void;
  /** The index of the first visible row, as the last `show` reported it. */
  firstShown(): number;
  /** Loads the visible rows again, for an event that may have changed them; they stay visible until then. */
  refresh(): void;
  /** Loads missing windows after an error. */
  retry(): void;
  /** Resolves when the rows of a range are loaded, or failed to load; for a selection that includes unseen rows. */
  loadRange(first: number, last: number): Promise<void>;
  /** Replaces the selection. Its focus stays with its row when a refresh finds that row at another index. */
  select(selection: Selection): void;
  /** Scrolls the view to a row, by the shortest distance. */
  reveal(index: number): void;
  /** Replaces loaded rows by the results of `change`; a row that it returns unchanged stays. */
  patch(change: (row: Row) => Row): void;
  /** Removes the row with this id: until the next load it counts as not loaded, so that it can't be selected. */
  forget(id: string): void;
}

const DEFAULT_MAX_RANGE = 6_000;

/** Creates a list store without an open list. */
export function createWindowedList<Query, Row, Page extends ListPage<Row> = ListPage<Row>>(
  options: WindowedListOptions<Query, Row, Page>,
): WindowedList<Query, Row> {
  const { load, idOf, onPage, maxRange = DEFAULT_MAX_RANGE } = options;
  const cache = new WindowCache<Row>();
  const visible = { first: 0, last: 0 };
  /** By chunk: the loads of the current generation. */
  const inFlight = new Map<number, Promise<void>>();
  const useList = create<WindowedListState<Query>>(() => ({
    query: null,
    total: null,
    error: null,
    version: 0,
    selection: NO_SELECTION,
    revealed: null,
  }));

  /** The id of the row with the focus; null while that row is not loaded. */
  let focusId: string | null = null;

  function idAt(index: number): string | undefined {
    const row = cache.rowAt(index);
    return row === undefined ? undefined : idOf(row);
  }

  /** Rows can have moved: the focus, and the start of a range, stay with their row. */
  function followFocus(): void {
    const { selection } = useList.getState();
    const id = idAt(selection.focus) ?? null;
    focusId ??= id;
    if (focusId === null || id === focusId || id === null) return;
    for (const { index, row } of cache.loaded()) {
      if (idOf(row) !== focusId) continue;
      const anchor = selection.anchor < 0 ? -1 : Math.max(0, selection.anchor + index - selection.focus);
      useList.setState({ selection: { ...selection, focus: index, anchor } });
      return;
    }
  }

  /**
   * Deselects rows that left the list; `rows` are all of it. A single row stays selected, so that its details stay open when a command
   * removes it from the list.
   */
  function deselectMissing(rows: readonly Row[]): void {
    const { selection } = useList.getState();
    if (selection.except !== undefined || selection.ids.size < 2) return;
    const ids = new Set(rows.map(idOf).filter((id) => selection.ids.has(id)));
    if (ids.size < selection.ids.size) useList.setState({ selection: { ...selection, ids } });
  }

  async function loadChunk(query: Query, chunk: number): Promise<void> {
    const generation = cache.begin(chunk);
    try {
      const page = await load(query, { offset: chunk * cache.chunkSize, limit: cache.chunkSize });
      if (!cache.fill(chunk, generation, page.total, page.rows)) return;
      onPage?.(page, useList.getState().total === null);
      followFocus();
      if (page.rows.length === page.total) deselectMissing(page.rows);
      useList.setState(({ version }) => ({ total: page.total, error: null, version: version + 1 }));
    } catch (thrown) {
      cache.drop(chunk, generation);
      if (generation === cache.generation) useList.setState({ error: toErrorData(thrown) });
    } finally {
      if (generation === cache.generation) inFlight.delete(chunk);
    }
  }

  function loadMissing(first: number, last: number): void {
    const { query } = useList.getState();
    if (query === null) return;
    for (const chunk of cache.missing(first, last)) inFlight.set(chunk, loadChunk(query, chunk));
  }

  const loadVisible = () => loadMissing(visible.first, visible.last);

  /** Replaces loaded rows by what `change` returns; undefined: the row is not loaded any more. */
  function changeRows(change: (row: Row) => Row | undefined): void {
    if (cache.map(change)) useList.setState(({ version }) => ({ version: version + 1 }));
  }

  return {
    useList,
    rowAt: (index) => cache.rowAt(index),
    idAt,
    loaded: () => cache.loaded(),
    open(query) {
      cache.clear();
      inFlight.clear();
      focusId = null;
      visible.first = 0;
      visible.last = cache.chunkSize - 1;
      useList.setState(({ version }) => ({
        query,
        total: null,
        error: null,
        selection: NO_SELECTION,
        version: version + 1,
      }));
      loadVisible();
    },
    show(first, last) {
      if (visible.first === first && visible.last === last) return;
      visible.first = first;
      visible.last = last;
      cache.touch(first, last);
      loadVisible();
    },
    firstShown: () => visible.first,
    refresh() {
      cache.invalidate();
      inFlight.clear();
      loadVisible();
    },
    retry() {
      useList.setState({ error: null });
      loadVisible();
    },
    async loadRange(first, last) {
      const end = Math.min(last, first + maxRange - 1);
      const { query } = useList.getState();
      let generation: number;
      do {
        generation = cache.generation;
        loadMissing(first, end);
        const chunks = [...inFlight].filter(
          ([chunk]) => chunk * cache.chunkSize <= end && (chunk + 1) * cache.chunkSize > first,
        );
        await Promise.all(chunks.map(([, loading]) => loading));
        // A refresh in the meantime has discarded the rows of these loads: the range is loaded again.
      } while (generation !== cache.generation && useList.getState().query === query);
    },
    select(selection) {
      focusId = idAt(selection.focus) ?? null;
      useList.setState({ selection });
    },
    reveal: (index) => useList.setState({ revealed: { index } }),
    patch: changeRows,
    forget(id) {
      changeRows((row) => (idOf(row) === id ? undefined : row));
    },
  };
}
