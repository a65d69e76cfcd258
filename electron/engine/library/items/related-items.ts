import { AppError } from '../../../../shared/contract/app-error.ts';
import { parseQuery } from '../../../../shared/model/library-query/parse-query.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { mediaPages } from '../../api/media.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import type { Clock } from '../../ports/clock.ts';

/** The maximum number of related items. */
const MOST_RELATED = 200;
/** How long an answer is used again. */
const FRESH_MS = 10 * 60_000;
/** The maximum number of items that one search names: more are not worth the wait. */
const MOST_ITEMS = 5;

/** Requests the items that are related to those in a search, and stores the answers in the mirror. */
export class RelatedItems {
  readonly #mirrors: Mirrors;
  readonly #clock: Clock;
  /** By account and item: the time of the last request, on the monotonic clock. */
  readonly #asked = new Map<string, number>();

  constructor(mirrors: Mirrors, clock: Clock) {
    this.#mirrors = mirrors;
    this.#clock = clock;
  }

  /**
   * Resolves when the mirror has the related items for each `related:` in a search. When the library can't answer, items that
   * share tags are used instead, so no error is thrown.
   */
  async freshen(client: SiteClient, siteId: string, search: string): Promise<void> {
    if (!search.includes(':') || this.#mirrors.status(siteId).phase !== 'ready') return;
    const ids = parseQuery(search)
      .query.groups.flat()
      .flatMap((term) => (term.kind === 'related' ? [term.value.replace(/^#/, '')] : []));
    await Promise.all(ids.slice(0, MOST_ITEMS).map((id) => this.#freshenOne(client, siteId, id)));
  }

  async #freshenOne(client: SiteClient, siteId: string, id: string): Promise<void> {
    const key = `${siteId} ${id}`;
    const now = this.#clock.monotonic();
    if (now - (this.#asked.get(key) ?? Number.NEGATIVE_INFINITY) < FRESH_MS) return;
    try {
      const related: string[] = [];
      for await (const { items } of mediaPages(client, { related_to: id, sort: 'relevance', per_page: MOST_RELATED })) {
        related.push(...items.map((item) => item.id));
        if (related.length >= MOST_RELATED) break;
      }
      const others = new Set(related.filter((each) => each !== id));
      this.#mirrors.putRelated(siteId, id, [...others].slice(0, MOST_RELATED));
      this.#asked.set(key, now);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      client.logger.debug('library.related-not-read', { code: error.code });
    }
  }
}
