import type { BatchDefaults } from '../../../../shared/contract/uploads.ts';
import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import { Statements } from '../../store/statements.ts';

/** Uploads that were added together. */
export interface BatchRecord {
  id: string;
  siteId: string;
  /** Empty until the library has resolved `collectionRef`. */
  collectionId: string;
  /** Until then the text that the user typed. */
  collectionName: string;
  /** An id, slug, path or name as the user typed it; null when the collection was chosen by its id. */
  collectionRef: string | null;
  /** Collections below the one above, from the top down, where the uploads really go; null: in the collection itself. */
  below: { names: string[]; create: boolean } | null;
  defaults: BatchDefaults;
  addedAt: number;
  /** Folders that were added: where a file may be found again that was moved. */
  roots: string[];
}

/** The number of batches that are kept in memory. */
const MOST_RECENT = 256;

/** The durable batches. Every method is one transaction. */
export class BatchStore {
  readonly #statements: Statements;
  /** Batches as they are stored. Each step of an upload needs its batch, which may have thousands of folders to parse. */
  readonly #recent = new Map<string, BatchRecord>();

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /** Durable when this returns. */
  add(batch: BatchRecord): void {
    const sql = `INSERT INTO batches
        (id, site_id, collection_id, collection_name, collection_ref, below, defaults, added_at, roots)
      VALUES ($id, $siteId, $collectionId, $collectionName, $collectionRef, $below, $defaults, $addedAt, $roots)`;
    const below = batch.below === null ? null : JSON.stringify(batch.below);
    this.#run(sql, { ...batch, below, defaults: JSON.stringify(batch.defaults), roots: JSON.stringify(batch.roots) });
  }

  /** The library has resolved the collection of a batch. Durable when this returns. */
  setCollection(
    batchId: string,
    { collectionId, collectionName }: { collectionId: string; collectionName: string },
  ): void {
    const sql =
      'UPDATE batches SET collection_id = $collectionId, collection_name = $collectionName WHERE id = $batchId';
    this.#run(sql, { batchId, collectionId, collectionName });
  }

  /** The user names another collection for a batch whose collection is not known yet. Durable when this returns. */
  setCollectionRef(batchId: string, collectionRef: string): void {
    const sql = `UPDATE batches SET collection_ref = $collectionRef, collection_name = $collectionRef, below = NULL
      WHERE id = $batchId AND collection_id = ''`;
    this.#run(sql, { batchId, collectionRef });
  }

  /** Batches of a library whose collection is not known yet and was made on this computer. */
  withNewCollections(siteId: string): string[] {
    const sql =
      "SELECT id FROM batches WHERE site_id = $siteId AND collection_id = '' AND collection_ref LIKE 'local:%'";
    return this.#statements
      .prepare(sql)
      .all({ siteId })
      .map((row) => String(row.id));
  }

  /** The caller does not change the record, which later calls return again. */
  get(id: string): BatchRecord | null {
    const known = this.#recent.get(id);
    if (known !== undefined) return known;
    const row = this.#statements.prepare('SELECT * FROM batches WHERE id = $id').get({ id });
    if (row === undefined) return null;
    const batch = toBatch(row);
    if (this.#recent.size >= MOST_RECENT) this.#recent.clear();
    this.#recent.set(id, batch);
    return batch;
  }

  /** Newest first; those of one instant in the reverse of the order in which they were added. */
  newest(limit: number, offset = 0): BatchRecord[] {
    return this.#statements
      .prepare('SELECT * FROM batches ORDER BY added_at DESC, rowid DESC LIMIT $limit OFFSET $offset')
      .all({ limit, offset })
      .map(toBatch);
  }

  #run(sql: string, parameters: Record<string, SqlValue>): void {
    this.#recent.clear();
    this.#statements.prepare(sql).run(parameters);
  }
}

function toBatch(row: SqlRow): BatchRecord {
  return {
    id: String(row.id),
    siteId: String(row.site_id),
    collectionId: String(row.collection_id),
    collectionName: String(row.collection_name),
    collectionRef: row.collection_ref === null ? null : String(row.collection_ref),
    below: row.below === null ? null : (JSON.parse(String(row.below)) as BatchRecord['below']),
    defaults: JSON.parse(String(row.defaults)) as BatchDefaults,
    addedAt: Number(row.added_at),
    roots: JSON.parse(String(row.roots)) as string[],
  };
}
