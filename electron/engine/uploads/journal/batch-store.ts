import type { BatchDefaults } from '../../../../shared/contract/uploads.ts';
import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import { Statements } from '../../store/statements.ts';

/** Uploads that were added together. */
export interface BatchRecord {
  id: string;
  siteId: string;
  /** Empty until the library has resolved `collectionRef`. */
  collectionId: string;
  /** The name in the library; until `collectionRef` is resolved, the text that the user typed. */
  collectionName: string;
  /** An id, slug, path or name as the user typed it; null when the collection was chosen by its id. */
  collectionRef: string | null;
  /**
   * The subcollection of that collection to which the uploads belong: the names of the path to it, and whether missing ones are
   * created. null: the uploads belong to the collection itself.
   */
  below: { names: string[]; create: boolean } | null;
  defaults: BatchDefaults;
  addedAt: number;
  /** The folders that were added: moved files are searched in them, and no link below them is followed. */
  roots: string[];
  /** The links to files that were added by their paths; they are followed. */
  links: string[];
}

/** The number of batches that are kept in memory. */
const MOST_RECENT = 256;

/** The durable batches. Every method is one transaction. */
export class BatchStore {
  readonly #statements: Statements;
  /** Batches as they are stored, cached because each step of an upload needs its batch, which may have many folders to parse. */
  readonly #recent = new Map<string, BatchRecord>();

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /** `links` is empty by default. Durable when this returns. */
  add(batch: Omit<BatchRecord, 'links'> & { links?: readonly string[] }): void {
    const sql = `INSERT INTO batches
        (id, site_id, collection_id, collection_name, collection_ref, below, defaults, added_at, roots, links)
      VALUES ($id, $siteId, $collectionId, $collectionName, $collectionRef, $below, $defaults, $addedAt, $roots, $links)`;
    const below = batch.below === null ? null : JSON.stringify(batch.below);
    const { defaults, roots, links = [] } = batch;
    const texts = { defaults: JSON.stringify(defaults), roots: JSON.stringify(roots), links: JSON.stringify(links) };
    this.#run(sql, { ...batch, below, ...texts });
  }

  /** Adds folders and links that the user chose for later files of a batch. Durable when this returns. */
  addPlaces(batchId: string, places: Pick<BatchRecord, 'roots' | 'links'>): void {
    const batch = this.get(batchId);
    if (batch === null) return;
    const roots = JSON.stringify([...new Set([...batch.roots, ...places.roots])]);
    const links = JSON.stringify([...new Set([...batch.links, ...places.links])]);
    this.#run('UPDATE batches SET roots = $roots, links = $links WHERE id = $batchId', { batchId, roots, links });
  }

  /** Stores the collection that the library resolved for a batch. Durable when this returns. */
  setCollection(
    batchId: string,
    { collectionId, collectionName }: { collectionId: string; collectionName: string },
  ): void {
    const sql =
      'UPDATE batches SET collection_id = $collectionId, collection_name = $collectionName WHERE id = $batchId';
    this.#run(sql, { batchId, collectionId, collectionName });
  }

  /** Stores another collection that the user named. Has no effect when the collection is known. Durable when this returns. */
  setCollectionRef(batchId: string, collectionRef: string): void {
    const sql = `UPDATE batches SET collection_ref = $collectionRef, collection_name = $collectionRef, below = NULL
      WHERE id = $batchId AND collection_id = ''`;
    this.#run(sql, { batchId, collectionRef });
  }

  /** Returns the ids of batches of an account whose collection was created on this computer and is not in the library yet. */
  withNewCollections(siteId: string): string[] {
    const sql =
      "SELECT id FROM batches WHERE site_id = $siteId AND collection_id = '' AND collection_ref LIKE 'local:%'";
    return this.#statements
      .prepare(sql)
      .all({ siteId })
      .map((row) => String(row.id));
  }

  /** Returns a batch; null: unknown. The caller must not change the record, because later calls return it again. */
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

  /** Returns batches, the newest first; those of one instant in the reverse of the order in which they were added. */
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
    links: JSON.parse(String(row.links)) as string[],
  };
}
