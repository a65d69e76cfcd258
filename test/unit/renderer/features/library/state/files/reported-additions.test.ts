import { expect, it } from 'vitest';
import { useMessages } from '../../../../../../../renderer/features/common/state/messages-store.ts';
import { report } from '../../../../../../../renderer/features/library/state/files/file-commands.ts';
import { HeldBridge } from '../../../../../../helpers/desktop/held-bridge.ts';

it('the announcement of an added file names what gets it: an item, or a collection its thumbnail', () => {
  new HeldBridge();
  const announced = () => useMessages.getState().announced?.sentence;
  const batch = { added: 1, skipped: [] } as unknown as Parameters<typeof report>[0];
  void report(batch);
  expect(announced()).toBe('Adding 1 file to the item.');
  void report(batch, 'collection');
  expect(announced()).toBe('Adding 1 file to the collection.');
});
