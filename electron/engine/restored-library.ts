import { AppError, appError } from '../../shared/contract/app-error.ts';
import type { Continued, Site } from '../../shared/contract/sites.ts';
import type { Accounts } from './account/accounts.ts';
import { getCollection } from './api/collections.ts';
import { existing } from './api/existing.ts';
import type { Edits } from './edits/edits.ts';
import type { MirrorSync } from './mirror/sync/create-mirror-sync.ts';
import type { SiteBreakers } from './sites/site-breakers.ts';
import type { UploadQueue } from './uploads/queue/upload-queue.ts';
import type { Uploads } from './uploads/uploads.ts';

export interface RestoredTools {
  accounts: Pick<Accounts, 'list' | 'clientFor' | 'acceptRestored'>;
  breakers: Pick<SiteBreakers, 'hold' | 'release'>;
  queue: Pick<UploadQueue, 'interrupt' | 'startOver'>;
  batches: Pick<Uploads['rows']['batches'], 'get'>;
  edits: Pick<Edits, 'refuseAll'>;
  mirrorSync: Pick<MirrorSync, 'syncs'>;
}

/** Puts the work of restored libraries on hold, and ends the hold when the user has decided. Called when accounts change. */
export function holdRestored(
  sites: readonly Site[],
  { breakers, queue }: Pick<RestoredTools, 'breakers' | 'queue'>,
): void {
  for (const { id, restored } of sites) {
    if (!restored) breakers.release(id);
    else if (breakers.hold(id, appError('site.restored').toData())) queue.interrupt(id);
  }
}

/**
 * Continues with a restored library, see `sites.continueRestored`. Until the last step it stays on hold: after a failure or a crash
 * the user is asked again, and a repetition completes the rest. Throws `site.unknown`.
 */
export async function continueRestored(siteId: string, tools: RestoredTools): Promise<Continued> {
  const { accounts, queue, batches, edits, mirrorSync } = tools;
  const client = accounts.clientFor(siteId);
  if (accounts.list().find(({ id }) => id === siteId)?.restored !== true) return { edits: 0, restarted: 0, failed: 0 };
  const error = appError('site.restored').toData();
  const isSame = new Map<string, Promise<boolean>>();
  /** A collection counts as the same while its name is: an id alone may belong to another one now. */
  const hasName = async (id: string, name: string): Promise<boolean> => {
    try {
      return (await existing(getCollection(client, id)))?.display_name === name;
    } catch (failure) {
      if (!(failure instanceof AppError)) throw failure;
      // Unknown, so the user decides.
      return false;
    }
  };
  const { restarted, failed } = await queue.startOver(siteId, error, async ({ batchId }) => {
    const batch = batches.get(batchId);
    if (batch === null || batch.collectionId === '') return true;
    const { collectionId, collectionName } = batch;
    const known = isSame.get(collectionId) ?? hasName(collectionId, collectionName);
    isSame.set(collectionId, known);
    return known;
  });
  const refused = await edits.refuseAll(siteId, error);
  await mirrorSync.syncs.forget(siteId);
  accounts.acceptRestored(siteId);
  mirrorSync.syncs.passNow(siteId);
  return { edits: refused, restarted, failed };
}
