import { createHash } from 'node:crypto';
import type { ThumbnailSubject } from '../../../../shared/contract/thumbnail-address.ts';
import type { CacheFile, CacheFolder } from '../../ports/cache-folder.ts';
import type { Clock } from '../../ports/clock.ts';

/** What is cached: a thumbnail, or the waveform of an item. */
type CachedSubject = ThumbnailSubject | 'waveforms';

interface CachedRef {
  siteId: string;
  subject: CachedSubject;
  id: string;
  /** Another version of the same resource replaces this one. */
  version: string;
}

/** The number of removals of an account so far. */
type Ticket = number & { readonly isTicket: true };

/** The bytes of thumbnails and waveforms on disk, for each account. The most recently used files stay within the limit. */
export interface ThumbnailCache {
  /** Returns the bytes for this version of a resource; null when they are not cached. `isOld`: they are to be fetched again. */
  get(ref: CachedRef): Promise<{ bytes: Buffer; isOld: boolean } | null>;
  /** Call before bytes are fetched; pass the result to `put`. */
  begin(siteId: string): Ticket;
  /** Stores the bytes and removes other versions. Does nothing for an account that was removed since `begin`. */
  put(ref: CachedRef, bytes: Buffer, ticket: Ticket): Promise<void>;
  remove(ref: Omit<CachedRef, 'version'>): Promise<void>;
  removeAccount(siteId: string): Promise<void>;
  /** Removes the files of all accounts except these. */
  keepAccounts(siteIds: readonly string[]): Promise<void>;
}

/** The limit for all accounts together. */
export const THUMBNAIL_CACHE_BYTES = 500 * 1024 * 1024;

/**
 * The age at which a thumbnail is fetched again, because it can change although the version of its resource stays the same. The
 * API gives a collection no time of change, so only another request shows its new thumbnail. A waveform names the file that it
 * belongs to, and is never old.
 */
const OLD_AFTER_MS: Readonly<Record<CachedSubject, number>> = {
  media: 7 * 24 * 3600 * 1000,
  collections: 10 * 60 * 1000,
  waveforms: Number.POSITIVE_INFINITY,
  // Pictures of users are not stored.
  users: 0,
};
/** The share that an eviction keeps, so that there is room for some time. */
const KEPT_SHARE = 0.9;

interface Entry extends CacheFile {
  bytes: number;
  writtenAt: number;
}

interface CacheOptions {
  folder: CacheFolder;
  limitBytes: number;
  clock: Clock;
}

/** Creates the cache. It reads its folder only when thumbnails are used. */
export function createThumbnailCache({ folder, limitBytes, clock }: CacheOptions): ThumbnailCache {
  /** By account and resource, the least recently used first. null until the folder was read. */
  let entries: Promise<Map<string, Entry>> | null = null;
  const removals = new Map<string, number>();
  /** The writes in progress: a folder can't be removed while files are written into it. */
  const writes = new Set<Promise<void>>();

  const load = () => {
    entries ??= readEntries(folder);
    return entries;
  };
  const removalsOf = (siteId: string) => (removals.get(siteId) ?? 0) as Ticket;

  async function drop(all: Map<string, Entry>, key: string): Promise<void> {
    const entry = all.get(key);
    if (entry === undefined) return;
    all.delete(key);
    await folder.remove(entry);
  }

  async function makeRoom(all: Map<string, Entry>): Promise<void> {
    let total = 0;
    for (const { bytes } of all.values()) total += bytes;
    if (total <= limitBytes) return;
    for (const [key, { bytes }] of [...all]) {
      if (total <= limitBytes * KEPT_SHARE) return;
      total -= bytes;
      await drop(all, key);
    }
  }

  async function forgetEntries(isForgotten: (entry: Entry) => boolean): Promise<void> {
    const all = await entries;
    for (const [key, entry] of [...(all ?? [])]) if (isForgotten(entry)) all?.delete(key);
  }

  return {
    async get(ref) {
      const all = await load();
      const key = keyOf(ref);
      const entry = all.get(key);
      if (entry === undefined || entry.name !== fileOf(ref).name) return null;
      const now = clock.now();
      const bytes = await folder.read(entry, now);
      if (all.get(key) !== entry) return null;
      all.delete(key);
      if (bytes === null) return null;
      all.set(key, entry);
      return { bytes, isOld: now - entry.writtenAt > OLD_AFTER_MS[ref.subject] };
    },

    begin: removalsOf,

    async put(ref, bytes, ticket) {
      const all = await load();
      const key = keyOf(ref);
      const entry: Entry = { ...fileOf(ref), bytes: bytes.length, writtenAt: clock.now() };
      if (removalsOf(ref.siteId) !== ticket) return;
      const write = folder.write(entry, bytes, entry.writtenAt);
      writes.add(write);
      await write.finally(() => writes.delete(write));
      if (removalsOf(ref.siteId) !== ticket) {
        await folder.remove(entry);
        return;
      }
      if (all.get(key)?.name !== entry.name) await drop(all, key);
      all.delete(key);
      all.set(key, entry);
      await makeRoom(all);
    },

    async remove(ref) {
      await drop(await load(), keyOf(ref));
    },

    async removeAccount(siteId) {
      removals.set(siteId, removalsOf(siteId) + 1);
      const group = digest(siteId);
      await Promise.allSettled(writes);
      await forgetEntries((entry) => entry.group === group);
      await folder.removeGroup(group);
    },

    async keepAccounts(siteIds) {
      const kept = new Set(siteIds.map(digest));
      await forgetEntries(({ group }) => !kept.has(group));
      for (const group of await folder.groups()) if (!kept.has(group)) await folder.removeGroup(group);
    },
  };
}

/** Returns a file name that contains no part of the library's data, so that no identifier can be a path. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function fileOf({ version, ...ref }: CachedRef): CacheFile {
  return { group: digest(ref.siteId), name: `${nameOf(ref)}.${digest(version)}` };
}

function keyOf(ref: Omit<CachedRef, 'version'>): string {
  return `${digest(ref.siteId)}/${nameOf(ref)}`;
}

/** Returns the name of an entry with its kind, because an item and a collection can have the same id. */
function nameOf({ subject, id }: Omit<CachedRef, 'version'>): string {
  return digest(subject === 'media' ? id : `${subject}\0${id}`);
}

/**
 * Reads the entries. Of several versions of a resource, which only an interrupted run leaves, the last used one is kept and the
 * others are removed.
 */
async function readEntries(folder: CacheFolder): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  const files = (await folder.list()).sort((one, other) => one.usedAt - other.usedAt);
  for (const { group, name, bytes, writtenAt } of files) {
    const key = `${group}/${name.split('.')[0]}`;
    const older = found.get(key);
    if (older !== undefined) await folder.remove(older);
    found.delete(key);
    found.set(key, { group, name, bytes, writtenAt });
  }
  return found;
}
