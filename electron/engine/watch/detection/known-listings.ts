import { foldersOf } from '../../../../shared/model/watch/watched-file.ts';

/** The result of one complete sweep for the folders below a root. */
export interface SweptFolders {
  /** Folders whose files were listed, by path, with the digest of the listing. */
  listed: ReadonlyMap<string, string>;
  /** Folders whose digest is known. */
  unchanged: ReadonlySet<string>;
  /** Folders that could not be listed. */
  unlisted: readonly string[];
}

/**
 * The folders below a root whose rows equal their latest listing, with the digest of that listing. While the digest of a folder
 * stays the same, a sweep need not compare its files with their rows. Only in the memory of this process.
 */
export class KnownListings {
  /** By folder: null if its rows were written since, so that it has to be compared. Every folder with rows has an entry. */
  #digests: ReadonlyMap<string, string | null> = new Map();
  /** Folders with rows that were written since the latest sweep began. */
  #written = new Set<string>();
  /** No sweep has ended in this process. */
  #isEmpty = true;

  /** A row was written. */
  wrote(path: string): void {
    this.#written.add(foldersOf(path).join('/'));
  }

  /** Starts a sweep. Returns the digests of folders that it need not compare. */
  begin(): Set<string> {
    const digests = new Map(this.#digests);
    for (const folder of this.#written) digests.set(folder, null);
    this.#digests = digests;
    this.#written = new Set();
    return new Set([...digests.values()].filter((digest) => digest !== null));
  }

  /** Returns whether no file has disappeared: every folder with rows was found unchanged, and no row was written meanwhile. */
  isAllUnchanged({ listed, unchanged, unlisted }: SweptFolders): boolean {
    if (this.#isEmpty || listed.size > 0 || unlisted.length > 0 || this.#written.size > 0) return false;
    return unchanged.size === this.#digests.size;
  }

  /** Ends a sweep whose result the caller wrote to the rows: stores its digests. Rows written since `begin` stay recorded. */
  end({ listed, unchanged, unlisted }: SweptFolders): void {
    const digests = new Map<string, string | null>(listed);
    for (const folder of unchanged) digests.set(folder, this.#digests.get(folder) ?? null);
    for (const folder of unlisted) digests.set(folder, null);
    this.#digests = digests;
    this.#isEmpty = false;
  }
}
