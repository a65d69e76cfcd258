import { toAppError } from '../../../../shared/contract/app-error.ts';
import type { Site } from '../../../../shared/contract/sites.ts';
import type { ThumbnailRef } from '../../../../shared/contract/thumbnail-address.ts';
import type { Accounts } from '../../account/accounts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import { type FetchedThumbnail, fetchThumbnail, type ThumbnailLimits, usable } from './fetch-thumbnail.ts';
import { createLatestFirst, Dropped } from './latest-first.ts';
import type { ThumbnailCache } from './thumbnail-cache.ts';

/** The thumbnails of items and collections, from the cache on disk or from the library. */
export interface Thumbnails {
  /**
   * Returns the thumbnail of an item or a collection; null when none can be shown, for whatever reason. An abort of `signal` ends
   * a request that no other caller waits for.
   */
  get(ref: ThumbnailRef, signal: AbortSignal): Promise<FetchedThumbnail | null>;
  /**
   * Resolves with whether cached files of an account may be used: somebody is signed in, and the files of an earlier user are
   * removed.
   */
  mayUse(siteId: string): Promise<boolean>;
  /** The resource changed: its thumbnail is read from the library again. */
  forget(ref: Pick<ThumbnailRef, 'siteId' | 'subject' | 'id'>): void;
  /** Aborts the requests in flight, and resolves when they have ended and the removal of cached files is complete. */
  stop(): Promise<void>;
}

interface ThumbnailsOptions {
  accounts: Pick<Accounts, 'clientFor' | 'list' | 'onDidChangeSites'>;
  cache: ThumbnailCache;
  limits: ThumbnailLimits;
  clock: Clock;
  logger: Logger;
  userAgent: string;
}

const MAX_IN_FLIGHT = 6;
/**
 * The maximum number of waiting requests, more than any window shows: older requests belong to items that were scrolled out of
 * view.
 */
const MAX_WAITING = 400;
/** How long the cache keeps that an item has no thumbnail, or that there was no answer. */
const NONE_MS = 5 * 60_000;
const FAILED_MS = 30_000;
const MAX_REMEMBERED = 20_000;

interface Fetch {
  result: Promise<FetchedThumbnail | null>;
  waiting: number;
  abort(): void;
}

export function createThumbnails(options: ThumbnailsOptions): Thumbnails {
  const { accounts, cache, limits, clock, logger, userAgent } = options;
  const turns = createLatestFirst({ running: MAX_IN_FLIGHT, waiting: MAX_WAITING });
  const fetches = new Map<string, Fetch>();
  /** Until when an item counts as without a thumbnail, on the monotonic clock. */
  const without = new Map<string, number>();
  /** The user who is signed in at each site; null: no user. */
  const owners = new Map<string, string | null>();
  let removing: Promise<void> = Promise.resolve();

  const logFailure = (error: unknown) => logger.warn('thumbnail.cache-failed', { reason: String(error) });

  function remember(key: string, forMs: number): void {
    if (without.size >= MAX_REMEMBERED) without.clear();
    without.set(key, clock.monotonic() + forMs);
  }

  /** Loads a thumbnail. A failure affects only the thumbnail: it is logged, and the item shows the icon of its type. */
  async function load(key: string, ref: ThumbnailRef, signal: AbortSignal): Promise<FetchedThumbnail | null> {
    const ticket = cache.begin(ref.siteId);
    try {
      const client = accounts.clientFor(ref.siteId);
      const found = await turns.run(
        (active) => fetchThumbnail(client, ref, { limits, userAgent, signal: active }),
        signal,
      );
      if (found === null) remember(key, NONE_MS);
      else if (ref.version !== '') await cache.put(ref, found.bytes, ticket).catch(logFailure);
      return found;
    } catch (error) {
      if (signal.aborted || error instanceof Dropped) return null;
      logger.debug('thumbnail.failed', { code: toAppError(error).code });
      remember(key, FAILED_MS);
      return null;
    }
  }

  /** Runs one request for all callers that wait for the same thumbnail; when the last one has aborted, the request is aborted. */
  async function shared(key: string, ref: ThumbnailRef, signal: AbortSignal): Promise<FetchedThumbnail | null> {
    let entry = fetches.get(key);
    if (entry === undefined) {
      const controller = new AbortController();
      entry = { waiting: 0, abort: () => controller.abort(), result: load(key, ref, controller.signal) };
      const mine = entry;
      fetches.set(key, mine);
      const end = () => {
        if (fetches.get(key) === mine) fetches.delete(key);
      };
      void mine.result.then(end, end);
    }
    const current = entry;
    current.waiting += 1;
    const leave = () => {
      current.waiting -= 1;
      if (current.waiting > 0) return;
      if (fetches.get(key) === current) fetches.delete(key);
      current.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await current.result;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Removes thumbnails of other accounts: one account never sees thumbnails of another, and none stay after a sign-out. */
  function onSites(sites: readonly Site[]): void {
    for (const { id, state, clientId, accountName } of sites) {
      const owner = state === 'signed-out' ? null : `${clientId} ${accountName ?? ''}`;
      const before = owners.get(id);
      owners.set(id, owner);
      if (before === undefined || before === null || before === owner) continue;
      without.clear();
      for (const [key, { abort }] of fetches) if (key.startsWith(`${id} `)) abort();
      removing = removing.then(() => cache.removeAccount(id)).catch(logFailure);
    }
  }

  const endSites = accounts.onDidChangeSites(onSites);
  onSites(accounts.list());
  // Completes a sign-out that was interrupted.
  removing = cache.keepAccounts([...owners.keys()].filter((id) => owners.get(id) !== null)).catch(logFailure);

  async function mayUse(siteId: string): Promise<boolean> {
    await removing;
    return (owners.get(siteId) ?? null) !== null;
  }

  return {
    mayUse,

    async get(ref, signal) {
      if (!(await mayUse(ref.siteId)) || signal.aborted) return null;
      const kept = ref.version === '' ? null : await cache.get(ref).catch(() => null);
      const stored = kept === null ? null : usable(kept.bytes, limits);
      if (stored !== null && kept?.isOld === false) return stored;
      if (ref.isStoredOnly) return stored;
      const key = `${keyOf(ref)}${ref.version}`;
      const until = without.get(key);
      if (until !== undefined && until > clock.monotonic()) return stored;
      return (await shared(key, ref, signal)) ?? stored;
    },

    forget(ref) {
      for (const key of without.keys()) if (key.startsWith(keyOf(ref))) without.delete(key);
      removing = removing.then(() => cache.remove(ref)).catch(logFailure);
    },

    async stop() {
      endSites();
      for (const { abort } of fetches.values()) abort();
      await Promise.allSettled([...[...fetches.values()].map(({ result }) => result), removing]);
    },
  };
}

/** The beginning of the keys of all versions of a resource. */
function keyOf({ siteId, subject, id }: Pick<ThumbnailRef, 'siteId' | 'subject' | 'id'>): string {
  return `${siteId} ${subject} ${id} `;
}
