import type { MediaItem } from '../../../../shared/api/media.ts';
import { AppError } from '../../../../shared/contract/app-error.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { getMedia, listMedia, mediaPages, viewUrlOf } from '../../api/media.ts';
import type { Clock } from '../../ports/clock.ts';

/** An item of the library, as far as the duplicate check needs it. */
export interface ComparedItem {
  id: string;
  title: string;
  url: string | null;
  createdOn: string | null;
}

interface Listing {
  listedAt: number;
  byId: Map<string, ComparedItem>;
  byTitle: Map<string, ComparedItem[]>;
  /** False when the collection has more than is listed. */
  isAll: boolean;
}

/** How long a list is used again: other users rarely add the very file that is about to be uploaded here. */
const LISTING_LASTS_MS = 10 * 60_000;
/** A collection with more pages is searched for each title instead. */
const MOST_PAGES = 100;
const PER_PAGE = 200;
/** The maximum number of results of a search that are read: a library may order them in any way. */
const MOST_FOUND = 100;

/** The items of collections by their titles, listed once for many uploads. */
export class CollectionContents {
  readonly #clock: Clock;
  readonly #listings = new Map<string, Promise<Listing>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the items of the collection that have one of the titles; none if the account may not list them. */
  async withTitles(
    client: SiteClient,
    collection: { siteId: string; collectionId: string },
    titles: readonly string[],
    signal: AbortSignal,
  ): Promise<ComparedItem[]> {
    const listing = await this.#listing(client, collection, signal);
    const wanted = [...new Set(titles.map(normalized))];
    if (listing.isAll) return wanted.flatMap((title) => listing.byTitle.get(title) ?? []);
    const found = new Map<string, ComparedItem>();
    for (const title of wanted) {
      let seen = 0;
      for await (const item of listMedia(client, { collection_id: collection.collectionId, search: title }, signal)) {
        if (normalized(item.title) === title) found.set(item.id, toKnown(client, item));
        if (++seen >= MOST_FOUND) break;
      }
    }
    return [...found.values()];
  }

  /** Returns the item if it is (still) in the collection; null when it was deleted or moved. */
  async item(
    client: SiteClient,
    collection: { siteId: string; collectionId: string },
    mediaId: string,
    signal: AbortSignal,
  ): Promise<ComparedItem | null> {
    const listed = (await this.#listing(client, collection, signal)).byId.get(mediaId);
    if (listed) return listed;
    try {
      const item = await getMedia(client, mediaId, signal);
      return item.collection_id === collection.collectionId ? toKnown(client, item) : null;
    } catch (error) {
      if (isHidden(error)) return null;
      throw error;
    }
  }

  async #listing(
    client: SiteClient,
    { siteId, collectionId }: { siteId: string; collectionId: string },
    signal: AbortSignal,
  ): Promise<Listing> {
    const key = JSON.stringify([siteId, collectionId]);
    const known = this.#listings.get(key);
    if (known) {
      const listing = await known;
      if (this.#clock.monotonic() - listing.listedAt < LISTING_LASTS_MS) return listing;
    }
    const earlier = this.#listings.get(key);
    if (earlier !== undefined && earlier !== known) return earlier;
    const listing = list(client, collectionId, this.#clock.monotonic(), signal);
    this.#listings.set(key, listing);
    listing.catch(() => {
      if (this.#listings.get(key) === listing) this.#listings.delete(key);
    });
    return listing;
  }
}

async function list(client: SiteClient, collectionId: string, listedAt: number, signal: AbortSignal): Promise<Listing> {
  const listing: Listing = { listedAt, byId: new Map(), byTitle: new Map(), isAll: true };
  const query = { collection_id: collectionId, sort: 'created_on', per_page: PER_PAGE } as const;
  let pages = 0;
  try {
    for await (const page of mediaPages(client, query, signal)) {
      for (const item of page.items) {
        const known = toKnown(client, item);
        listing.byId.set(known.id, known);
        const title = normalized(known.title);
        listing.byTitle.set(title, [...(listing.byTitle.get(title) ?? []), known]);
      }
      if (++pages >= MOST_PAGES && page.hasNext) return { ...listing, isAll: false };
    }
  } catch (error) {
    // Items that the account may not see can't be compared: then only uploads of this profile are known.
    if (!isHidden(error)) throw error;
  }
  return listing;
}

/** Returns a title in one form, because equal letters can be composed differently. */
function normalized(title: string): string {
  return title.normalize('NFC').trim();
}

function toKnown(client: SiteClient, item: MediaItem): ComparedItem {
  return { id: item.id, title: item.title, url: viewUrlOf(client, item), createdOn: item.created_on };
}

function isHidden(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'api.not-found' || error.code === 'api.forbidden');
}
