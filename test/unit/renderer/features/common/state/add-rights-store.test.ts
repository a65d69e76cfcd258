// Files are not offered to a collection to which the account can't add items.
import { beforeEach, expect, it } from 'vitest';
import { mayOfferFiles } from '../../../../../../renderer/features/common/state/add-rights-store.ts';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import { chooseTarget, openAddSheet, useAdd } from '../../../../../../renderer/features/uploads/state/add-store.ts';
import { addUploads } from '../../../../../../renderer/features/uploads/state/add-uploads.ts';
import { appError } from '../../../../../../shared/contract/app-error.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

const REFUSAL = appError('upload.needs-create').toData();

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ messages: [] });
});

it('a refused collection is named with the reason, and an allowed or unknown one is not', async () => {
  const refused = mayOfferFiles('s', 'c');
  await bridge.take('library.rightToAdd').answer(REFUSAL);
  expect(await refused).toBe(false);
  expect(useMessages.getState().messages).toMatchObject([{ tone: 'bad', text: REFUSAL.message }]);
  const allowed = mayOfferFiles('s', 'd');
  await bridge.take('library.rightToAdd').answer(null);
  expect(await allowed).toBe(true);
  const unknown = mayOfferFiles('s', 'e');
  await bridge.take('library.rightToAdd').refuse('network.unreachable');
  expect(await unknown).toBe(true);
  expect(await mayOfferFiles('s', null)).toBe(true);
});

it('the sheet shows the reason when a refused collection is chosen, and adds nothing to it', async () => {
  openAddSheet('s', 'd', ['/one']);
  chooseTarget('f');
  await bridge.take('library.rightToAdd').answer(REFUSAL);
  expect(useAdd.getState().error).toMatchObject({ code: 'upload.needs-create' });
  expect(await addUploads({} as never)).toBe(false);
  expect(bridge.waiting.some((name) => name === 'uploads.add')).toBe(false);
});
