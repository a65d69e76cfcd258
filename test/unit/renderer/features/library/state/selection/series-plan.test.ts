// The order in which the items of a selection get the times of a series.
import { expect, it } from 'vitest';
import { mediaList } from '../../../../../../../renderer/features/library/state/media-store.ts';
import { inListOrder } from '../../../../../../../renderer/features/library/state/selection/series-plan.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

it('items are in the order of the list; those that the list no longer has come last, in the order of the selection', async () => {
  const bridge = new HeldBridge();
  mediaList.open({ siteId: 's', collectionId: null } as never);
  const ordered = inListOrder({ siteId: 's', ids: ['gone 1', 'b', 'gone 2', 'a', 'gone 3'] });
  await bridge.take('library.mediaIds').answer({ ids: ['a', 'b', 'c'] } as never);
  expect(await ordered).toEqual({ siteId: 's', ids: ['a', 'b', 'gone 1', 'gone 2', 'gone 3'] });
});
