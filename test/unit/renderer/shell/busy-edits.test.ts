import { expect, it } from 'vitest';
import { busyEditsSentence } from '../../../../renderer/shell/upload-strip-text.ts';
import { editGroup } from '../../../helpers/data/edit-groups.ts';

it('the strip says how many edits are sent, and how many are left of those that an undo drops', () => {
  const sending = editGroup({ items: 10_000, counts: { pending: 9_400, done: 600 } });
  expect(busyEditsSentence([sending], 9_400)).toBe('Saving edits: 600 of 10,000');
  expect(busyEditsSentence([{ ...sending, undoneAt: 1 }], 9_400)).toBe('Undoing edits: 9,400 left');
});
