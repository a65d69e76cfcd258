// The list with which the view of edits opens, and the state that its lists keep.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { showView, useApp } from '../../../../../../renderer/features/common/state/app-store.ts';
import {
  editGroups,
  openEdits,
  openEditsView,
  showGroup,
  showHistory,
  useEdits,
} from '../../../../../../renderer/features/edits/state/edits-store.ts';
import { startScreens } from '../../../../../../renderer/subscriptions.ts';
import type { EditGroup } from '../../../../../../shared/contract/edits.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

const TALK = { siteId: 's', entityKind: 'media' as const, entityId: 'i', name: 'Talk' };

let bridge: HeldBridge;
let end: () => void;
beforeEach(() => {
  bridge = new HeldBridge();
  Object.assign(window, { addEventListener() {}, removeEventListener() {}, innerWidth: 1280 });
  useApp.setState({ view: 'library' });
  end = startScreens();
});
afterEach(() => end());

it('the history of an item is shown when the view is mounted twice, as in development, until the user leaves the view', () => {
  showHistory(TALK);
  openEditsView();
  openEditsView();
  expect(useEdits.getState().entity).toEqual(TALK);
  showView('library');
  showView('edits');
  openEditsView();
  expect(useEdits.getState()).toMatchObject({ entity: null, tab: 'history' });
});

it('the list of groups and its selection are kept while a group is open', async () => {
  openEdits('history');
  const group = { id: 'g' } as EditGroup;
  await bridge.take('edits.groups').answer({ total: 1, groups: [group], totals: useEdits.getState().totals, sent: 0 });
  const before = editGroups.useList.getState();
  showGroup(group);
  showGroup(null);
  expect(useEdits.getState().group).toBeNull();
  expect(editGroups.useList.getState()).toBe(before);
});
