import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../../shared/contract/app-error.ts';
import { countMedia } from '../../api/media.ts';
import { walkByCreation } from './created-walk.ts';
import { newestChange } from './incremental-sync.ts';
import { type SyncTools, storePage } from './sync-tools.ts';

/**
 * Reads the whole library. Stores its position after each page, so that an interrupted first sync resumes there. Changes during
 * it are read by the following incremental sync, from the instant that is stored before the first page.
 */
export async function firstSync(tools: SyncTools): Promise<void> {
  const { store } = tools;
  if (store.state('watermark') === null) {
    const newest = await newestChange(tools);
    store.setState('watermark', String(newest ?? 0));
  }
  const stored = store.state('firstCursor');
  if (stored === null) await noteTotal(tools);
  const checkpoints = new Checkpoints(tools);
  store.merges.begin();
  try {
    for await (const page of walkByCreation(tools, stored === null ? null : Number(stored))) {
      await checkpoints.end();
      await storePage(tools, page);
      await mergeIndexes(tools);
      if (page.listedBefore !== null) store.setState('firstCursor', String(page.listedBefore));
      checkpoints.after(page.items.length);
    }
  } finally {
    await checkpoints.end();
  }
  store.merges.end();
  store.setState('firstCursor', null);
}

/** Stores the number of items in the library before the first page is read, and the time of that count. */
async function noteTotal(tools: SyncTools): Promise<void> {
  const { store, client } = tools;
  const total = await countIfPossible(tools);
  const at = client.serverClock.now();
  store.setState('total', total === null ? null : String(total));
  store.setState('totalAt', at === null ? null : String(Math.floor(at / 1000)));
}

/**
 * Returns whether items were deleted while the whole library was read, after which it had `counted` items. Then the first item of
 * a page moved to a page that was read before: the copy lacks it, and has the deleted item instead, so that a comparison of
 * counts finds neither.
 */
export function lostItemsMeanwhile({ store, rows }: SyncTools, counted: number): boolean {
  const [total, at] = [store.state('total'), store.state('totalAt')];
  if (total === null || at === null) return false;
  const createdSince = rows.count({ from: Number(at) + 1, before: null });
  return counted < Number(total) + createdSince;
}

async function mergeIndexes({ store, signal }: SyncTools): Promise<void> {
  for (const _ of store.merges.steps()) {
    await nextTurn();
    signal.throwIfAborted();
  }
}

/** The number of written items after which the write-ahead log is copied, about 32 MiB of it. */
const ITEMS_TO_CHECKPOINT = 2000;

/**
 * Copies the write-ahead log in a thread: in this thread each copy takes up to 60 ms. The next page is requested meanwhile, but
 * not written: SQLite starts the log anew only after a copy of all of it.
 */
class Checkpoints {
  readonly #tools: SyncTools;
  #items = 0;
  #running: Promise<void> | null = null;

  constructor(tools: SyncTools) {
    this.#tools = tools;
  }

  after(items: number): void {
    this.#items += items;
    if (this.#items < ITEMS_TO_CHECKPOINT || this.#running !== null) return;
    this.#items = 0;
    this.#running = this.#tools
      .checkpoint()
      .catch((error: unknown) => {
        // The log is copied later; when it is larger, the connection itself copies it.
        this.#tools.client.logger.debug('mirror.not-checkpointed', { reason: String(error) });
      })
      .finally(() => {
        this.#running = null;
      });
  }

  /** Resolves when no thread uses the file any longer. */
  async end(): Promise<void> {
    await this.#running;
  }
}

/** Returns the number of items, or null. Without it, deletions during the first sync can't be detected. */
async function countIfPossible({ client, signal }: SyncTools): Promise<number | null> {
  try {
    return await countMedia(client, {}, signal);
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('api.')) throw error;
    client.logger.debug('mirror.not-counted', { code: error.code });
    return null;
  }
}
