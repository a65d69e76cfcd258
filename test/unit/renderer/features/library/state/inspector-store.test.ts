// The inspector while other people edit the same items, and while the user moves from item to item.
import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import { type Draft, itemForm } from '../../../../../../renderer/features/library/state/inspector-draft.ts';
import {
  edit,
  inspect,
  loadDetail,
  save,
  settleConflict,
  useInspector,
} from '../../../../../../renderer/features/library/state/inspector-store.ts';
import { mediaList } from '../../../../../../renderer/features/library/state/media-store.ts';
import { stepShownItem } from '../../../../../../renderer/features/library/state/step-item.ts';
import { forgetEditsOf, unsavedEdits } from '../../../../../../renderer/features/library/state/unsaved-edits.ts';
import { mediaItemSchema } from '../../../../../../shared/api/media.ts';
import { appError } from '../../../../../../shared/contract/app-error.ts';
import type { MediaDetail, MediaRow } from '../../../../../../shared/contract/library.ts';
import { Prng } from '../../../../../helpers/data/prng.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

const NO_LIMITS = { edit: null, publish: null, delete: null, ownUntil: null };
let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useMessages.setState({ announced: null, messages: [] });
  inspect(null, null);
  forgetEditsOf('s');
});

function detail(id: string, values: Partial<Draft> = {}): MediaDetail {
  const item = mediaItemSchema.parse({ id, title: `Item ${id}`, status: 'draft', collection_id: 2, ...values });
  return { item, collectionName: null, files: [], viewUrl: null };
}

async function open(id: string, values: Partial<Draft> = {}): Promise<void> {
  inspect('s', id);
  await bridge.take('library.media').answer(detail(id, values));
  await bridge.take('library.rights').answer(NO_LIMITS);
}

async function reread(id: string, values: Partial<Draft>): Promise<void> {
  void loadDetail();
  await bridge.take('library.media').answer(detail(id, values));
}

const state = () => useInspector.getState();
const conflicts = () => itemForm.conflicts(state().values as Draft, state().edits);

describe('the inspector of an item that someone else edits', () => {
  it('sends the values that the user saw with the write', async () => {
    await open('7', { byline: 'Ada' });
    edit({ title: 'Mine', tags: ['new'] });
    const saving = save();
    const sent = bridge.take('library.updateMedia');
    expect(sent.input).toEqual({
      siteId: 's',
      mediaId: '7',
      patch: { title: 'Mine', tags: ['new'] },
      expected: { title: 'Item 7', tags: [] },
    });
    await sent.answer(detail('7', { title: 'Mine', byline: 'Ada', tags: ['new'] }));
    await saving;
    expect(state()).toMatchObject({ outcome: 'saved', edits: {}, draft: { title: 'Mine', byline: 'Ada' } });
  });

  it('asks before it overwrites a value that arrived after the start of the edit', async () => {
    await open('7');
    edit({ title: 'Mine' });
    await reread('7', { title: 'Theirs', byline: 'Theirs too' });
    expect(conflicts()).toEqual(['title']);
    expect(state().draft).toMatchObject({ title: 'Mine', byline: 'Theirs too' });
    await save();
    expect(bridge.waiting).toEqual([]);
    expect(state().problems.title).toBeDefined();
    settleConflict('title', 'mine');
    expect(conflicts()).toEqual([]);
    void save();
    const sent = bridge.take('library.updateMedia');
    expect(sent.input).toMatchObject({ patch: { title: 'Mine' }, expected: { title: 'Theirs' } });
    await sent.answer(detail('7', { title: 'Mine' }));
  });

  it('uses the library’s value when the user chooses it', async () => {
    await open('7');
    edit({ title: 'Mine', byline: 'Kept' });
    await reread('7', { title: 'Theirs' });
    settleConflict('title', 'theirs');
    expect(state()).toMatchObject({ draft: { title: 'Theirs', byline: 'Kept' } });
    expect(conflicts()).toEqual([]);
  });

  it('asks when the library reports the conflict at the write, and keeps the text', async () => {
    await open('7');
    edit({ title: 'Mine', byline: 'Saved all the same' });
    const saving = save();
    await bridge.take('library.updateMedia').refuse('edit.conflict');
    await bridge.take('library.media').answer(detail('7', { title: 'Theirs', byline: 'Saved all the same' }));
    await saving;
    expect(conflicts()).toEqual(['title']);
    expect(state()).toMatchObject({ edits: { title: { mine: 'Mine' } }, busy: null });
    expect(state().edits.byline).toBeUndefined();
  });

  it('asks nothing when both typed the same value, nor about tags, which are merged one by one', async () => {
    await open('7', { tags: ['a', 'b'] });
    edit({ title: 'Same', tags: ['b', 'c'] });
    await reread('7', { title: 'Same', tags: ['a', 'b', 'x'] });
    expect(conflicts()).toEqual([]);
    expect(state().edits.title).toBeUndefined();
    expect(state().draft?.tags).toEqual(['b', 'x', 'c']);
    void save();
    const sent = bridge.take('library.updateMedia');
    expect(sent.input).toMatchObject({ patch: { tags: ['b', 'x', 'c'] }, expected: { tags: ['a', 'b', 'x'] } });
    await sent.answer(detail('7', { title: 'Same', tags: ['b', 'x', 'c'] }));
  });
});

describe('the inspector of an item that can’t be saved', () => {
  it('keeps the text and reports that someone deleted the item', async () => {
    await open('7');
    edit({ title: 'Mine' });
    void loadDetail();
    await bridge.take('library.media').refuse('api.not-found');
    expect(state()).toMatchObject({ gone: { code: 'api.not-found' }, draft: { title: 'Mine' } });
    await save();
    expect(bridge.waiting).toEqual([]);
    // A “not found” can end, for example when a permission is restored.
    await reread('7', {});
    expect(state()).toMatchObject({ gone: null, draft: { title: 'Mine' } });
  });

  it('reports that the item is deleted when the write finds it deleted', async () => {
    await open('7');
    edit({ title: 'Mine' });
    const saving = save();
    await bridge.take('library.updateMedia').refuse('api.not-found');
    await saving;
    expect(state()).toMatchObject({ gone: { code: 'api.not-found' }, draft: { title: 'Mine' }, busy: null });
  });

  it('keeps the text when the permission was revoked in the meantime', async () => {
    await open('7');
    edit({ title: 'Mine' });
    const saving = save();
    await bridge.take('library.updateMedia').refuse('api.forbidden');
    await saving;
    expect(state()).toMatchObject({ error: { code: 'api.forbidden' }, draft: { title: 'Mine' }, outcome: null });
    // The permissions are read again.
    const refusal = appError('edit.needs-update').toData();
    await bridge.take('library.rights').answer({ ...NO_LIMITS, edit: refusal });
    expect(state().rights).toMatchObject({ edit: { code: 'edit.needs-update' } });
  });
});

describe('text that is typed while a save is in flight', () => {
  it('stays unsaved, with the saved value as the value that the user saw', async () => {
    await open('7');
    edit({ title: 'One' });
    const saving = save();
    const sent = bridge.take('library.updateMedia');
    edit({ title: 'One and two' });
    await sent.answer(detail('7', { title: 'One' }));
    await saving;
    expect(state()).toMatchObject({ edits: { title: { mine: 'One and two', base: 'One' } }, outcome: null });
    expect(conflicts()).toEqual([]);
  });

  it('stays with its item when the user left it and came back', async () => {
    await open('7');
    edit({ title: 'One' });
    const saving = save();
    const sent = bridge.take('library.updateMedia');
    await open('8');
    await open('7', { title: 'Item 7' });
    expect(state().busy).toBe('saving');
    edit({ byline: 'Later' });
    await sent.answer(detail('7', { title: 'One' }));
    await saving;
    expect(state()).toMatchObject({ busy: null, draft: { title: 'One', byline: 'Later' } });
    expect(Object.keys(state().edits)).toEqual(['byline']);
  });
});

describe('a step to the previous or next item', () => {
  const ids = Array.from({ length: 40 }, (_, index) => String(index));
  const rowOf = (id: string) => ({ id, title: `Item ${id}`, status: 'draft' }) as MediaRow;

  async function openList(): Promise<void> {
    mediaList.open({
      siteId: 's',
      collectionId: null,
      search: '',
      type: null,
      status: null,
      sort: 'title',
      order: 'asc',
    });
    await bridge.take('library.mediaWindow').answer({ total: ids.length, offset: 0, rows: ids.map(rowOf) });
  }

  it('saves the edits of the item that the user leaves, to that item, and stops at both ends', async () => {
    await openList();
    await open('0');
    edit({ title: 'First' });
    await stepShownItem(1);
    const sent = bridge.take('library.updateMedia');
    expect(sent.input).toMatchObject({ mediaId: '0', patch: { title: 'First' } });
    await sent.answer(detail('0', { title: 'First' }));
    expect([...mediaList.useList.getState().selection.ids]).toEqual(['1']);
    mediaList.select({ ids: new Set(['0']), focus: 0, anchor: 0 });
    inspect('s', '0');
    await stepShownItem(-1);
    expect([...mediaList.useList.getState().selection.ids]).toEqual(['0']);
  });

  it('never writes into another item in a random walk of 1,000 edits', async () => {
    await openList();
    const random = new Prng(20_261_122);
    const library = new Map(ids.map((id) => [id, `Item ${id}`]));
    const typed = new Map<string, string>();
    const written: string[] = [];
    const held: ReturnType<typeof bridge.take<'library.updateMedia'>>[] = [];
    const answerOne = async () => {
      const [call] = held.splice(random.int(0, Math.max(0, held.length - 1)), 1);
      if (call === undefined) return;
      const { mediaId, patch } = call.input;
      library.set(mediaId, patch.title ?? '');
      await call.answer(detail(mediaId, { title: patch.title ?? '' }));
    };
    const takeAll = async () => {
      while (bridge.waiting.includes('library.updateMedia')) {
        const call = bridge.take('library.updateMedia');
        written.push(`${call.input.mediaId} ${call.input.patch.title}`);
        held.push(call);
      }
      while (bridge.waiting.includes('library.media')) {
        const read = bridge.take('library.media');
        await read.answer(detail(read.input.mediaId, { title: library.get(read.input.mediaId) ?? '' }));
      }
    };
    const show = async (id: string) => {
      mediaList.select({ ids: new Set([id]), focus: Number(id), anchor: Number(id) });
      inspect('s', id);
      await takeAll();
    };
    await show('20');
    for (let count = 0; count < 1000; count += 1) {
      const id = state().mediaId ?? '';
      edit({ title: `${id} edited ${count}` });
      typed.set(id, `${id} edited ${count}`);
      const choice = random.int(0, 3);
      if (choice === 0) void save();
      else {
        await stepShownItem(choice === 1 ? 1 : -1);
        const [now = ''] = mediaList.useList.getState().selection.ids;
        inspect('s', now);
      }
      await takeAll();
      if (random.int(0, 2) > 0) await answerOne();
      await takeAll();
    }
    expect(held.length).toBeGreaterThan(1);
    while (held.length > 0) {
      await answerOne();
      await takeAll();
    }
    expect(written.length).toBeGreaterThan(400);
    const found = (id: string) => unsavedEdits('s', id).title?.mine ?? library.get(id);
    expect([...typed].filter(([id, title]) => found(id) !== title)).toEqual([]);
    expect(written.filter((each) => !/^(\d+) \1 edited \d+$/.test(each))).toEqual([]);
  });
});
