import { AppError } from '../../../../shared/contract/app-error.ts';
import { countMedia } from '../../api/media.ts';
import { walkByCreation } from './created-walk.ts';
import { newestChange } from './incremental-sync.ts';
import { type SyncTools, storePage } from './sync-tools.ts';

/**
 * Reads the whole library. Stores after each page where to continue, so that an interrupted first sync resumes there.
 * What changes meanwhile is read by the incremental sync after it, from the instant that is stored before the first
 * page.
 */
export async function firstSync(tools: SyncTools): Promise<void> {
  const { store } = tools;
  if (store.state('watermark') === null) {
    const newest = await newestChange(tools);
    store.setState('watermark', String(newest ?? 0));
  }
  const total = await countIfPossible(tools);
  store.setState('total', total === null ? null : String(total));
  const stored = store.state('firstCursor');
  for await (const page of walkByCreation(tools, stored === null ? null : Number(stored))) {
    await storePage(tools, page);
    if (page.listedBefore !== null) store.setState('firstCursor', String(page.listedBefore));
  }
  store.setState('firstCursor', null);
}

/** The number only informs. */
async function countIfPossible({ client, signal }: SyncTools): Promise<number | null> {
  try {
    return await countMedia(client, {}, signal);
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('api.')) throw error;
    client.logger.debug('mirror.not-counted', { code: error.code });
    return null;
  }
}
