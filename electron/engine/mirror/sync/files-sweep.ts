import { haveCaptions, sizeOfFiles } from '../../../../shared/api/files.ts';
import { AppError } from '../../../../shared/contract/app-error.ts';
import { type MediaFiles, mediaFilesPages } from '../../api/media.ts';
import { apiInstantOf, secondsOf } from '../mirror-rows.ts';
import type { SyncTools } from './sync-tools.ts';

/** The time within which the sweep reads the files of every item again, because nothing else shows that they changed. */
const SWEEP_MS = 24 * 60 * 60_000;
/** The page size: with files, an item is several times as large as in a plain list. */
const PER_PAGE = 50;
/** The maximum number of pages in one pass, because more would delay newer changes. */
const PAGES_IN_A_PASS = 20;
/** How long a library whose lists contain no files is not asked again. */
const RETRY_MS = 60 * 60_000;

/**
 * Reads the size of items and which of them have captions: lists do not show it, their files do. Reads a part of all items in the
 * order of creation; when that sweep is complete, only the items that changed last, until all are known. Returns the number of
 * items for which something new is known. `continues`: returns false when other work is waiting.
 */
export async function sweepFiles(tools: SyncTools, continues: () => boolean): Promise<number> {
  const { store, clock, client } = tools;
  const now = clock.now();
  // A last sweep in the future (the clock was set back) does not count as recent.
  const isRecent = (key: string, ms: number) => {
    const at = store.state(key);
    return at !== null && now >= Number(at) && now - Number(at) < ms;
  };
  if (isRecent('filesFailedAt', RETRY_MS)) return 0;
  try {
    const isDue = store.state('filesCursor') !== null || !isRecent('filesAt', SWEEP_MS);
    if (isDue) return await sweepAll(tools, continues);
    return store.hasUnknownFiles() ? await readLatest(tools) : 0;
  } catch (error) {
    // The rest of the copy is up to date: this library only refuses a list with files.
    if (!(error instanceof AppError) || !error.code.startsWith('api.')) throw error;
    client.logger.warn('mirror.files-not-read', { code: error.code });
    store.setState('filesFailedAt', String(now));
    return 0;
  }
}

async function sweepAll(tools: SyncTools, continues: () => boolean): Promise<number> {
  const { store, clock } = tools;
  const stored = store.state('filesCursor');
  const from = stored === null ? null : Number(stored);
  // Libraries may compare with > or with ≥: one second earlier, the items of second `from` are listed by both.
  const after = from === null ? {} : { created_after: apiInstantOf(from - 1) };
  let changed = 0;
  let read = 0;
  let next = from;
  for await (const { stored: items, hasNext } of pagesOf(tools, { ...after, sort: 'created_on', order: 'asc' })) {
    changed += items.changed;
    if (!items.haveFiles) break;
    next = items.lastSecond ?? next;
    read += 1;
    if (!hasNext) {
      store.setState('filesCursor', null);
      store.setState('filesAt', String(clock.now()));
      return changed;
    }
    // A page within one second would make no progress, so the next page is read.
    if ((read >= PAGES_IN_A_PASS || !continues()) && next !== from) break;
  }
  if (next !== null) store.setState('filesCursor', String(next));
  return changed;
}

/** Reads the items that changed last; a new one is among them. */
async function readLatest(tools: SyncTools): Promise<number> {
  for await (const { stored: items } of pagesOf(tools, { sort: 'modified_on', order: 'desc' })) return items.changed;
  return 0;
}

interface StoredPage {
  changed: number;
  /** False when the library does not add files to lists. */
  haveFiles: boolean;
  /** The second of creation of the page's last item. */
  lastSecond: number | null;
}

/** Yields the pages, and stores what the files of each show. */
async function* pagesOf(
  tools: SyncTools,
  order: { created_after?: string; sort: 'created_on' | 'modified_on'; order: 'asc' | 'desc' },
): AsyncGenerator<{ stored: StoredPage; hasNext: boolean }> {
  const { client, store, clock, signal } = tools;
  const pages = mediaFilesPages(client, { ...order, per_page: PER_PAGE }, signal);
  for (;;) {
    const moment = store.moment();
    const { value: page } = await pages.next();
    if (page === undefined) return;
    const found = page.items.flatMap(({ id, files }: MediaFiles) =>
      files === null ? [] : [{ id, hasCaptions: haveCaptions(files), sizeBytes: sizeOfFiles(files) }],
    );
    const haveFiles = page.items.length === 0 || found.length > 0;
    if (!haveFiles) store.setState('filesFailedAt', String(clock.now()));
    const lastSecond = secondsOf(page.items.at(-1)?.created_on ?? null);
    yield { stored: { changed: store.noteFiles(found, moment), haveFiles, lastSecond }, hasNext: page.hasNext };
    if (!page.hasNext) return;
  }
}
