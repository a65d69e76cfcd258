// A sign-out in the window: it asks only when data is unsent or unsaved, and changes nothing before the answer.
import { beforeEach, expect, it } from 'vitest';
import { useApp } from '../../../../../../renderer/features/common/state/app-store.ts';
import {
  confirmSignOut,
  signOut,
  staySignedIn,
  useSignOut,
} from '../../../../../../renderer/features/library/state/sign-out-store.ts';
import {
  forgetEditsOf,
  storeEdits,
  unsavedEdits,
} from '../../../../../../renderer/features/library/state/unsaved-edits.ts';
import type { Unsent } from '../../../../../../shared/contract/sites.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

const NOTHING: Unsent = {
  edits: { pending: 0, held: 0, conflict: 0, refused: 0 },
  uploads: { pending: 0, failed: 0, needsDecision: 0 },
};
const DRAFT = { title: { mine: 'Typed', base: 'Was' } };

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useApp.setState({ sites: [], siteId: 'one' });
  useSignOut.setState({ question: null });
  for (const site of ['one', 'two']) forgetEditsOf(site);
});

it('a sign-out asks nothing when nothing is unsent', async () => {
  void signOut('one');
  await bridge.take('sites.unsent').answer(NOTHING);
  expect(useSignOut.getState().question).toBeNull();
  expect(bridge.take('sites.signOut').input).toEqual({ siteId: 'one' });
});

it.each([
  ['an edit waits', { ...NOTHING, edits: { ...NOTHING.edits, pending: 1 } }],
  ['an edit is in conflict', { ...NOTHING, edits: { ...NOTHING.edits, conflict: 2 } }],
  ['an upload failed', { ...NOTHING, uploads: { ...NOTHING.uploads, failed: 1 } }],
] as const)(
  'a sign-out asks with the exact counts when %s, and continues only when the user confirms',
  async (_, unsent) => {
    void signOut('one');
    await bridge.take('sites.unsent').answer(unsent);
    expect(useSignOut.getState().question).toEqual({ ...unsent, siteId: 'one', unsaved: 0 });
    expect(bridge.waiting).toEqual([]);
    staySignedIn();
    expect(bridge.waiting).toEqual([]);
    void signOut('one');
    await bridge.take('sites.unsent').answer(unsent);
    void confirmSignOut();
    expect(bridge.take('sites.signOut').input).toEqual({ siteId: 'one' });
    expect(useSignOut.getState().question).toBeNull();
  },
);

it('a sign-out names unsaved changes of this account, and keeps them until the user confirms', async () => {
  storeEdits('one', '7', DRAFT);
  storeEdits('two', '8', DRAFT);
  void signOut('one');
  await bridge.take('sites.unsent').answer(NOTHING);
  expect(useSignOut.getState().question).toMatchObject({ unsaved: 1 });
  expect(unsavedEdits('one', '7')).toEqual(DRAFT);
  void confirmSignOut();
  await bridge.take('sites.signOut').answer(null);
  expect(unsavedEdits('one', '7')).toEqual({});
  expect(unsavedEdits('two', '8')).toEqual(DRAFT);
});

it('a sign-out is refused when the unsent work can’t be counted', async () => {
  void signOut('one');
  await bridge.take('sites.unsent').refuse('internal');
  expect(bridge.waiting).toEqual([]);
  expect(useSignOut.getState().question).toBeNull();
});
