// The numbers of items beside the tags of the library.
import { beforeEach, expect, it } from 'vitest';
import { useAdmin } from '../../../../../renderer/features/admin/state/admin-store.ts';
import { tagList } from '../../../../../renderer/features/admin/state/tag-list.ts';
import { texts } from '../../../../../renderer/features/admin/tags/texts.ts';
import type { CallOutput } from '../../../../../shared/contract/contract.ts';
import { HeldBridge } from '../../../../helpers/desktop/held-bridge.ts';

type SyncStatus = CallOutput<'library.syncStatus'>;

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useAdmin.setState(({ changes }) => ({ siteId: 's', changes: changes + 1 }));
});

async function countsWith(phase: SyncStatus['phase']) {
  tagList.open({ siteId: 's', text: '', isSimilar: false });
  await bridge.take('library.syncStatus').answer({ phase } as SyncStatus);
  await bridge.take('admin.tags').answer([
    { id: '1', name: 'optics' },
    { id: '2', name: 'zoo' },
  ]);
  await bridge.take('library.values').answer([{ value: 'Optics', items: 3 }]);
  await expect.poll(() => tagList.rowAt(1)).toBeDefined();
  return [tagList.rowAt(0)?.items, tagList.rowAt(1)?.items];
}

it('are 0 for a tag of no item, once this computer has a complete copy of the library', async () => {
  expect(await countsWith('ready')).toEqual([3, 0]);
});

it('are not known for a tag that an incomplete copy has on no item', async () => {
  expect(await countsWith('first-sync')).toEqual([3, null]);
});

it('the question before a deletion speaks of one tag or of several', () => {
  expect(texts.deletion.text(1)).toBe('The tag is also removed from its items. This can’t be undone.');
  expect(texts.deletion.text(2)).toBe('The tags are also removed from their items. This can’t be undone.');
});
