import { appError } from '../../../../shared/contract/app-error.ts';
import type { CallOutput } from '../../../../shared/contract/contract.ts';
import { isLocalId } from '../../../../shared/model/edits/collection-ops.ts';
import type { Accounts } from '../../account/accounts.ts';
import { getCollection } from '../../api/collections.ts';
import type { Handlers } from '../../common/handlers.ts';
import type { LibraryEdits } from '../edit-port.ts';
import { namesOnPath } from './collection-index.ts';
import { readCollectionMembers } from './collection-members.ts';
import { searchCollections } from './collection-search.ts';
import type { CollectionTrees } from './collection-trees.ts';

type TreeCall = `library.${'collections' | 'collection' | 'collectionMembers' | 'findCollections'}`;

export interface TreeHandlerTools {
  accounts: Pick<Accounts, 'clientFor' | 'list'>;
  trees: CollectionTrees;
  edits(): LibraryEdits;
}

/** The calls about the tree of collections as the user sees it. */
export function treeHandlers({ accounts, trees, edits }: TreeHandlerTools): Pick<Handlers, TreeCall> {
  return {
    async 'library.collections'({ siteId, parentId }) {
      const index = await trees.shown(siteId);
      // The tree may have been read before the library created the parent.
      const node = parentId === null ? null : (index.nodes.get(edits().idOf(parentId)) ?? index.nodes.get(parentId));
      const ids = node === null ? index.top : (node?.children ?? []);
      return ids.flatMap((each) => index.nodes.get(each)?.row ?? []);
    },

    async 'library.collection'(input): Promise<CallOutput<'library.collection'>> {
      const { siteId } = input;
      const index = await trees.shown(siteId);
      // Read after the tree: the library may have created the collection meanwhile, and the tree then has its new id.
      const collectionId = edits().idOf(input.collectionId);
      const known = index.nodes.get(collectionId);
      if (known !== undefined) return { collection: known.row, path: namesOnPath(index, collectionId) };
      // The collection was dropped before the library had it.
      if (isLocalId(collectionId)) throw appError('api.not-found', { details: { collectionId } });
      // The collection is newer than the cache, or in a part of the tree that the account cannot list.
      const found = await getCollection(accounts.clientFor(siteId), collectionId);
      const parentId = found.parent_id !== null && index.nodes.has(found.parent_id) ? found.parent_id : null;
      const collection = {
        id: found.id,
        parentId,
        displayName: found.display_name,
        slug: found.slug,
        isPodcast: found.is_podcast,
        mediaCount: found.media_count,
        mediaCountBelow: null,
        childCount: 0,
      };
      return { collection, path: [...(parentId === null ? [] : namesOnPath(index, parentId)), found.display_name] };
    },

    async 'library.collectionMembers'({ siteId, collectionId }) {
      const userId = accounts.list().find(({ id }) => id === siteId)?.userId ?? null;
      return readCollectionMembers(accounts.clientFor(siteId), edits().idOf(collectionId), userId);
    },

    async 'library.findCollections'({ siteId, text, limit }) {
      return searchCollections(await trees.shown(siteId), text, limit);
    },
  };
}
