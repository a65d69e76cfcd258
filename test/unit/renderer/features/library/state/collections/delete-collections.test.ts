import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../../renderer/features/common/state/messages-store.ts';
import {
  deleteCollections,
  useCollectionDeletion,
} from '../../../../../../../renderer/features/library/state/collections/delete-collections.ts';
import { useTree } from '../../../../../../../renderer/features/library/state/tree-store.ts';
import { appError } from '../../../../../../../shared/contract/app-error.ts';
import type { CollectionsDeleted } from '../../../../../../../shared/contract/collections.ts';
import type { CollectionRow } from '../../../../../../../shared/contract/library.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
const PLAN = {
  collections: 4,
  collectionIds: ['a', 'below-a', 'b', 'c'],
  items: 7,
  files: 7,
  podcasts: 0,
  forbidden: [],
};
const RESULT: CollectionsDeleted = { deleted: [], deletedItems: 0, failed: [], isStopped: false };

beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
  const row = (id: string, parentId: string) => [id, { id, parentId, displayName: id } as CollectionRow] as const;
  const rows = new Map([row('a', 'top'), row('below-a', 'a'), row('b', 'top'), row('c', 'top')]);
  useTree.setState({ siteId: 's', rows, selectedId: null });
});

async function deleteAll(result: CollectionsDeleted) {
  const deleting = deleteCollections('s', ['a', 'below-a', 'b', 'c'], 'a', PLAN);
  await bridge.take('library.deleteCollections').answer(result);
  return deleting;
}

describe('a deletion of several collections', () => {
  it('returns the remaining collections when it is stopped, so that only these are counted again', async () => {
    expect(await deleteAll({ ...RESULT, deleted: ['a'], deletedItems: 3, isStopped: true })).toEqual({
      kind: 'left',
      left: ['b', 'c'],
      error: null,
      deleted: { collections: 1, items: 3 },
      isStopped: true,
    });
    expect(useCollectionDeletion.getState().progress).toBeNull();
  });

  it('returns the failed collection with its error when the others were deleted', async () => {
    const error = appError('api.forbidden').toData();
    const failed = [{ collectionId: 'b', displayName: 'b', error }];
    expect(await deleteAll({ ...RESULT, deleted: ['a', 'c'], deletedItems: 1, failed })).toMatchObject({
      kind: 'left',
      left: ['b'],
      error,
      deleted: { collections: 2, items: 1 },
    });
  });

  it('is complete when it is stopped after the last collection', async () => {
    expect(await deleteAll({ ...RESULT, deleted: ['a', 'b', 'c'], deletedItems: 7, isStopped: true })).toEqual({
      kind: 'done',
    });
  });

  it('keeps all collections when the call is refused', async () => {
    const deleting = deleteCollections('s', ['a', 'b'], 'a', PLAN);
    await bridge.take('library.deleteCollections').refuse('collection.grew');
    expect(await deleting).toMatchObject({ kind: 'left', left: ['a', 'b'], error: { code: 'collection.grew' } });
  });
});
