import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../../shared/contract/app-error.ts';
import { countMedia } from '../../api/media.ts';
import { fetchChanged } from '../../library/collections/collection-cache.ts';
import { forestOf } from '../../library/collections/collection-index.ts';
import { stopsAllRequests } from '../../sites/site-breakers.ts';
import { removeHidden, syncAll, syncDeletions } from './find-deletions.ts';
import { firstSync, lostItemsMeanwhile } from './first-sync.ts';
import { incrementalSync } from './incremental-sync.ts';
import { continueSweep } from './rolling-sweep.ts';
import type { SyncTools } from './sync-tools.ts';

/** Options and callbacks of one pass. */
export interface PassOptions {
  /** The time between two passes. */
  passMs: number;
  /** Reads the collections, whenever they were read last. */
  isAsked: boolean;
  /** Removes the hidden items that the library confirms as deleted. */
  removesHidden: boolean;
  /** Called before the first request when the first sync starts or continues. */
  onFirstSync(): void;
  /** Everything was read once. */
  onReady(): void;
}

/** The changes that affect lists. */
export interface PassChanges {
  items: number;
  collections: boolean;
}

/** The interval in which all collections are read again, because no `modified_on` shows their changes. */
const COLLECTIONS_EVERY_MS = 5 * 60_000;

/**
 * Updates a mirror: the first sync, or the rest of it; then changes, deletions, a part of the rolling sweep, and the collections.
 * Ends early with the error of a request; the results up to then are stored.
 */
export async function syncPass(tools: SyncTools, options: PassOptions): Promise<PassChanges> {
  const { store, clock } = tools;
  const isFirst = store.state('phase') !== 'ready';
  const collectionsAt = Number(store.state('collectionsAt') ?? 0);
  const isDue = Math.abs(clock.now() - collectionsAt) >= COLLECTIONS_EVERY_MS;
  const changes = isFirst
    ? await firstPass(tools, options)
    : await both(
        tools,
        (each) => syncItems(each, options),
        async (each) => (options.isAsked || isDue ? syncCollections(each) : false),
      );
  store.setState('syncedAt', String(clock.now()));
  return { items: changes[0], collections: changes[1] };
}

async function firstPass(tools: SyncTools, options: PassOptions): Promise<[number, boolean]> {
  const { store, clock } = tools;
  const collections = await syncCollections(tools);
  options.onFirstSync();
  await firstSync(tools);
  const items = await syncChanges(tools, options, true);
  store.setState('sweptAt', String(clock.now()));
  options.onReady();
  return [items, collections];
}

async function syncItems(tools: SyncTools, options: PassOptions): Promise<number> {
  const changed = await syncChanges(tools, options, false);
  return changed + (await continueSweep(tools, options.passMs));
}

/** Requests the count together with the first page of changes: usually nothing changed, and these two answers show it. */
async function syncChanges(tools: SyncTools, { removesHidden }: PassOptions, isFirst: boolean): Promise<number> {
  const [changed, counted] = await both(tools, incrementalSync, ({ client, signal }) => countMedia(client, {}, signal));
  const isUncertain = isFirst && lostItemsMeanwhile(tools, counted);
  const found = await (isUncertain ? syncAll(tools) : syncDeletions(tools, counted));
  return changed + found + (removesHidden ? await removeHidden(tools) : 0);
}

/**
 * Runs two steps in parallel. Waits for both, also when one fails, so that no step of a pass runs after its end. Throws the first
 * error. An error that concerns the whole site cancels the other step, so that it is reported immediately: a missing sign-in may
 * be valid again when a slow answer arrives.
 */
async function both<A, B>(
  tools: SyncTools,
  one: (tools: SyncTools) => Promise<A>,
  other: (tools: SyncTools) => Promise<B>,
): Promise<[A, B]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([tools.signal, failed.signal]);
  const errors: unknown[] = [];
  const run = async <Result>(step: (tools: SyncTools) => Promise<Result>) => {
    try {
      return await step({ ...tools, signal });
    } catch (error) {
      errors.push(error);
      if (error instanceof AppError && stopsAllRequests(error.code)) failed.abort();
      throw error;
    }
  };
  const [first, second] = await Promise.allSettled([run(one), run(other)]);
  if (first.status === 'rejected' || second.status === 'rejected') throw errors[0];
  return [first.value, second.value];
}

/** Reads names, parents and deletions of all collections with one request. Returns whether anything changed. */
async function syncCollections({ client, store, clock, signal }: SyncTools): Promise<boolean> {
  const moment = store.collectionMoment();
  const { entries, digest } = await fetchChanged(client, store.state('collectionsDigest'), signal);
  let changed = false;
  if (entries !== null) {
    await nextTurn();
    changed = store.replaceCollections(forestOf(entries), moment);
    // After a change on this computer meanwhile, the next answer is compared completely.
    store.setState('collectionsDigest', store.hasCollectionsAfter(moment) ? null : digest);
  }
  store.setState('collectionsAt', String(clock.now()));
  return changed;
}
