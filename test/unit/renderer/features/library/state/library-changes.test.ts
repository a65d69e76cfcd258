// The display of the library after its state changed outside the window: errors end, and the page of a new collection stays open.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useApp } from '../../../../../../renderer/features/common/state/app-store.ts';
import { inspect, useInspector } from '../../../../../../renderer/features/library/state/inspector-store.ts';
import { mediaList } from '../../../../../../renderer/features/library/state/media-store.ts';
import { useSync } from '../../../../../../renderer/features/library/state/sync-store.ts';
import { TOP } from '../../../../../../renderer/features/library/state/tree-model.ts';
import {
  filterTree,
  loadBranch,
  openTree,
  selectCollection,
  useTree,
} from '../../../../../../renderer/features/library/state/tree-store.ts';
import { startScreens } from '../../../../../../renderer/subscriptions.ts';
import type { EventData, EventName } from '../../../../../../shared/contract/contract.ts';
import type { CollectionRow } from '../../../../../../shared/contract/library.ts';
import type { SyncStatus } from '../../../../../../shared/contract/library-sync.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
let end: () => void;

beforeEach(() => {
  bridge = new HeldBridge();
  Object.assign(window, { addEventListener() {}, removeEventListener() {}, innerWidth: 1280 });
  useApp.setState({ view: 'library', siteId: 'a' });
  useSync.setState({ bySite: { a: passAt(1) } });
  end = startScreens();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  end();
  vi.useRealTimers();
  openTree(null);
  mediaList.open(null);
  inspect(null, null);
  useApp.setState({ siteId: null });
});

const passAt = (syncedAt: number, error: SyncStatus['error'] = null): SyncStatus => ({
  siteId: 'a',
  phase: 'ready',
  isRunning: false,
  items: 1,
  total: null,
  syncedAt,
  error,
  vanished: 0,
});

/** Sends an event of the engine, and waits until the screens have reacted. */
function send<E extends EventName>(name: E, data: EventData<E>): void {
  bridge.send(name, data);
  vi.advanceTimersByTime(1_000);
}

const collection = (id: string, childCount = 0) =>
  ({ id, displayName: id, parentId: null, childCount }) as CollectionRow;

async function failTree(): Promise<void> {
  openTree('a');
  await bridge.take('library.collections').answer([collection('one', 1), collection('two')]);
  void loadBranch('one');
  await bridge.take('library.collections').refuse('api.server-error');
  expect(useTree.getState().branches.get('one')).toMatchObject({ kind: 'error' });
}

it('a collection that could not be loaded is loaded after the next complete pass', async () => {
  await failTree();
  send('onDidChangeSync', passAt(2));
  await bridge.takeOf('library.collections', ({ parentId }) => parentId === 'one').answer([collection('below')]);
  expect(useTree.getState().branches.get('one')).toEqual({ kind: 'ready', ids: ['below'] });
});

it('a collection that could not be loaded is loaded again when one of its edits changes', async () => {
  await failTree();
  const entities = [{ siteId: 'a', entityKind: 'collection' as const, entityId: 'one' }];
  const totals = { pending: 0, held: 0, conflict: 0, refused: 0 };
  send('onDidChangeEdits', { groups: [], totals, sent: 0, entities });
  // The error stays visible until the answer arrives.
  expect(useTree.getState().branches.get('one')).toMatchObject({ kind: 'error' });
  await bridge.takeOf('library.collections', ({ parentId }) => parentId === 'one').answer([]);
  expect(useTree.getState().branches.get('one')).toEqual({ kind: 'ready', ids: [] });
});

it('a tree, a search, a list and an item that could not be loaded are loaded after the next complete pass', async () => {
  openTree('a');
  await bridge.take('library.collections').refuse('api.server-error');
  void filterTree('talk');
  await bridge.take('library.findCollections').refuse('api.server-error');
  await bridge.take('library.mediaWindow').refuse('api.server-error');
  inspect('a', '7');
  await bridge.take('library.media').refuse('api.server-error');
  expect(useInspector.getState().loadError).not.toBeNull();
  send('onDidChangeSync', passAt(2));
  await bridge.take('library.collections').answer([]);
  await bridge.take('library.findCollections').answer([]);
  await bridge.take('library.mediaWindow').answer({ total: 0, offset: 0, rows: [] });
  expect(bridge.take('library.media').input).toEqual({ siteId: 'a', mediaId: '7' });
  expect(useTree.getState()).toMatchObject({ findError: null });
  expect(useTree.getState().branches.get(TOP)).toEqual({ kind: 'ready', ids: [] });
  expect(mediaList.useList.getState().error).toBeNull();
});

it('a pass causes no request when no error is shown, when the pass failed, or when it synced another library', async () => {
  openTree('a');
  await bridge.take('library.collections').answer([]);
  await bridge.take('library.mediaWindow').answer({ total: 0, offset: 0, rows: [] });
  const before = bridge.waiting;
  send('onDidChangeSync', passAt(2));
  expect(bridge.waiting).toEqual(before);
  await failTree();
  const failed = bridge.waiting;
  send('onDidChangeSync', { ...passAt(3), siteId: 'b' });
  send('onDidChangeSync', passAt(2, { code: 'api.server-error', message: '', nextStep: null, details: null }));
  expect(bridge.waiting).toEqual(failed);
});

describe('the page of a collection that was created on this computer', () => {
  const LOCAL = 'local:1';
  const totals = { pending: 0, held: 0, conflict: 0, refused: 0 };
  const entities = [{ siteId: 'a', entityKind: 'collection' as const, entityId: LOCAL }];

  beforeEach(async () => {
    openTree('a');
    await bridge.take('library.collections').answer([collection('one', 1), collection('two')]);
    useTree.setState(({ rows }) => ({ rows: new Map(rows).set(LOCAL, { ...collection(LOCAL), parentId: 'one' }) }));
    selectCollection(LOCAL);
    send('onDidChangeEdits', { groups: [], totals, sent: 0, entities });
  });
  const read = () => bridge.takeOf('library.collection', ({ collectionId }) => collectionId === LOCAL);

  it('stays while it waits for the library', async () => {
    await read().answer({ collection: { ...collection(LOCAL), parentId: 'one' }, path: [] });
    expect(useTree.getState().selectedId).toBe(LOCAL);
  });

  it('gets the id and the items of the library’s collection when the creation was sent', async () => {
    await read().answer({ collection: { ...collection('57'), parentId: 'one' }, path: [] });
    expect(useTree.getState().selectedId).toBe('57');
    expect(mediaList.useList.getState().query?.collectionId).toBe('57');
  });

  it('is replaced by the page of its parent when its creation was dropped', async () => {
    await read().refuse('api.not-found');
    expect(useTree.getState().selectedId).toBe('one');
  });

  it('stays when the library can’t be reached, and when another collection was opened meanwhile', async () => {
    await read().refuse('network.unreachable');
    expect(useTree.getState().selectedId).toBe(LOCAL);
    send('onDidChangeEdits', { groups: [], totals, sent: 0, entities });
    selectCollection('two');
    await read().answer({ collection: collection('57'), path: [] });
    expect(useTree.getState().selectedId).toBe('two');
  });
});

describe('the page of a collection that is no longer where the tree showed it', () => {
  const top = () => bridge.takeOf('library.collections', ({ parentId }) => parentId === null);
  const read = (id: string) => bridge.takeOf('library.collection', ({ collectionId }) => collectionId === id);

  beforeEach(async () => {
    openTree('a');
    selectCollection(null);
    openTree('a');
    bridge.takeOf('library.collections', ({ parentId }) => parentId === null);
    await top().answer([collection('one', 1), collection('two')]);
    void loadBranch('one');
    await bridge
      .takeOf('library.collections', ({ parentId }) => parentId === 'one')
      .answer([{ ...collection('below'), parentId: 'one' }]);
    selectCollection('below');
    void loadBranch('one');
  });
  const missing = () => bridge.takeOf('library.collections', ({ parentId }) => parentId === 'one').answer([]);

  it('is replaced by the page of the nearest collection above it that exists when it was deleted', async () => {
    await missing();
    await read('below').refuse('api.not-found');
    await read('one').refuse('api.not-found');
    expect(useTree.getState().selectedId).toBeNull();
  });

  it('is replaced when it was the only one below its parent', async () => {
    void loadBranch(TOP);
    await top().answer([collection('one'), collection('two')]);
    // The branch is loaded although its collection has no children any more.
    await missing();
    await missing();
    await read('below').refuse('api.not-found');
    expect(useTree.getState().selectedId).toBe('one');
  });

  it('stays when it was moved', async () => {
    await missing();
    await read('below').answer({ collection: { ...collection('below'), parentId: 'two' }, path: [] });
    expect(useTree.getState().selectedId).toBe('below');
    expect(useTree.getState().rows.get('below')).toMatchObject({ parentId: 'two' });
  });
});

it('the shown item is read again when its edits changed, which may change nothing in the library', async () => {
  const totals = { pending: 0, held: 0, conflict: 0, refused: 0 };
  const change = (entityId: string, siteId = 'a') =>
    send('onDidChangeEdits', { groups: [], totals, sent: 0, entities: [{ siteId, entityKind: 'media', entityId }] });
  const reads = () => bridge.waiting.filter((name) => name === 'library.media').length;
  inspect('a', '7');
  await bridge.take('library.media').refuse('network.unreachable');
  useInspector.setState({ loadError: null });
  change('8');
  change('7', 'b');
  expect(reads()).toBe(0);
  change('7');
  expect(reads()).toBe(1);
});
