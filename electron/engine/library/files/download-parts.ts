import { basename, dirname, join } from 'node:path';
import type { PartFiles } from '../../ports/part-files.ts';
import type { Random } from '../../ports/random.ts';
import type { Database } from '../../store/database.ts';

/** The temporary file of one running download. */
export interface TakenPart {
  path: string;
  /** The bytes that an earlier download of the same content wrote; 0: a new file. */
  keptBytes: number;
  /** Lets later downloads of the same content continue this file. */
  release(): void;
}

/**
 * The temporary files of downloads. Their names are random, so that no other user of a shared folder can prepare a link with the
 * name. The name is stored by folder and content, so that a later download continues the file, also in another process.
 */
export class DownloadParts {
  readonly #files: PartFiles;
  readonly #random: Random;
  readonly #statements: ReturnType<typeof prepare>;
  /** The paths that running downloads write to: no two write to one file. */
  readonly #taken = new Set<string>();

  constructor(database: Database, files: PartFiles, random: Random) {
    this.#files = files;
    this.#random = random;
    this.#statements = prepare(database);
  }

  /**
   * Takes the file with the beginning of this content, if there is one with at most `mostBytes` bytes, or a new name. `mostBytes`
   * 0: the beginning can't be used. Throws `download.not-saved` for a folder that does not exist.
   */
  async take(folder: string, content: string, mostBytes: number): Promise<TakenPart> {
    const stored = this.#statements.find.get({ folder, content });
    const old = stored === undefined ? null : join(folder, String(stored.name));
    if (old !== null && !this.#taken.has(old)) {
      this.#taken.add(old);
      try {
        const size = await this.#files.sizeOf(old);
        if (size !== null && size > 0 && size <= mostBytes) return this.#part(old, size);
        // Null: the file that has the name now isn't ours.
        if (size !== null) await this.#files.remove(old);
      } catch (error) {
        this.#taken.delete(old);
        throw error;
      }
      this.#taken.delete(old);
    }
    const name = `.${Buffer.from(this.#random.bytes(12)).toString('hex')}.mediadesk-part`;
    const path = join(folder, name);
    this.#taken.add(path);
    this.#statements.put.run({ folder, content, name });
    return this.#part(path, 0);
  }

  /** Forgets a part that got its final name. */
  forget(path: string): void {
    this.#statements.forget.run({ folder: dirname(path), name: basename(path) });
  }

  /** Deletes a part. */
  async discard(path: string): Promise<void> {
    await this.#files.remove(path);
    this.forget(path);
  }

  /** Deletes the bytes of a taken part, and keeps its name. */
  async empty(path: string): Promise<void> {
    await this.#files.remove(path);
  }

  open(path: string, keepBytes: number): ReturnType<PartFiles['open']> {
    return this.#files.open(path, keepBytes);
  }

  #part(path: string, keptBytes: number): TakenPart {
    return { path, keptBytes, release: () => void this.#taken.delete(path) };
  }
}

function prepare(database: Database) {
  return {
    find: database.prepare('SELECT name FROM download_parts WHERE folder = $folder AND content = $content'),
    put: database.prepare('INSERT OR REPLACE INTO download_parts VALUES ($folder, $content, $name)'),
    forget: database.prepare('DELETE FROM download_parts WHERE folder = $folder AND name = $name'),
  };
}
