import { useEffect, useState } from 'react';
import type { MediaRow } from '../../../shared/contract/library.ts';
import { parseQuery } from '../../../shared/model/library-query/parse-query.ts';
import { canRank } from '../../../shared/model/library-query/query-chips.ts';
import { useApp } from '../../features/common/state/app-store.ts';
import { showError } from '../../features/common/state/messages-store.ts';
import { MAX_SEARCH_LENGTH } from '../../features/library/state/query/query-store.ts';
import { type FoundCollection, searchCollections } from '../../features/library/state/tree-store.ts';
import type { ReceiptHit } from '../../features/receipts/state/receipts-store.ts';
import { delayed } from '../../kit/async/delayed.ts';
import { untilCancelled } from '../../kit/async/latest-only.ts';
import { call } from '../../kit/bridge/bridge.ts';

/** What the palette finds besides the names of commands and settings. */
export interface Finds {
  /** The text whose search has ended; what is found for a newer one is not known completely. */
  text: string;
  collections: readonly FoundCollection[];
  items: readonly MediaRow[];
  receipts: readonly ReceiptHit[];
}

const NOTHING: Finds = { text: '', collections: [], items: [], receipts: [] };
const MOST_COLLECTIONS = 20;
const MOST_ITEMS = 10;
const MOST_RECEIPTS = 5;
/** Of a single letter, a library finds nearly everything. */
const LEAST_LETTERS = 2;
/** A user who types faster starts no search with each key. */
const TYPING_MS = 80;

/**
 * Finds collections, items and uploaded files for a text. Those of the text before stay until the new ones are known; an empty text
 * finds nothing.
 */
export function useFinds(text: string): Finds {
  const siteId = useApp((state) => state.siteId);
  const [finds, setFinds] = useState(NOTHING);
  const wanted = text.trim();
  useEffect(() => {
    if (siteId === null || wanted === '') {
      setFinds(NOTHING);
      return;
    }
    const ends: (() => void)[] = [];
    let open = 3;
    const take = (part: Partial<Finds>) => {
      open -= 1;
      setFinds((before) => ({ ...before, ...part, ...(open === 0 ? { text: wanted } : {}) }));
    };
    const fail = (thrown: unknown) => {
      take({});
      showError(thrown);
    };
    const search = delayed(() => {
      ends.push(
        searchCollections(
          { siteId, text: wanted, limit: MOST_COLLECTIONS },
          (collections) => take({ collections }),
          fail,
        ),
        untilCancelled(findItems(siteId, wanted), (items) => take({ items }), fail),
        untilCancelled(findReceipts(wanted), (receipts) => take({ receipts }), fail),
      );
    }, TYPING_MS);
    search.schedule();
    return () => {
      search.cancel();
      for (const end of ends) end();
    };
  }, [siteId, wanted]);
  return finds;
}

/** The text is a search as in the list of items, with the best match first. */
async function findItems(siteId: string, text: string): Promise<MediaRow[]> {
  if (text.length < LEAST_LETTERS) return [];
  const search = text.slice(0, MAX_SEARCH_LENGTH);
  const sort = canRank(parseQuery(search).query) ? 'relevance' : 'created_on';
  const query = { siteId, search, sort } as const;
  return (await call('library.mediaWindow', { query, offset: 0, limit: MOST_ITEMS })).rows;
}

async function findReceipts(text: string): Promise<ReceiptHit[]> {
  if (text.length < LEAST_LETTERS) return [];
  return (await call('receipts.search', { text: text.slice(0, 500), limit: MOST_RECEIPTS })).rows;
}
