import type { SiteClient } from '../../api/http-client.ts';
import type { Mirrors } from '../../mirror/mirrors.ts';
import type { LibraryEdits, PendingCollections } from '../edit-port.ts';
import { type CollectionCache, createCollectionCache } from './collection-cache.ts';
import { type CollectionIndex, indexOf } from './collection-index.ts';
import { withPendingCollections } from './effective-collections.ts';

/** The collections of a site: as the library has them, and with the pending edits. */
export interface Trees {
  truth: CollectionIndex;
  effective: CollectionIndex;
  /** Of the pending edits. */
  revision: PendingCollections['revision'];
}

export interface CollectionTreeTools {
  clientFor(siteId: string): SiteClient;
  mirrors: Pick<Mirrors, 'collections' | 'putCollections'>;
  edits(): LibraryEdits;
}

/** The collections of each account, cached until `forget`. */
export class CollectionTrees {
  readonly #tools: CollectionTreeTools;
  readonly #caches = new Map<string, { client: SiteClient; collections: CollectionCache }>();
  readonly #shown = new Map<string, Trees>();

  constructor(tools: CollectionTreeTools) {
    this.#tools = tools;
  }

  /** Returns the cache of an account's collections as the library has them. Throws the errors of `Accounts.clientFor`. */
  cacheOf(siteId: string): CollectionCache {
    const { clientFor, mirrors } = this.#tools;
    const client = clientFor(siteId);
    const known = this.#caches.get(siteId);
    if (known?.client === client) return known.collections;
    const collections = createCollectionCache(client, {
      read() {
        const rows = mirrors.collections(siteId);
        return rows === null ? null : indexOf(rows);
      },
      write: ({ nodes }) =>
        mirrors.putCollections(
          siteId,
          [...nodes.values()].map(({ row }) => row),
        ),
    });
    this.#caches.set(siteId, { client, collections });
    return collections;
  }

  /** Returns the tree as the library has it, and as the user sees it. */
  async both(siteId: string): Promise<Trees> {
    const truth = await this.cacheOf(siteId).index();
    const edits = this.#tools.edits();
    const pending = edits.pendingOf(siteId);
    const known = this.#shown.get(siteId);
    if (known?.truth === truth && known.revision === pending.revision) return known;
    const effective = withPendingCollections(truth, pending, (id) => edits.idOf(id));
    const both = { truth, effective, revision: pending.revision };
    this.#shown.set(siteId, both);
    return both;
  }

  /** Returns the tree as the user sees it. */
  async shown(siteId: string): Promise<CollectionIndex> {
    return (await this.both(siteId)).effective;
  }

  /** Clears the cache: the next caller reads the tree from the library again. */
  forget(siteId: string): void {
    this.#caches.get(siteId)?.collections.forget();
  }
}
