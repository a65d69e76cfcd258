import type { Collection } from '../../../shared/api/collections.ts';
import type { MediaFile } from '../../../shared/api/files.ts';
import type { MediaItem } from '../../../shared/api/media.ts';
import type { PodcastDetails } from '../../../shared/api/podcasts.ts';
import type { ItemFileFacts, KnownField, KnownValue } from '../../../shared/contract/library.ts';
import type { CountedWord } from '../../../shared/model/library-query/close-words.ts';
import { type Database, type SqlRow, type SqlValue, sqliteCodeOf } from '../store/database.ts';
import { Statements } from '../store/statements.ts';
import { IndexMerges } from './index-merges.ts';
import { KnownValues } from './known-values.ts';
import { MirrorLists } from './mirror-lists.ts';
import { itemOf, MirrorRows } from './mirror-rows.ts';
import type { Overlay, ReadMoment, StoredCollection } from './mirrors.ts';
import { RequestOrder } from './request-order.ts';

/** The mirror of one account on its open file. Its methods throw SQLite's errors. */
export class MirrorStore {
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #rows: MirrorRows;
  readonly #values: Record<KnownField, KnownValues>;
  /** The data that lists, counts and selections read. */
  readonly lists: MirrorLists;
  readonly merges: IndexMerges;
  /** Changes with every change of the lists. */
  #version = 0;
  #syncWrites = 0;
  #isBatchOpen = false;
  /** The order of stores outside of a sync: items and collections. */
  readonly #order = new RequestOrder();
  readonly #collectionOrder = new RequestOrder();
  /** The order of stores by syncs. */
  readonly #syncOrder = new RequestOrder();
  #treeMoment = 0;
  readonly #related = new Map<string, readonly string[]>();

  /** `now`: epoch ms. */
  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#rows = new MirrorRows(database);
    this.#values = { tag: new KnownValues(database, 'tag'), byline: new KnownValues(database, 'byline') };
    this.merges = new IndexMerges(database);
    this.lists = new MirrorLists(database, {
      version: () => this.#version,
      relatedTo: (id) => this.#related.get(id) ?? null,
      now,
    });
  }

  /** Changes with every change of the lists. */
  get version(): number {
    return this.#version;
  }

  get database(): Database {
    return this.#database;
  }

  /** Returns the moment of a request for items that starts now. An answer with a smaller moment is older. */
  moment(): number {
    return this.#order.next();
  }

  /** Returns the moment of a request for one item, outside of a sync, that starts now. */
  readMoment(): ReadMoment {
    return { moment: this.moment(), syncWrites: this.#syncWrites };
  }

  /** Returns the moment of a request for one or all collections that starts now. */
  collectionMoment(): number {
    return this.#collectionOrder.next();
  }

  /**
   * Stores an item that was just read, outside of a sync. `since`: when it was requested. `files`: undefined when its files are
   * unknown. Returns whether lists change.
   *
   * An older answer is not stored. It is older when the item was stored from a later request, or when a sync has stored an item
   * with a later `modified_on` since the request: no sync would read that change again. With the same `modified_on`, which some
   * changes don't move, the later request counts. If no sync stored anything in between, an earlier `modified_on` means that the
   * clock of the library was set back, and the answer is stored.
   */
  putNow(item: MediaItem, files?: ItemFileFacts, since = this.readMoment()): boolean {
    if (this.isOutdated(item, since)) return false;
    this.#order.note(item.id, since.moment);
    const hasChanged = this.#transaction(() => this.#putEach([item], since.moment)) > 0;
    const isNews = files !== undefined && this.#rows.noteFiles(item.id, files);
    if (isNews) this.#version += 1;
    return hasChanged || isNews;
  }

  /** Returns whether `putNow` would not store an item that was requested at this moment. */
  isOutdated(item: MediaItem, since: ReadMoment): boolean {
    if (!this.#order.isCurrent(item.id, since.moment)) return true;
    return since.syncWrites < this.#syncWrites && this.#isSyncedLater(item, since);
  }

  /**
   * Stores items that a sync requested at `moment`, in one transaction with the writes of `also`. Omits items that were stored
   * from a later request outside of the sync. Returns the number of items that changed.
   */
  putAll(items: readonly MediaItem[], moment: number, also: () => void = () => {}): number {
    return this.#transaction(() => {
      const changed = this.#putEach(items, moment, this.#syncOrder);
      if (changed > 0) this.#syncWrites += 1;
      also();
      return changed;
    });
  }

  /**
   * Stores a slice of many items, so that the thread is free between two slices. The transaction stays open until the slice
   * with `isLast`, or until any other change of the mirror. Returns the number of items that changed.
   */
  putSlice(items: readonly MediaItem[], moment: number, isLast: boolean): number {
    if (!this.#isBatchOpen) this.#database.exec('BEGIN IMMEDIATE');
    this.#isBatchOpen = true;
    try {
      const changed = this.#putEach(items, moment, this.#syncOrder);
      if (changed > 0) this.#syncWrites += 1;
      if (isLast) this.endBatch();
      return changed;
    } catch (error) {
      this.#isBatchOpen = false;
      this.#rollBack();
      throw error;
    }
  }

  /** Ends the open transaction of `putSlice`. */
  endBatch(): void {
    if (!this.#isBatchOpen) return;
    this.#isBatchOpen = false;
    this.#database.exec('COMMIT');
  }

  /**
   * Stores what the files of items show, from answers that were requested at `moment`. Omits items that were stored from a later
   * request. Returns the number of items whose stored values changed.
   */
  noteFiles(found: readonly (ItemFileFacts & { id: string })[], moment: number): number {
    const changed = this.#transaction(
      () =>
        found.filter(({ id, ...facts }) => this.#order.isCurrent(id, moment) && this.#rows.noteFiles(id, facts)).length,
    );
    if (changed > 0) this.#version += 1;
    return changed;
  }

  /** Stores what the files of an item show, after this program changed or read them. */
  noteFilesNow(id: string, facts: ItemFileFacts): void {
    const moment = this.moment();
    this.#order.note(id, moment);
    this.noteFiles([{ id, ...facts }], moment);
  }

  /** Stores that an item has captions; its size stays as it is. Answers that were requested before do not count any more. */
  noteCaptionsNow(id: string): void {
    this.#order.note(id, this.moment());
    if (this.#transaction(() => this.#rows.noteCaptions(id))) this.#version += 1;
  }

  /** Keeps the ids of items that are related to an item, the closest first, in memory until the file is closed. */
  putRelated(mediaId: string, relatedIds: readonly string[]): void {
    this.#related.set(mediaId, relatedIds);
    this.#version += 1;
  }

  /** Returns whether the files of an item were not read yet. */
  hasUnknownFiles(): boolean {
    const sql = 'SELECT 1 FROM view_media WHERE has_captions IS NULL OR size_bytes IS NULL LIMIT 1';
    return this.#get(sql) !== undefined;
  }

  /** Records that the library stopped listing items; see `MirrorRows.vanish`. */
  vanishAll(ids: readonly string[], hasEdits = (id: string) => this.hasEdits(id)): void {
    this.#version += 1;
    this.#transaction(() => {
      for (const id of ids) this.#rows.vanish(id, hasEdits(id));
    });
  }

  /** Returns whether an item is shown with pending edits. */
  hasEdits(id: string): boolean {
    return this.#rows.hasEdits(id);
  }

  /**
   * Replaces the stored collections by those that were requested at `moment`, except those that were stored or removed from a
   * later request. Returns whether any of them changed.
   */
  replaceCollections(rows: readonly StoredCollection[], moment = this.collectionMoment()): boolean {
    const known = new Map(this.collections().map((row) => [row.id, row]));
    const newer = this.#collectionOrder.storedAfter(moment);
    // A collection that was read when the tree did not show its parent has no row to keep.
    const isRowKept = (id: string) => newer.has(id) && (known.has(id) || this.collectionDetail(id) === null);
    const kept = [...newer].flatMap((id) => known.get(id) ?? []);
    // Another list of 100,000 collections takes 10 MiB.
    const stored = newer.size === 0 ? rows : [...rows.filter(({ id }) => !isRowKept(id)), ...kept];
    this.#treeMoment = Math.max(this.#treeMoment, moment);
    if (known.size === stored.length && stored.every((row) => isSameRow(known.get(row.id), row))) return false;
    const put = this.#statements.prepare(
      `INSERT INTO collections (id, parent_id, display_name, slug, is_podcast, media_count)
       VALUES ($id, $parentId, $displayName, $slug, $isPodcast, $mediaCount)`,
    );
    this.#transaction(() => {
      this.#noteCollectionsChanged();
      this.#statements.prepare('DELETE FROM collections').run();
      for (const row of stored) put.run(columnsOf(row));
    });
    this.#version += 1;
    return true;
  }

  /**
   * Stores a collection that was just read; `podcast` null: its details were not read, so the stored ones are kept. A collection
   * that the tree does not show is not added to it. Returns false, and stores nothing, when it is stored from a request after
   * `moment`.
   */
  putCollection(collection: Collection, podcast: PodcastDetails | null, moment = this.collectionMoment()): boolean {
    if (!this.#collectionOrder.isCurrent(collection.id, moment)) return false;
    this.#collectionOrder.note(collection.id, moment);
    const { id, parent_id: parentId, display_name: displayName, slug, is_podcast: isPodcast, media_count } = collection;
    const put = this.#statements.prepare(
      `INSERT INTO collection_details (id, collection, podcast) VALUES ($id, $collection, $podcast)
       ON CONFLICT (id) DO UPDATE SET collection = $collection, podcast = coalesce($podcast, podcast)`,
    );
    const row = this.#statements.prepare(
      `INSERT INTO collections (id, parent_id, display_name, slug, is_podcast, media_count)
       SELECT $id, $parentId, $displayName, $slug, $isPodcast, $mediaCount
       WHERE EXISTS (SELECT 1 FROM collections WHERE id IN ($id, $parentId))
       ON CONFLICT (id) DO UPDATE SET parent_id = coalesce($parentId, parent_id), display_name = $displayName,
         slug = $slug, is_podcast = $isPodcast`,
    );
    this.#transaction(() => {
      this.#noteCollectionsChanged();
      put.run({
        id,
        collection: JSON.stringify(collection),
        podcast: podcast === null ? null : JSON.stringify(podcast),
      });
      // The tree may be newer.
      if (moment < this.#treeMoment) return;
      row.run({ id, parentId, displayName, slug, isPodcast: Number(isPodcast), mediaCount: media_count });
    });
    this.#version += 1;
    return true;
  }

  /** Returns a collection as it was last read alone; null: it never was. */
  collectionDetail(id: string): { collection: Collection; podcast: PodcastDetails | null } | null {
    const [row] = this.#all('SELECT collection, podcast FROM collection_details WHERE id = $id', { id });
    if (row === undefined) return null;
    return {
      collection: JSON.parse(String(row.collection)) as Collection,
      podcast: row.podcast === null ? null : (JSON.parse(String(row.podcast)) as PodcastDetails),
    };
  }

  /** Removes a collection that the library does not have any more. */
  removeCollection(id: string): void {
    this.#collectionOrder.note(id, this.collectionMoment());
    this.#transaction(() => {
      this.#noteCollectionsChanged();
      this.#statements.prepare('DELETE FROM collections WHERE id = $id').run({ id });
      this.#statements.prepare('DELETE FROM collection_details WHERE id = $id').run({ id });
    });
    this.#version += 1;
  }

  /** Whether a collection was stored, or removed, from a request after `moment`. */
  hasCollectionsAfter(moment: number): boolean {
    return this.#collectionOrder.storedAfter(moment).size > 0;
  }

  /** Notes that the stored tree differs from the tree that the last pass read: the next pass compares it completely. */
  #noteCollectionsChanged(): void {
    this.setState('collectionsDigest', null);
  }

  collections(): StoredCollection[] {
    return this.#all('SELECT * FROM collections ORDER BY id').map((row) => ({
      id: String(row.id),
      parentId: row.parent_id === null ? null : String(row.parent_id),
      displayName: String(row.display_name),
      slug: String(row.slug),
      isPodcast: row.is_podcast === 1,
      mediaCount: row.media_count === null ? null : Number(row.media_count),
    }));
  }

  remove(id: string): boolean {
    this.#order.note(id, this.moment());
    this.#version += 1;
    return this.#transaction(() => {
      this.#statements.prepare('DELETE FROM media_files WHERE media_id = $id').run({ id });
      return this.#rows.remove(id);
    });
  }

  /** Stores the files of an item that were just read. */
  putFiles(id: string, files: readonly MediaFile[]): void {
    this.endBatch();
    this.#statements
      .prepare(
        `INSERT INTO media_files (media_id, files) VALUES ($id, $files)
         ON CONFLICT (media_id) DO UPDATE SET files = $files`,
      )
      .run({ id, files: JSON.stringify(files) });
  }

  /** Returns the files of an item as they were read last; null: they never were. */
  filesOf(id: string): MediaFile[] | null {
    const files = this.#get('SELECT files FROM media_files WHERE media_id = $id', { id })?.files;
    return files === undefined ? null : (JSON.parse(String(files)) as MediaFile[]);
  }

  setOverlay(id: string, overlay: Overlay | null): boolean {
    const isNew = this.#transaction(() => this.#rows.setOverlay(id, overlay));
    if (isNew) this.#version += 1;
    return isNew;
  }

  overlaidIds(): string[] {
    return this.#all('SELECT media_id FROM overlays').map((row) => String(row.media_id));
  }

  items(ids: readonly string[]): Map<string, () => MediaItem> {
    const rows = this.#all('SELECT id, item FROM media WHERE id IN (SELECT value FROM json_each($ids))', {
      ids: JSON.stringify(ids),
    });
    return new Map(rows.map((row) => [String(row.id), () => itemOf(row)]));
  }

  /** Returns the words of titles, tags and bylines with an initial letter, whose length differs from that of a word by at most two. */
  wordsNear(word: string, initial: string): CountedWord[] {
    const { length } = [...word];
    return this.#database
      .prepare(
        'SELECT term, doc FROM media_words WHERE term >= $initial AND term < $end AND length(term) BETWEEN $least AND $most',
      )
      .all({ initial, end: afterLetter(initial), least: length - 2, most: length + 2 })
      .map(({ term, doc }) => ({ word: String(term), items: Number(doc) }));
  }

  values(field: KnownField, text: string, limit: number): KnownValue[] {
    return this.#values[field].find(text, limit, this.#version);
  }

  /** Items that lists show. */
  itemCount(): number {
    return Number(this.#get('SELECT count(*) AS count FROM view_media')?.count ?? 0);
  }

  state(key: string): string | null {
    const value = this.#get('SELECT value FROM sync_state WHERE key = $key', { key })?.value;
    return value === undefined ? null : String(value);
  }

  /** Stores a value of the sync; null removes it. */
  setState(key: string, value: string | null): void {
    if (value === null) this.#statements.prepare('DELETE FROM sync_state WHERE key = $key').run({ key });
    else {
      this.#statements
        .prepare(
          'INSERT INTO sync_state (key, value) VALUES ($key, $value) ON CONFLICT (key) DO UPDATE SET value = $value',
        )
        .run({ key, value });
    }
  }

  close(): void {
    this.endBatch();
    this.#database.close();
  }

  /** Returns whether a sync has stored a later change of an item than this answer. */
  #isSyncedLater(item: MediaItem, { moment }: ReadMoment): boolean {
    if (this.#rows.hasNewer(item)) return true;
    return !this.#syncOrder.isCurrent(item.id, moment) && this.#rows.hasSameAge(item);
  }

  /** Stores each item. `order`: where to note which items changed. */
  #putEach(items: readonly MediaItem[], moment: number, order?: RequestOrder): number {
    let changed = 0;
    for (const item of items) {
      if (!this.#order.isCurrent(item.id, moment) || !this.#rows.put(item)) continue;
      changed += 1;
      order?.note(item.id, moment);
    }
    if (changed > 0) this.#version += 1;
    return changed;
  }

  #transaction<T>(work: () => T): T {
    this.endBatch();
    return this.#database.transaction(work);
  }

  /** Discards the open transaction of `putSlice`. Lists may have shown its items before. */
  #rollBack(): void {
    this.#version += 1;
    try {
      this.#database.exec('ROLLBACK');
    } catch (error) {
      // SQLite may have rolled back already: this must not hide the first error.
      if (sqliteCodeOf(error) === null) throw error;
    }
  }

  #all(sql: string, parameters: Record<string, SqlValue> = {}): SqlRow[] {
    return this.#statements.prepare(sql).all(parameters);
  }

  #get(sql: string, parameters: Record<string, SqlValue> = {}): SqlRow | undefined {
    return this.#statements.prepare(sql).get(parameters);
  }
}

function columnsOf({ id, parentId, displayName, slug, isPodcast, mediaCount }: StoredCollection) {
  return { id, parentId, displayName, slug, isPodcast: Number(isPodcast), mediaCount };
}

function isSameRow(known: StoredCollection | undefined, row: StoredCollection): boolean {
  return known !== undefined && JSON.stringify(columnsOf(known)) === JSON.stringify(columnsOf(row));
}

/** Returns the first text that does not begin with a letter, in the order of SQLite. */
function afterLetter(letter: string): string {
  return String.fromCodePoint((letter.codePointAt(0) ?? 0) + 1);
}
