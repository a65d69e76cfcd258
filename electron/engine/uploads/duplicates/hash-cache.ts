import { hasFileNumber } from '../../ports/file-identity.ts';
import type { FileFacts } from '../../ports/files.ts';
import type { Database } from '../../store/database.ts';
import { lazily } from '../../store/lazily.ts';

type Fingerprint = Pick<FileFacts, 'identity' | 'sizeBytes' | 'mtimeMs'>;

const MOST_ENTRIES = 100_000;
/** The number of additions after which the oldest entries are removed together. */
const PRUNE_EVERY = 1000;

/**
 * SHA-256 of files by their identity (device and inode, size, time of change), so that no file is read twice. Only a cache:
 * entries that a crash or a power cut removes are computed again.
 */
export class HashCache {
  readonly #database: Database;
  readonly #find;
  readonly #put;
  readonly #prune;
  #putsSincePrune = PRUNE_EVERY;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database.prepare(
      'SELECT sha256 FROM file_hashes WHERE identity = $identity AND size_bytes = $sizeBytes AND mtime_ms = $mtimeMs',
    );
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO file_hashes VALUES (NULL, $identity, $sizeBytes, $mtimeMs, $sha256)',
    );
    this.#prune = database.prepare('DELETE FROM file_hashes WHERE seq <= (SELECT max(seq) FROM file_hashes) - $most');
  }

  /** Returns null also where files have no numbers: size and time alone do not identify contents. */
  get({ identity, sizeBytes, mtimeMs }: Fingerprint): string | null {
    if (!hasFileNumber(identity)) return null;
    const row = this.#find.get({ identity, sizeBytes, mtimeMs });
    return row ? String(row.sha256) : null;
  }

  put({ identity, sizeBytes, mtimeMs }: Fingerprint, sha256: string): void {
    if (!hasFileNumber(identity)) return;
    lazily(this.#database, () => {
      this.#put.run({ identity, sizeBytes, mtimeMs, sha256 });
      this.#putsSincePrune += 1;
      if (this.#putsSincePrune < PRUNE_EVERY) return;
      this.#prune.run({ most: MOST_ENTRIES });
      this.#putsSincePrune = 0;
    });
  }
}
