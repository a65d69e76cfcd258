import { fetchChanged } from '../../library/collection-cache.ts';
import { removeHidden, syncDeletions } from './deletions.ts';
import { firstSync } from './first-sync.ts';
import { incrementalSync } from './incremental-sync.ts';
import { continueSweep } from './rolling-sweep.ts';
import type { SyncTools } from './sync-tools.ts';

/** How a pass is done. */
export interface PassOptions {
  /** The time between two passes. */
  passMs: number;
  /** Reads the collections, whenever they were read last. */
  isAsked: boolean;
  /** Removes the hidden items that the service confirms to be gone. */
  removesHidden: boolean;
  /** The first sync begins or continues; called before its first request. */
  onFirstSync(): void;
  /** Everything was read once. */
  onReady(): void;
}

/** What changed for lists. */
export interface PassChanges {
  items: number;
  collections: boolean;
}

/** Collections have no instants of change: all are read again this often. */
const COLLECTIONS_EVERY_MS = 5 * 60_000;

/**
 * Brings a mirror up to date: the first sync, or what is left of it; then what changed, what was deleted, a part of the
 * rolling sweep, and the collections. Ends early with the error of a request; everything up to then is stored.
 */
export async function syncPass(tools: SyncTools, options: PassOptions): Promise<PassChanges> {
  const { store, clock } = tools;
  const isFirst = store.state('phase') !== 'ready';
  const collectionsAt = Number(store.state('collectionsAt') ?? 0);
  const isDue = Math.abs(clock.now() - collectionsAt) >= COLLECTIONS_EVERY_MS;
  const collections = isFirst || options.isAsked || isDue ? await syncCollections(tools) : false;
  let items = 0;
  if (isFirst) {
    options.onFirstSync();
    await firstSync(tools);
  }
  items += await incrementalSync(tools);
  items += await syncDeletions(tools);
  if (options.removesHidden) items += await removeHidden(tools);
  if (isFirst) {
    store.setState('sweptAt', String(clock.now()));
    options.onReady();
  } else {
    items += await continueSweep(tools, options.passMs);
  }
  store.setState('syncedAt', String(clock.now()));
  return { items, collections };
}

/** One request reads all names, places and deletions of collections. Returns whether anything changed. */
async function syncCollections({ client, store, clock, signal }: SyncTools): Promise<boolean> {
  const { index, answer } = await fetchChanged(client, store.state('collectionsAnswer'), signal);
  let changed = false;
  if (index !== null) {
    changed = store.replaceCollections([...index.nodes.values()].map(({ row }) => row));
    store.setState('collectionsAnswer', answer);
  }
  store.setState('collectionsAt', String(clock.now()));
  return changed;
}
