// The window returns to the account and the collection that were open last.
import { beforeEach, expect, it, vi } from 'vitest';
import type { CollectionRow } from '../../../../../../shared/contract/library.ts';
import type { Site } from '../../../../../../shared/contract/sites.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  vi.resetModules();
  bridge = new HeldBridge();
});

/** Loads the stores again, as a new window does: only what is stored on this computer is left. */
function restart(): void {
  const stored = globalThis.localStorage;
  vi.resetModules();
  bridge = new HeldBridge();
  Object.assign(globalThis, { localStorage: stored });
}

const appStore = () => import('../../../../../../renderer/features/common/state/app-store.ts');
const treeStore = () => import('../../../../../../renderer/features/library/state/tree-store.ts');

const site = (id: string, state: Site['state'] = 'signed-in') => ({ id, state, reachable: true }) as Site;
const collection = (id: string, parentId: string | null = null) =>
  ({ id, displayName: id, parentId, childCount: 0 }) as CollectionRow;

it('shows the account that was shown last', async () => {
  const before = await appStore();
  before.takeSites([site('a'), site('b')]);
  before.showAccount('b');
  restart();
  const { takeSites, useApp } = await appStore();
  takeSites([site('a'), site('b')]);
  expect(useApp.getState().siteId).toBe('b');
});

it('shows the first account when the last one was signed out', async () => {
  const before = await appStore();
  before.takeSites([site('a'), site('b')]);
  before.showAccount('b');
  restart();
  const { takeSites, useApp } = await appStore();
  takeSites([site('a'), site('b', 'signed-out')]);
  expect(useApp.getState().siteId).toBe('a');
});

it('opens the last collection of each account, with its place in the tree', async () => {
  const before = await treeStore();
  before.openTree('a');
  before.selectCollection('7');
  before.openTree('b');
  before.selectCollection('9');
  before.selectCollection(null);
  restart();
  const { openTree, useTree } = await treeStore();
  openTree('b');
  expect(useTree.getState().selectedId).toBeNull();
  openTree('a');
  expect(useTree.getState()).toMatchObject({ selectedId: '7', focusKey: '7' });
  await bridge.take('library.collection').answer({ collection: collection('7', '3'), path: [] });
  await bridge.take('library.collection').answer({ collection: collection('3'), path: [] });
  await expect.poll(() => [...useTree.getState().expanded]).toEqual(['3']);
});

it('shows all media when the last collection is gone, unless the user opened another one meanwhile', async () => {
  const before = await treeStore();
  before.openTree('a');
  before.selectCollection('7');
  restart();
  const { openTree, selectCollection, useTree } = await treeStore();
  openTree('a');
  await bridge.take('library.collection').refuse('api.not-found');
  await expect.poll(() => useTree.getState().selectedId).toBeNull();

  selectCollection('7');
  openTree('a');
  const late = bridge.take('library.collection');
  selectCollection('8');
  await late.refuse('api.not-found');
  expect(useTree.getState().selectedId).toBe('8');
});

it('keeps the last collection while the library can’t be reached', async () => {
  const before = await treeStore();
  before.openTree('a');
  before.selectCollection('7');
  restart();
  const { openTree, useTree } = await treeStore();
  openTree('a');
  await bridge.take('library.collection').refuse('site.unreachable');
  expect(useTree.getState().selectedId).toBe('7');
});
