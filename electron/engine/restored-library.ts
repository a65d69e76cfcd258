import { AppError, appError } from '../../shared/contract/app-error.ts';
import type { Continued, Site } from '../../shared/contract/sites.ts';
import type { Accounts } from './account/accounts.ts';
import { getCollection } from './api/collections.ts';
import { existing } from './api/existing.ts';
import type { SiteClient } from './api/http-client.ts';
import type { Edits } from './edits/edits.ts';
import type { MirrorSync } from './mirror/sync/create-mirror-sync.ts';
import type { SiteBreakers } from './sites/site-breakers.ts';
import type { BatchRecord } from './uploads/journal/batch-store.ts';
import type { UploadQueue } from './uploads/queue/upload-queue.ts';
import type { Uploads } from './uploads/uploads.ts';
import type { Watch } from './watch/watch.ts';

export interface RestoredTools {
  accounts: Pick<Accounts, 'clientFor' | 'restoredEpoch' | 'acceptRestored'>;
  breakers: Pick<SiteBreakers, 'hold' | 'release'>;
  queue: Pick<UploadQueue, 'interrupt' | 'startOver'>;
  batches: Pick<Uploads['rows']['batches'], 'get'>;
  edits: Pick<Edits, 'refuseAll'>;
  mirrorSync: Pick<MirrorSync, 'syncs'>;
  watch: Pick<Watch, 'handlers'>;
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
 * Returns the function that continues with a restored library, see `sites.continueRestored`. Until the last step it stays on hold: after a
 * failure or a crash the user is asked again, and a repetition completes the rest. A second call for a site waits for the first. Throws
 * `site.unknown`, and errors of requests about collections.
 */
export function createContinueRestored(tools: RestoredTools): (siteId: string) => Promise<Continued> {
  const running = new Map<string, Promise<Continued>>();
  return (siteId) => {
    const known = running.get(siteId);
    if (known !== undefined) return known;
    const work = begin(siteId, tools).finally(() => running.delete(siteId));
    running.set(siteId, work);
    return work;
  };
}

async function begin(siteId: string, tools: RestoredTools): Promise<Continued> {
  const { accounts, queue, batches, edits, mirrorSync } = tools;
  const epoch = accounts.restoredEpoch(siteId);
  if (epoch === null) return { edits: 0, restarted: 0, failed: 0, folders: 0 };
  const error = appError('site.restored').toData();
  const isSame = collectionCheck(accounts.clientFor(siteId));
  const folders = await pauseFolders(siteId, isSame, tools.watch);
  const started = await queue.startOver(siteId, error, async ({ batchId }) => {
    const batch = batches.get(batchId);
    const place = batch === null ? null : placeOf(batch);
    return place === null || isSame(place.id, place.name);
  });
  // Nothing can be edited by old ids any more.
  await mirrorSync.syncs.forget(siteId);
  const refused = await edits.refuseAll(siteId, error);
  accounts.acceptRestored(siteId, epoch);
  mirrorSync.syncs.passNow(siteId);
  return { edits: refused, ...started, folders };
}

/** A collection that is named by its id, with the name that the user saw; null: it is found by its name or path. */
function placeOf({
  collectionId,
  collectionName,
  collectionRef,
  below,
}: BatchRecord): { id: string; name: string } | null {
  const names = below?.names ?? [];
  if (collectionId !== '') return { id: collectionId, name: names.at(-1) ?? collectionName };
  if (collectionRef === null || !/^\d+$/.test(collectionRef)) return null;
  const tail = names.map((name) => ` / ${name}`).join('');
  return {
    id: collectionRef,
    name: tail !== '' && collectionName.endsWith(tail) ? collectionName.slice(0, -tail.length) : collectionName,
  };
}

/**
 * Returns a function that returns whether a collection has this name: an id alone may belong to another one now. Each is read once.
 * Throws what prevents an answer, so that nothing is decided without one.
 */
function collectionCheck(client: SiteClient): (id: string, name: string) => Promise<boolean> {
  const names = new Map<string, Promise<string | null>>();
  const read = async (id: string) => {
    try {
      return (await existing(getCollection(client, id)))?.display_name ?? null;
    } catch (error) {
      if (error instanceof AppError && error.code === 'api.forbidden') return null;
      throw error;
    }
  };
  return async (id, name) => {
    const known = names.get(id) ?? read(id);
    names.set(id, known);
    return (await known) === name;
  };
}

/** Pauses the watched folders with a rule whose collection is missing or has another name. Returns their number. */
async function pauseFolders(
  siteId: string,
  isSame: (id: string, name: string) => Promise<boolean>,
  watch: RestoredTools['watch'],
): Promise<number> {
  let paused = 0;
  for (const { id, rules, state } of await watch.handlers['watch.list'](null)) {
    if (state === 'paused' || state === 'off') continue;
    const { defaults } = rules;
    const actions = rules.rules.flatMap(({ action }) => (action.kind === 'upload' ? [action.settings] : []));
    for (const settings of [defaults.settings, ...actions]) {
      const { collection } = settings;
      const target = collection?.kind === 'by-folder' ? collection.parent : collection?.collection;
      if ((settings.siteId ?? defaults.settings.siteId) !== siteId || target?.kind !== 'id') continue;
      if (await isSame(target.id, target.name)) continue;
      await watch.handlers['watch.pause']({ folderId: id });
      paused += 1;
      break;
    }
  }
  return paused;
}
