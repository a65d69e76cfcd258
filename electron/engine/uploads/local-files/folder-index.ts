import { basename, join } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import { deviceOf } from '../../ports/file-identity.ts';
import type { FileFacts, Files } from '../../ports/files.ts';

export interface IndexedEntry {
  path: string;
  facts: FileFacts;
}

interface Listing {
  readAt: number;
  byIdentity: Map<string, IndexedEntry>;
  folders: { path: string; device: string }[];
  entries: number;
}

/**
 * How long a list is used again: long enough that the search for 400 files of one folder reads it once, short enough to include
 * recent renames.
 */
const LISTING_LASTS_MS = 3000;
/** The maximum number of entries of one folder; a longer list is too slow to search. */
const MOST_ENTRIES = 20_000;
const MOST_LISTINGS = 2000;

/** Names that are not searched: trash and other folders without recordings, and programs' temporary names. */
const ASIDE = /^([.$~]|lost\+found$|.*~$|.*\.(part|partial|crdownload|download|tmp|temp)$)/i;

/** Finds files by their identity in folders, without reading their contents. */
export class FolderIndex {
  readonly #files: Files;
  readonly #clock: Clock;
  readonly #listings = new Map<string, Promise<Listing | null>>();

  constructor(files: Files, clock: Clock) {
    this.#files = files;
    this.#clock = clock;
  }

  /**
   * Returns the file with this identity in one of the folders, or below them down to `depth`; folder by folder, near ones first.
   * `isNew`: every searched folder was read after `since` (monotonic). Only then a file that is not found was not there at
   * `since`.
   */
  async find(
    identity: string,
    folders: readonly string[],
    { depth, most, since }: { depth: number; most: number; since: number },
  ): Promise<{ entry: IndexedEntry | null; isNew: boolean }> {
    // The map grows while it is iterated: subfolders come after all folders of their parents' level.
    const queue = new Map(folders.map((folder) => [folder, 0]));
    let left = most;
    let isNew = true;
    for (const [folder, down] of queue) {
      const listing = await this.#listing(folder);
      if (listing === null) continue;
      const entry = listing.byIdentity.get(identity);
      if (entry) return { entry, isNew };
      isNew &&= listing.readAt >= since;
      left -= listing.entries;
      if (left <= 0) break;
      // A file that was moved to another device has another identity.
      const below = down < depth ? listing.folders.filter(({ device }) => device === deviceOf(identity)) : [];
      for (const { path } of below) if (!queue.has(path)) queue.set(path, down + 1);
    }
    return { entry: null, isNew };
  }

  now(): number {
    return this.#clock.monotonic();
  }

  /** Clears everything that was read. */
  forget(): void {
    this.#listings.clear();
  }

  async #listing(folder: string): Promise<Listing | null> {
    const known = await this.#listings.get(folder);
    if (known && this.#clock.monotonic() - known.readAt < LISTING_LASTS_MS) return known;
    if (this.#listings.size >= MOST_LISTINGS) this.#listings.clear();
    const reading = this.#read(folder);
    this.#listings.set(folder, reading);
    return reading;
  }

  /** Reads a folder; null: it can't be listed, so no file in it can be read now. */
  async #read(folder: string): Promise<Listing | null> {
    const readAt = this.#clock.monotonic();
    const listing: Listing = { readAt, byIdentity: new Map(), folders: [], entries: 0 };
    let names: string[];
    try {
      names = await this.#files.list(folder);
    } catch {
      return null;
    }
    for (const name of names.slice(0, MOST_ENTRIES)) {
      listing.entries += 1;
      if (ASIDE.test(basename(name))) continue;
      const path = join(folder, name);
      try {
        // A link is not searched: a file is sent only from its own place.
        const facts = await this.#files.within(folder).facts(path);
        if (facts.kind === 'folder') listing.folders.push({ path, device: deviceOf(facts.identity) });
        else if (facts.kind === 'file') listing.byIdentity.set(facts.identity, { path, facts });
      } catch {
        // Deleted meanwhile, or not readable: then it is not the searched file.
      }
    }
    return listing;
  }
}
