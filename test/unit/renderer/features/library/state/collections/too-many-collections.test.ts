import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../../renderer/features/common/state/messages-store.ts';
import { moveCollections } from '../../../../../../../renderer/features/library/state/collections/collection-commands.ts';
import {
  openCollectionDialog,
  useCollections,
} from '../../../../../../../renderer/features/library/state/collections/collections-store.ts';
import { useTree } from '../../../../../../../renderer/features/library/state/tree-store.ts';
import { CALLS } from '../../../../../../../shared/contract/contract.ts';
import type { CollectionRow } from '../../../../../../../shared/contract/library.ts';
import { MAX_COLLECTIONS_PER_CHANGE } from '../../../../../../../shared/model/collection-limit.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
const ids = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
const messages = () => useMessages.getState().messages;

beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
  useCollections.setState({ dialog: null });
  const row = (id: string) => [id, { id, parentId: 'top', displayName: id } as CollectionRow] as const;
  useTree.setState({ siteId: 's', rows: new Map([...ids(MAX_COLLECTIONS_PER_CHANGE + 1), 'target'].map(row)) });
});

describe('a move or a deletion of collections', () => {
  it.each(['move', 'delete'] as const)('opens the dialog to %s for as many as one call accepts', (kind) => {
    const collectionIds = ids(MAX_COLLECTIONS_PER_CHANGE);
    openCollectionDialog({ kind, collectionIds });
    expect(useCollections.getState().dialog).toEqual({ kind, collectionIds });
    expect(CALLS['library.planDeletion'].input.safeParse({ siteId: 's', collectionIds }).success).toBe(true);
    expect(messages()).toEqual([]);
  });

  it.each(['move', 'delete'] as const)(
    'names the limit instead of opening the dialog to %s when there are more',
    (kind) => {
      const collectionIds = ids(MAX_COLLECTIONS_PER_CHANGE + 1);
      openCollectionDialog({ kind, collectionIds });
      expect(useCollections.getState().dialog).toBeNull();
      expect(messages()).toMatchObject([
        {
          tone: 'bad',
          text: 'You selected 1,001 collections. You can move or delete up to 1,000 at a time.',
          nextStep: 'Select fewer, or select the collection that contains them.',
        },
      ]);
    },
  );

  it('names the limit and moves nothing when more are dragged', async () => {
    expect(await moveCollections(ids(MAX_COLLECTIONS_PER_CHANGE + 1), 'target')).toBe(false);
    expect(bridge.waiting).toEqual([]);
    expect(messages()).toMatchObject([{ tone: 'bad' }]);
  });
});
