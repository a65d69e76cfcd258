import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MediaItem } from '../../../../shared/api/media.ts';
import { AppError, appError } from '../../../../shared/contract/app-error.ts';
import type { CalendarQuery } from '../../../../shared/contract/calendar.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import type { EditSelection } from '../../../../shared/contract/edits.ts';
import type { MediaQuery, MediaRow } from '../../../../shared/contract/library.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { listMedia } from '../../api/media.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import type { Clock } from '../../ports/clock.ts';
import { type CollectionIndex, idsFrom } from '../collections/collection-index.ts';
import { withCollectionNames } from '../collections/collection-names.ts';
import type { CollectionTrees } from '../collections/collection-trees.ts';
import type { LibraryEdits } from '../edit-port.ts';
import { MAX_ROWS } from './media-reader.ts';
import { createMediaReaders, type MediaReaders } from './media-readers.ts';
import { listQueryOf } from './media-row.ts';
import { RelatedItems } from './related-items.ts';

export interface MediaListTools {
  clientFor(siteId: string): SiteClient;
  clock: Clock;
  trees: CollectionTrees;
  mirrors: Mirrors;
  /** Makes the copy of an account recent enough for a list that is opened. */
  freshen(siteId: string): Promise<void>;
  edits(): LibraryEdits;
}

/** The API takes several collections in one filter; servers refuse addresses above about 8,000 characters. */
const MAX_COLLECTIONS_IN_QUERY = 500;

/** Items of the copy that are read in one turn of the event loop. */
const SLICE = 1000;

/** The lists of items: from the copy of an account if it is complete, otherwise from the library. */
export class MediaLists {
  readonly #tools: MediaListTools;
  readonly #readers: MediaReaders;
  readonly #related: RelatedItems;

  constructor(tools: MediaListTools) {
    this.#tools = tools;
    this.#readers = createMediaReaders(tools.clock);
    this.#related = new RelatedItems(tools.mirrors, tools.clock);
  }

  /** Returns some rows of a list. Throws `library.needs-copy`, `collection.too-many-below` and the errors of the requests. */
  async window(
    query: MediaQuery,
    offset: number,
    limit: number,
    isGrouped = false,
  ): Promise<CallOutput<'library.mediaWindow'>> {
    const { clientFor, trees, mirrors, freshen } = this.#tools;
    const { siteId } = query;
    clientFor(siteId);
    if (offset === 0) {
      await Promise.all([
        freshen(siteId),
        this.#knowTree(query),
        this.#related.freshen(clientFor(siteId), siteId, query.search),
      ]);
    }
    const copied = mirrors.window(query, offset, limit);
    if (copied !== null) {
      const groups = isGrouped ? mirrors.groups(query) : null;
      const rows = copied.rows.map((row) => this.#withNeeds(siteId, row));
      return { ...copied, rows, ...(groups === null ? {} : { groups }) };
    }
    const [window, collections] = await Promise.all([
      this.#readerOf(query, offset).then((reader) => reader.window(offset, limit)),
      // The rows are useful without the names of their collections.
      trees
        .cacheOf(siteId)
        .index()
        .catch(() => null),
    ]);
    return withCollectionNames(window, collections);
  }

  /** Returns the items of a calendar, see the call `library.calendar`. Throws the errors of the account. */
  async calendar(query: CalendarQuery): Promise<CallOutput<'library.calendar'>> {
    const { clientFor, mirrors, freshen } = this.#tools;
    const { siteId } = query;
    clientFor(siteId);
    await Promise.all([freshen(siteId), this.#knowTree({ siteId, includesBelow: query.collectionId !== null })]);
    const calendar = mirrors.calendar(query);
    if (calendar === null) return null;
    const slots = calendar.slots.map((slot) => ({
      ...slot,
      rows: slot.rows.map((row) => this.#withNeeds(siteId, row)),
    }));
    return { slots };
  }

  /** Returns the ids of a list. Throws the errors of `window`. */
  async ids(query: MediaQuery): Promise<CallOutput<'library.mediaIds'>> {
    const { clientFor, mirrors } = this.#tools;
    clientFor(query.siteId);
    const ids = mirrors.ids(query, MAX_ROWS);
    if (ids !== null) return { ids, isAll: ids.length < MAX_ROWS || mirrors.count(query) === ids.length };
    const { rows, total } = await (await this.#readerOf(query, 0)).window(0, MAX_ROWS);
    return { ids: rows.map(({ id }) => id), isAll: rows.length === total };
  }

  /** Returns every item of a list from the library. Throws the errors of `window`. */
  async *itemsOf(query: MediaQuery): AsyncIterable<MediaItem> {
    requireCopyless(query);
    const client = this.#tools.clientFor(query.siteId);
    yield* listMedia(client, listQueryOf(query, await this.#collectionsIn(query)));
  }

  /** Returns the items of a selection: from the copy if there is one. Of a selection by ids, only those that the copy has. */
  async *selected(selection: EditSelection): AsyncIterable<MediaItem> {
    const { siteId } = selection;
    const { mirrors } = this.#tools;
    if ('query' in selection) await this.#knowTree(selection.query);
    const ids = 'ids' in selection ? selection.ids : mirrors.ids(selection.query, MAX_ROWS);
    const except = new Set('except' in selection ? selection.except : []);
    if (ids === null) {
      if (!('query' in selection)) return;
      for await (const item of this.itemsOf(selection.query)) if (!except.has(item.id)) yield item;
      return;
    }
    const wanted = ids.filter((id) => !except.has(id));
    for (let at = 0; at < wanted.length; at += SLICE) {
      if (at > 0) await nextTurn();
      yield* mirrors.items(siteId, wanted.slice(at, at + SLICE)).values();
    }
  }

  /** Drops the cached lists of an account, so that they are read again. */
  forget(siteId: string): void {
    this.#readers.forget(siteId);
  }

  /** Adds to an item with pending edits whether one of them waits for the user. */
  #withNeeds(siteId: string, row: MediaRow): MediaRow {
    const needs = row.pending === undefined ? null : this.#tools.edits().needsOf(siteId, row.id);
    return needs === null ? row : { ...row, needs };
  }

  /** Reads the tree, because the copy lists the items of subcollections by it. Offline, the stored tree is used. */
  async #knowTree({ siteId, includesBelow }: Pick<MediaQuery, 'siteId' | 'includesBelow'>): Promise<void> {
    if (!includesBelow) return;
    await this.#tools.trees
      .cacheOf(siteId)
      .index()
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
      });
  }

  /** Reads a list from the library, for an account without a complete mirror. Throws `library.needs-copy`. */
  async #readerOf(query: MediaQuery, offset: number) {
    requireCopyless(query);
    const client = this.#tools.clientFor(query.siteId);
    return this.#readers.readerFor(client, query, await this.#collectionsIn(query), offset);
  }

  /** The collections whose items a query lists; null for all media. Throws `collection.too-many-below`. */
  async #collectionsIn({ siteId, collectionId, includesBelow }: MediaQuery): Promise<readonly string[] | null> {
    if (collectionId === null) return null;
    if (!includesBelow) return [collectionId];
    const index = await this.#tools.trees.cacheOf(siteId).index();
    if (isOnlyTop(index, collectionId)) return null;
    const ids = idsFrom(index, collectionId);
    if (ids.length > MAX_COLLECTIONS_IN_QUERY) {
      throw appError('collection.too-many-below', { details: { collections: ids.length } });
    }
    return ids.length === 0 ? [collectionId] : ids;
  }
}

/** Throws `library.needs-copy` for a query that the API can't answer. */
function requireCopyless({ hasCaptions, hasDescription, hasPublishDate }: MediaQuery): void {
  const isLocal = [hasCaptions, hasDescription, hasPublishDate].some((condition) => condition !== undefined);
  if (isLocal) throw appError('library.needs-copy');
}

/** Returns whether a collection is the only one at the top: all items are below it, so no filter is needed. */
function isOnlyTop({ top }: CollectionIndex, id: string): boolean {
  return top.length === 1 && top[0] === id;
}
