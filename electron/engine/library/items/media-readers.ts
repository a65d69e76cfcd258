import type { MediaQuery } from '../../../../shared/contract/library.ts';
import type { SiteClient } from '../../api/http-client.ts';
import type { Clock } from '../../ports/clock.ts';
import { createMediaReader, MAX_ROWS, type MediaReader } from './media-reader.ts';
import { listQueryOf } from './media-row.ts';

const MAX_READERS = 8;
/** An older list is read again when its top is requested. */
const FRESH_MS = 60_000;

interface Kept {
  siteId: string;
  reader: MediaReader;
  madeAt: number;
}

/** The recently used lists, one reader for each query. */
export interface MediaReaders {
  /** `collectionIds`: the collections to list; null lists all media. */
  readerFor(
    client: SiteClient,
    query: MediaQuery,
    collectionIds: readonly string[] | null,
    offset: number,
  ): MediaReader;
  forget(siteId: string): void;
}

export function createMediaReaders(clock: Clock): MediaReaders {
  /** Least recently used first. */
  const kept = new Map<string, Kept>();

  function makeRoom(): void {
    let rows = 0;
    for (const { reader } of kept.values()) rows += reader.rowCount();
    for (const [key, { reader }] of kept) {
      if (kept.size < MAX_READERS && rows <= MAX_ROWS) return;
      kept.delete(key);
      rows -= reader.rowCount();
    }
  }

  return {
    readerFor(client, query, collectionIds, offset) {
      const listQuery = listQueryOf(query, collectionIds);
      const key = JSON.stringify([query.siteId, listQuery]);
      const found = kept.get(key);
      kept.delete(key);
      const isStale = found !== undefined && offset === 0 && clock.monotonic() - found.madeAt > FRESH_MS;
      if (found !== undefined && !isStale) {
        kept.set(key, found);
        return found.reader;
      }
      makeRoom();
      const reader = createMediaReader(client, listQuery);
      kept.set(key, { siteId: query.siteId, reader, madeAt: clock.monotonic() });
      return reader;
    },
    forget(siteId) {
      for (const [key, { siteId: owner }] of kept) if (owner === siteId) kept.delete(key);
    },
  };
}
