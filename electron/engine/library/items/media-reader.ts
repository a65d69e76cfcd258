import type { MediaItem, MediaListQuery } from '../../../../shared/api/media.ts';
import { AppError } from '../../../../shared/contract/app-error.ts';
import type { MediaRow, MediaWindow } from '../../../../shared/contract/library.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { countMedia, mediaPages } from '../../api/media.ts';
import type { ApiPage, Pages } from '../../api/pages.ts';
import { rowOf } from './media-row.ts';

/** Reads one media list from its beginning, as far as requested. */
export interface MediaReader {
  /** Returns the rows `offset … offset + limit`; fetches pages until they are loaded or the list ends. */
  window(offset: number, limit: number): Promise<MediaWindow>;
  /** Rows held in memory. */
  rowCount(): number;
}

/** The requested page size; libraries reduce it, and some reject it. */
const PER_PAGE = 100;
export const MAX_ROWS = 100_000;

export function createMediaReader(client: SiteClient, query: MediaListQuery): MediaReader {
  const rows: MediaRow[] = [];
  const seen = new Set<string>();
  let pages: Pages<MediaItem> = mediaPages(client, { ...query, per_page: PER_PAGE });
  let hasNext = true;
  let reading: Promise<void> | null = null;
  let counting: Promise<number | null> | null = null;

  /** Reads one page at a time, for all callers together. */
  function readOn(): Promise<void> {
    reading ??= readPage().finally(() => {
      reading = null;
    });
    return reading;
  }

  async function readPage(): Promise<void> {
    const { value } = await firstTolerant();
    for (const item of value?.items ?? []) {
      // A list that changes while it is read can contain an item on two pages.
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      rows.push(rowOf(item));
    }
    hasNext = value?.hasNext === true && rows.length < MAX_ROWS;
    if (value?.hasNext === true && !hasNext) client.logger.warn('library.list-cut', { rows: rows.length });
  }

  /** Reads the first page. The API defines no page size: a library that rejects ours is requested without one. */
  async function firstTolerant(): Promise<IteratorResult<ApiPage<MediaItem>, undefined>> {
    try {
      return await pages.next();
    } catch (error) {
      const isRefusal = error instanceof AppError && (error.code === 'api.bad-request' || error.code === 'api.invalid');
      if (!isRefusal || rows.length > 0) throw error;
      pages = mediaPages(client, query);
      return pages.next();
    }
  }

  async function count(): Promise<number | null> {
    try {
      const { sort: _sort, order: _order, ...filter } = query;
      return await countMedia(client, filter);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      client.logger.debug('library.not-counted', { code: error.code });
      return null;
    }
  }

  return {
    rowCount: () => rows.length,

    async window(offset, limit) {
      counting ??= count();
      while (hasNext && rows.length < offset + limit) await readOn();
      const counted = hasNext ? await counting : null;
      // At the end of the list its length is known; before that the count is used, unless more rows are loaded.
      const total = hasNext ? Math.max(counted ?? 0, rows.length + 1) : rows.length;
      return { total, offset, rows: rows.slice(offset, offset + limit) };
    },
  };
}
