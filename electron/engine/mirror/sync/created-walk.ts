import type { MediaItem } from '../../../../shared/api/media.ts';
import { apiInstantOf, secondsOf } from '../mirror-rows.ts';
import { incompleteList, type ListedPage, listPages, type SyncTools } from './sync-tools.ts';

/** A page of a walk over the whole library in the order of creation. */
export interface CreatedPage extends ListedPage {
  /**
   * The second of creation up to which everything was listed: all items created before it are on this page or an earlier one, and
   * a later walk can start there. null: the library does not keep the order.
   */
  listedBefore: number | null;
}

/** After so many pages the walk starts a new list at the newest item: deep pages cost a library more. */
const PAGES_IN_A_LIST = 20;

/**
 * Walks over the library in the order of creation, from second `from` on (null: from the beginning). That order is
 * stable: new items come at the end. Throws `library.incomplete-list` when pages repeat.
 */
export async function* walkByCreation(tools: SyncTools, from: number | null): AsyncGenerator<CreatedPage> {
  for (let start = from; ; ) {
    // Of this list only: each list ends, and the next one begins later.
    const seen = new Set<string>();
    const order = new CreatedOrder(start);
    let pages = 0;
    let isAll = true;
    for await (const page of listFrom(tools, start)) {
      pages += 1;
      if (isRepeated(page, seen) && pages > 1) throw incompleteList('a page contains only items of earlier pages');
      order.add(page.items);
      yield { ...page, listedBefore: order.listedBefore };
      isAll = !page.hasNext;
      if (!isAll && pages >= PAGES_IN_A_LIST && order.hasAdvanced) break;
    }
    if (isAll) return;
    start = order.listedBefore;
  }
}

function listFrom(tools: SyncTools, start: number | null) {
  // Libraries may compare with > or with ≥: one second earlier, the items of second `start` are listed by both.
  const filter = start === null ? {} : { created_after: apiInstantOf(start - 1) };
  return listPages(tools, { ...filter, sort: 'created_on', order: 'asc' }, true);
}

/** Notes the items of a page; returns whether none of them is new although more pages follow. */
export function isRepeated({ items, hasNext, damaged }: ListedPage, seen: Set<string>): boolean {
  const before = seen.size;
  for (const { id } of items) seen.add(id);
  return seen.size === before && hasNext && damaged === 0;
}

/** Checks the order of the items of one list. */
class CreatedOrder {
  readonly #start: number | null;
  #newest: number | null;
  #isKept = true;

  constructor(start: number | null) {
    this.#start = start;
    this.#newest = start;
  }

  add(items: readonly MediaItem[]): void {
    for (const item of items) {
      const seconds = secondsOf(item.created_on);
      // A list may begin one second before its start.
      if (seconds === null || (this.#newest !== null && seconds < this.#newest - 1)) this.#isKept = false;
      else this.#newest = Math.max(this.#newest ?? seconds, seconds);
    }
  }

  get listedBefore(): number | null {
    return this.#isKept ? this.#newest : null;
  }

  /** Whether the list has got past one second: otherwise a new list would begin with the same items. */
  get hasAdvanced(): boolean {
    return this.listedBefore !== null && this.listedBefore !== this.#start;
  }
}
