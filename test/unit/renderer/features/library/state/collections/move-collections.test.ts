import { expect, it } from 'vitest';
import { moveCollections } from '../../../../../../../renderer/features/library/state/collections/collection-commands.ts';
import { useTree } from '../../../../../../../renderer/features/library/state/tree-store.ts';
import type { CollectionRow } from '../../../../../../../shared/contract/library.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

it('a move names the parent that the tree shows, so that a move by someone else is not overwritten', async () => {
  const bridge = new HeldBridge();
  const row = (id: string, parentId: string | null) =>
    [id, { id, parentId, displayName: id } as CollectionRow] as const;
  // A move of a collection without a parent here expects no parent: it can be below one that the account does not see.
  useTree.setState({ siteId: 's', rows: new Map([row('top', null), row('a', 'top'), row('target', 'top')]) });
  void moveCollections(['a'], 'target');
  await new Promise((resolve) => setImmediate(resolve));
  expect(bridge.take('library.moveCollections').input).toEqual({
    siteId: 's',
    moves: [{ collectionId: 'a', newParentId: 'target', expectedParentId: 'top' }],
  });
  useTree.setState({ rows: new Map([row('top', null), row('other', null)]) });
  void moveCollections(['other'], 'top');
  await new Promise((resolve) => setImmediate(resolve));
  expect(bridge.take('library.moveCollections').input.moves).toEqual([{ collectionId: 'other', newParentId: 'top' }]);
});
