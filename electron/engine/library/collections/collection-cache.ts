import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../../shared/contract/app-error.ts';
import { isUnanswered } from '../../../../shared/contract/errors/error-catalog.ts';
import { getTreeAnswer, listCollections, parseCollectionTree } from '../../api/collections.ts';
import type { SiteClient } from '../../api/http-client.ts';
import { type CollectionIndex, entriesOfTree, entryOfList, indexOf, type StoredEntry } from './collection-index.ts';

/** The collections of one site, fetched once and cached until they are invalidated. */
export interface CollectionCache {
  /** Concurrent callers share one fetch. A failure is not cached. */
  index(): Promise<CollectionIndex>;
  /** Returns the cached collections without a request. */
  peek(): CollectionIndex | null;
  /** Returns the cached collections, otherwise this computer's copy, without a request. */
  stored(): CollectionIndex | null;
  forget(): void;
}

/** This computer's copy of the collections. */
export interface StoredCollections {
  /** Returns the copy, used while the library can't be reached. null: there is no complete copy. */
  read(): CollectionIndex | null;
  /** Called with the fetched collections, so that lists of subcollections use the same tree. */
  write(index: CollectionIndex): void;
}

const NO_COPY: StoredCollections = { read: () => null, write: () => {} };

export function createCollectionCache(client: SiteClient, copy: StoredCollections = NO_COPY): CollectionCache {
  let fetching: Promise<CollectionIndex> | null = null;
  let known: CollectionIndex | null = null;
  return {
    index() {
      if (fetching !== null) return fetching;
      const mine: Promise<CollectionIndex> = fetchIndex(client).then(
        (index) => {
          if (fetching === mine) {
            known = index;
            copy.write(index);
          }
          return index;
        },
        (error: unknown) => {
          if (fetching === mine) fetching = null;
          const copied = hasNoAnswer(error) ? copy.read() : null;
          if (copied === null) throw error;
          return copied;
        },
      );
      fetching = mine;
      return mine;
    },
    peek: () => known,
    stored: () => known ?? copy.read(),
    forget() {
      fetching = null;
      known = null;
    },
  };
}

/** Returns whether an error means that the library gives no answer now. */
export function hasNoAnswer(error: unknown): boolean {
  return error instanceof AppError && isUnanswered(error.code);
}

/** Fetches the tree with one request; if that fails or is unreadable, the flat list contains the same in pages. */
export async function fetchIndex(client: SiteClient, signal?: AbortSignal): Promise<CollectionIndex> {
  return indexOf((await fetchChanged(client, null, signal)).entries ?? []);
}

/**
 * Fetches the collections like `fetchIndex`, as the library sends them: `forestOf` makes them consistent. `known`: the digest of the answer that was read last.
 * `entries` is null when the answer is the same: parsing and comparing 10,000 collections takes longer than the request. `digest`
 * null: the tree could not be read.
 */
export async function fetchChanged(
  client: SiteClient,
  known: string | null,
  signal?: AbortSignal,
): Promise<{ entries: StoredEntry[] | null; digest: string | null }> {
  try {
    const { tree, digest } = await readTree(client, known, signal);
    if (tree === null) return { entries: null, digest };
    // Other work of the thread runs between the parts.
    await nextTurn();
    return { entries: await inParts(entriesOfTree(tree)), digest };
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('api.')) throw error;
    client.logger.warn('library.tree-unusable', { code: error.code });
  }
  const entries: StoredEntry[] = [];
  for await (const collection of listCollections(client, {}, signal)) entries.push(entryOfList(collection));
  return { entries, digest: null };
}

/** The collections that are read without a break: about 10 ms. */
const ENTRIES_PER_PART = 2000;

async function inParts(entries: Iterable<StoredEntry>): Promise<StoredEntry[]> {
  const read: StoredEntry[] = [];
  for (const entry of entries) {
    read.push(entry);
    if (read.length % ENTRIES_PER_PART === 0) await nextTurn();
  }
  return read;
}

/** Returns the nodes of the tree, or null for the one of the digest. The text is not kept: with 100,000 collections it has 25 MiB. */
async function readTree(client: SiteClient, known: string | null, signal: AbortSignal | undefined) {
  const answer = await getTreeAnswer(client, { media_count: 'all' }, signal);
  const digest = createHash('sha256').update(answer.body).digest('hex');
  return { tree: digest === known ? null : parseCollectionTree(answer), digest };
}
