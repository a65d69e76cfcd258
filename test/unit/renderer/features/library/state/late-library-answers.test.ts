// Answers of the library that arrive late, in another order, or after the user opened another item, collection or library.
import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import { deleteInspected, publish } from '../../../../../../renderer/features/library/state/inspector-commands.ts';
import {
  edit,
  inspect,
  loadDetail,
  save,
  useInspector,
} from '../../../../../../renderer/features/library/state/inspector-store.ts';
import { mediaList } from '../../../../../../renderer/features/library/state/media-store.ts';
import { TOP } from '../../../../../../renderer/features/library/state/tree-model.ts';
import {
  filterTree,
  loadBranch,
  openTree,
  reloadTree,
  useTree,
} from '../../../../../../renderer/features/library/state/tree-store.ts';
import { mediaItemSchema } from '../../../../../../shared/api/media.ts';
import type { CollectionRow, MediaDetail, MediaRow } from '../../../../../../shared/contract/library.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
});

const messages = () => useMessages.getState().messages.map(({ text }) => text);

const collection = (id: string) => ({ id, displayName: id, parentId: null, childCount: 0 }) as CollectionRow;

const detail = (title: string): MediaDetail => ({
  item: mediaItemSchema.parse({ id: 7, title, status: 'draft', collection_id: 2 }),
  collectionName: null,
  files: [],
  viewUrl: null,
});

describe('the inspector, when two libraries have items with the same id', () => {
  const shown = () => useInspector.getState().detail?.item.title;

  beforeEach(() => inspect(null, null));

  it('shows the item of the open library when the answer of the other library arrives last', async () => {
    inspect('a', '7');
    const ofA = bridge.take('library.media');
    inspect('b', '7');
    const ofB = bridge.take('library.media');
    await ofB.answer(detail('of B'));
    await ofA.answer(detail('of A'));
    expect(shown()).toBe('of B');
  });

  it('shows no error when the request of the other library fails', async () => {
    inspect('a', '7');
    const ofA = bridge.take('library.media');
    inspect('b', '7');
    await ofA.refuse('site.unreachable');
    expect(useInspector.getState()).toMatchObject({ loadError: null, error: null });
  });

  it('keeps the shown item and its edits when a command of the other library ends', async () => {
    inspect('a', '7');
    await bridge.take('library.media').answer(detail('of A'));
    edit({ title: 'of A, edited' });
    const saving = save();
    inspect('b', '7');
    await bridge.take('library.media').answer(detail('of B'));
    edit({ title: 'of B, edited' });
    await bridge.take('library.updateMedia').answer(detail('of A, edited'));
    await saving;
    expect(useInspector.getState()).toMatchObject({ busy: null, draft: { title: 'of B, edited' } });
    expect(shown()).toBe('of B');
  });

  it('reports an error in a message when the item of the failed command is no longer shown', async () => {
    inspect('a', '7');
    const publishing = publish(null);
    inspect('b', '7');
    await bridge.take('library.publishMedia').refuse('api.read-only');
    await publishing;
    expect(useInspector.getState().error).toBeNull();
    expect(messages()).toHaveLength(1);
  });

  it('announces the state in the answer when an item was published', async () => {
    inspect('a', '7');
    const publishing = publish(null);
    expect(bridge.take('library.media').input).toEqual({ siteId: 'a', mediaId: '7' });
    const answer = detail('Show');
    const item = { ...answer.item, title: 'Show', status: 'published', publish_on: '2026-01-01T10:00:00Z' };
    await bridge.take('library.publishMedia').answer({ ...answer, item });
    await publishing;
    expect(useInspector.getState().detail?.item).toMatchObject({ status: 'published', publish_on: item.publish_on });
    expect(useMessages.getState().announced?.sentence).toBe('“Show” is published.');
    expect(useMessages.getState().messages).toMatchObject([{ tone: 'good', text: '“Show” is published.' }]);
  });

  it('changes no row of the open list when an item of the other library was published', async () => {
    const row = { id: '7', title: 'of B', status: 'draft' } as MediaRow;
    inspect('a', '7');
    const publishing = publish(null);
    const query = { siteId: 'b', collectionId: null, search: '', type: null, status: null } as const;
    mediaList.open({ ...query, sort: 'created_on', order: 'desc' });
    await bridge.take('library.mediaWindow').answer({ total: 1, offset: 0, rows: [row] });
    const answer = detail('of A');
    await bridge.take('library.publishMedia').answer({ ...answer, item: { ...answer.item, status: 'published' } });
    await publishing;
    expect(mediaList.rowAt(0)?.status).toBe('draft');
  });

  it('does not report a deletion as one of the shown item when another item was opened meanwhile', async () => {
    inspect('a', '7');
    const deleting = deleteInspected();
    inspect('b', '7');
    await bridge.take('library.deleteMedia').answer(null);
    expect(await deleting).toBe(false);
  });

  it('keeps the answer of a command when a read from before it arrives last', async () => {
    inspect('a', '7');
    await bridge.take('library.media').answer(detail('before'));
    void loadDetail();
    const old = bridge.take('library.media');
    edit({ title: 'after' });
    const saving = save();
    await bridge.take('library.updateMedia').answer(detail('after'));
    await saving;
    await old.answer(detail('before'));
    expect(shown()).toBe('after');
  });
});

describe('a search for collections', () => {
  it('shows its error, and is repeated when the tree is loaded again', async () => {
    openTree('s');
    void filterTree('optics');
    await bridge.take('library.findCollections').refuse('site.unreachable');
    expect(useTree.getState()).toMatchObject({ found: [], findError: { code: 'site.unreachable' } });
    reloadTree();
    await bridge.take('library.findCollections').answer([]);
    expect(useTree.getState()).toMatchObject({ found: [], findError: null });
  });

  it('shows no result for an earlier text when its answer arrives last', async () => {
    openTree('s');
    void filterTree('op');
    void filterTree('optics');
    const [earlier, later] = [bridge.take('library.findCollections'), bridge.take('library.findCollections')];
    await later.answer([{ collection: collection('optics'), path: [] }]);
    await earlier.answer([{ collection: collection('opera'), path: [] }]);
    expect(useTree.getState().found?.map(({ collection: { id } }) => id)).toEqual(['optics']);
  });

  it('shows the tree when the text was cleared before the answer arrived', async () => {
    openTree('s');
    void filterTree('op');
    void filterTree('');
    await bridge.take('library.findCollections').answer([{ collection: collection('opera'), path: [] }]);
    expect(useTree.getState().found).toBeNull();
  });
});

describe('a branch of the tree that is loaded twice at the same time', () => {
  const children = () => useTree.getState().branches.get(TOP);

  /** Loads the top of a site twice, and answers the later load. Returns the earlier load, which has no answer yet. */
  async function loadTwice() {
    openTree('s');
    void loadBranch(TOP);
    const [earlier, later] = [bridge.take('library.collections'), bridge.take('library.collections')];
    await later.answer([collection('x'), collection('y')]);
    return earlier;
  }

  it('keeps the children of the later load when the earlier answer arrives last', async () => {
    const earlier = await loadTwice();
    await earlier.answer([collection('x')]);
    expect(children()).toEqual({ kind: 'ready', ids: ['x', 'y'] });
  });

  it('keeps the children of the later load when the earlier load fails', async () => {
    const earlier = await loadTwice();
    await earlier.refuse('site.unreachable');
    expect(children()).toEqual({ kind: 'ready', ids: ['x', 'y'] });
  });

  it('ignores answers from before the same site was opened again', async () => {
    openTree('s');
    const earlier = bridge.take('library.collections');
    openTree(null);
    openTree('s');
    await earlier.answer([collection('x')]);
    expect(children()).toEqual({ kind: 'loading' });
  });
});
