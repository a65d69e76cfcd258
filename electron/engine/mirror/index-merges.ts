import type { Database, Statement } from '../store/database.ts';

/** The full-text indexes of a mirror. */
const INDEXES = ['media_fts', 'media_fields', 'title_trigram'];
/** Pages of an index that one step writes: about 4 ms on a slow computer. */
const PAGES_IN_A_STEP = 16;
/** The values of FTS5's setting `automerge`: its default, and no automatic merges. */
const AUTOMATIC = 4;
const MANUAL = 0;

/**
 * Merges the segments of the full-text indexes. FTS5 does the same at the end of a transaction, but in units of at least 64
 * pages: many transactions in a row block the thread for up to 60 ms each time. During a first sync, steps between the
 * transactions do the same work in small parts.
 */
export class IndexMerges {
  readonly #begin: readonly Statement[];
  readonly #end: readonly Statement[];
  readonly #merges: readonly Statement[];
  readonly #changes: Statement;

  constructor(database: Database) {
    // FTS5 takes integers only, and a bound number is a floating-point one.
    const commands = (name: string, value: number) =>
      INDEXES.map((index) => database.prepare(`INSERT INTO ${index} (${index}, rank) VALUES ('${name}', ${value})`));
    this.#begin = commands('automerge', MANUAL);
    this.#end = commands('automerge', AUTOMATIC);
    this.#merges = commands('merge', PAGES_IN_A_STEP);
    this.#changes = database.prepare('SELECT total_changes() AS count');
  }

  /** Turns the automatic merges off. The file stores this, so an interrupted first sync continues to merge itself. */
  begin(): void {
    for (const setting of this.#begin) setting.run();
  }

  /** Turns the automatic merges of FTS5 on again. */
  end(): void {
    for (const setting of this.#end) setting.run();
  }

  /** Merges what is pending, one step for each value that the caller takes. No transaction may be open. */
  *steps(): Generator<void> {
    for (const merge of this.#merges) {
      for (let before = this.#count(); ; before = this.#count()) {
        merge.run();
        // FTS5 defines that a single change means that there was nothing to merge.
        if (this.#count() - before < 2) break;
        yield;
      }
    }
  }

  #count(): number {
    return Number(this.#changes.get()?.count);
  }
}
