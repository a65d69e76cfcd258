import type { AppErrorData } from '../../../../../shared/contract/app-error.ts';
import type { UploadFilter, UploadRow } from '../../../../../shared/contract/uploads.ts';
import { call } from '../../../../kit/bridge/bridge.ts';
import { createWindowedList, type WindowedList } from '../../../../kit/lists/windowed-list.ts';
import { useUploads } from '../uploads-store.ts';
import type { UploadPart } from './outline.ts';

interface WindowQuery {
  filter: UploadFilter;
  batchId: string;
}

type BatchWindows = WindowedList<WindowQuery, UploadRow>;

/** The maximum number of rows in memory; above it, rows that no open window contains are dropped. */
const MAX_ROWS = 20_000;

/**
 * The loaded windows of rows: one windowed list for each visible part of a batch. A change of one batch therefore loads no rows
 * of other batches.
 */
export class UploadWindows {
  readonly #lists = new Map<string, BatchWindows>();
  readonly #onError: (error: AppErrorData | null) => void;

  /** `onError`: receives the reason why the latest window could not be loaded; null after the next successful load. */
  constructor(onError: (error: AppErrorData | null) => void) {
    this.#onError = onError;
  }

  idAt(batchId: string, part: UploadPart, at: number): string | undefined {
    return this.#lists.get(keyOf(batchId, part))?.idAt(at);
  }

  /** Loads the missing rows of a part from `first` to `last`, both included. */
  show(
    batchId: string,
    part: UploadPart,
    filter: UploadFilter,
    { first, last }: { first: number; last: number },
  ): void {
    this.#list(batchId, part, filter).show(first, last);
  }

  /** Resolves when the rows are loaded, or failed to load. */
  loadRange(batchId: string, part: UploadPart, filter: UploadFilter, first: number, last: number): Promise<void> {
    return this.#list(batchId, part, filter).loadRange(first, last);
  }

  /** Returns every loaded row of a part with its index, in no particular order. */
  loaded(batchId: string, part: UploadPart): Iterable<{ index: number; row: UploadRow }> {
    return this.#lists.get(keyOf(batchId, part))?.loaded() ?? [];
  }

  /** Loads the visible rows of a batch again; of all batches without an id. */
  refresh(batchId?: string): void {
    for (const [key, list] of this.#lists) {
      if (batchId === undefined || key.startsWith(`${batchId}/`)) list.refresh();
    }
  }

  retry(): void {
    for (const list of this.#lists.values()) list.retry();
  }

  /** Drops the rows of a batch; of all batches without an id. */
  close(batchId?: string): void {
    for (const key of this.#lists.keys()) {
      if (batchId === undefined || key.startsWith(`${batchId}/`)) this.#lists.delete(key);
    }
  }

  #list(batchId: string, part: UploadPart, filter: UploadFilter): BatchWindows {
    const key = keyOf(batchId, part);
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const list: BatchWindows = createWindowedList<WindowQuery, UploadRow>({
      load: (query, window) => call('uploads.list', { ...query, ...window }),
      idOf: (row) => row.id,
      onPage: (page) => this.#take(page.rows),
    });
    list.useList.subscribe((state, before) => {
      if (state.error !== before.error) this.#onError(state.error);
    });
    this.#lists.set(key, list);
    list.open({ filter, batchId });
    return list;
  }

  #take(loaded: readonly UploadRow[]): void {
    const { rows } = useUploads.getState();
    for (const row of loaded) rows.set(row.id, row);
    if (rows.size > MAX_ROWS) this.#prune(rows);
    useUploads.setState(({ tick }) => ({ tick: tick + 1 }));
  }

  #prune(rows: Map<string, UploadRow>): void {
    const kept = new Set<string>();
    for (const list of this.#lists.values()) for (const { row } of list.loaded()) kept.add(row.id);
    for (const id of rows.keys()) if (!kept.has(id)) rows.delete(id);
  }
}

function keyOf(batchId: string, part: UploadPart): string {
  return `${batchId}/${part}`;
}
