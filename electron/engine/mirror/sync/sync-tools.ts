import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MediaItem, MediaListQuery } from '../../../../shared/api/media.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { mediaPages } from '../../api/media.ts';
import type { ApiPage } from '../../api/pages.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MirrorStore } from '../mirror-store.ts';
import type { SyncRows } from './sync-rows.ts';

/** The tools that the steps of a pass share. */
export interface SyncTools {
  client: SiteClient;
  store: MirrorStore;
  rows: SyncRows;
  clock: Clock;
  signal: AbortSignal;
  /** Whether the journal has open edits of an item. */
  hasOpenEdits(id: string): boolean;
  /** More items are stored. */
  onProgress(): void;
  /** Copies the write-ahead log into the file without blocking this thread. */
  checkpoint(): Promise<void>;
}

/** The requested page size; libraries reduce it, and some reject it. */
export const PER_PAGE = 200;
/** The number of items after which the thread runs other work. */
const ITEMS_IN_A_SLICE = 25;
/** Larger transactions cost less for each item, but their commits take longer. */
const ITEMS_IN_A_TRANSACTION = 100;

/** A page of a list, and the moment of its request. */
export interface ListedPage extends ApiPage<MediaItem> {
  moment: number;
}

/**
 * Returns the pages of a media list. `isAhead`: the next page is requested while the caller works on one; otherwise
 * only when the caller wants it.
 */
export async function* listPages(
  tools: SyncTools,
  query: MediaListQuery,
  isAhead: boolean,
): AsyncGenerator<ListedPage> {
  const { client, store, signal } = tools;
  let pages = mediaPages(client, { ...query, per_page: PER_PAGE }, signal);
  const ask = () => ({ moment: store.moment(), asked: settled(pages.next()) });
  let next = ask();
  if (isRefusal((await next.asked).error)) {
    // The API defines no page size: a library that rejects ours is requested without one.
    pages = mediaPages(client, query, signal);
    next = ask();
  }
  for (;;) {
    const { moment, asked } = next;
    const { result, error } = await asked;
    if (error !== null) throw error;
    const page = result?.value;
    if (page === undefined) return;
    if (isAhead && page.hasNext) next = ask();
    yield { ...page, moment };
    if (!page.hasNext) return;
    if (!isAhead) next = ask();
  }
}

interface Settled<T> {
  result: T | undefined;
  error: unknown;
}

/** Returns the outcome of a promise: a request that fails before its page is awaited must not be an unhandled rejection. */
function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  return promise.then(
    (result) => ({ result, error: null }),
    (error: unknown) => ({ result: undefined, error }),
  );
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'api.bad-request' || error.code === 'api.invalid');
}

/** Stores the items of a page in slices, so that the thread is never busy for long. Returns the number of changed items. */
export async function storePage(
  tools: SyncTools,
  { items, moment }: Pick<ListedPage, 'items' | 'moment'>,
): Promise<number> {
  const { store, signal } = tools;
  let changed = 0;
  try {
    for (let at = 0; at < items.length; at += ITEMS_IN_A_SLICE) {
      signal.throwIfAborted();
      const end = at + ITEMS_IN_A_SLICE;
      const isLast = end >= items.length || end % ITEMS_IN_A_TRANSACTION === 0;
      changed += store.putSlice(items.slice(at, end), moment, isLast);
      await nextTurn();
    }
  } finally {
    store.endBatch();
  }
  tools.onProgress();
  return changed;
}

/** Returns the error of a list that does not reach its end or repeats itself. */
export function incompleteList(reason: string): AppError {
  return appError('library.incomplete-list', { details: { reason } });
}
