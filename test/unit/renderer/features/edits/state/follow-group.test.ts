import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import { undoChange, useRedos, useUndos } from '../../../../../../renderer/features/common/state/undos.ts';
import { followGroup, takeFollowed, undoGroup } from '../../../../../../renderer/features/edits/state/follow-group.ts';
import { groupOutcome } from '../../../../../../renderer/features/edits/state/group-outcome.ts';
import { appError } from '../../../../../../shared/contract/app-error.ts';
import type { EditGroup } from '../../../../../../shared/contract/edits.ts';
import { editGroup } from '../../../../../helpers/data/edit-groups.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
let settled: number;
beforeEach(() => {
  bridge = new HeldBridge();
  settled = 0;
  useMessages.setState({ announced: null, messages: [] });
  useUndos.setState({ undos: [] });
  useRedos.setState({ redos: [] });
});

const about = { kind: 'collection' as const, onSettled: () => (settled += 1) };
const group = (id: string, counts: Partial<EditGroup['counts']>, more: Partial<Omit<EditGroup, 'counts'>> = {}) =>
  editGroup({ id, counts, ...more });

const messages = () => useMessages.getState().messages.length;

describe('the outcome of a group', () => {
  it.each<[Partial<EditGroup>, string]>([
    [{ change: { collectionId: '7' } }, 'Moved 1 item.'],
    [{ change: { publication: { kind: 'now' } } }, 'Published 1 item.'],
    [{ change: { publication: { kind: 'at', at: '2031-05-06T09:00:00Z' } } }, 'Scheduled 1 item.'],
    [{ change: { publication: { kind: 'unpublish' } } }, 'Unpublished 1 item.'],
    [{ change: { tags: { kind: 'replace', tags: ['raw'] } } }, 'Changed the tags of 1 item.'],
    [{ change: { files: { delete: [], embed: null } } }, 'Changed the files of 1 item.'],
    [{ change: { delete: true } }, 'Deleted 1 item.'],
    [{ change: { collectionId: '7', tags: { kind: 'replace', tags: [] } } }, 'Changed 1 item.'],
    [{ change: null }, 'Changed 1 item.'],
    [{ change: null, undoes: 'a' }, 'Restored 1 item.'],
    [{ change: null, undoes: 'a', fields: ['item'] }, 'Deleted 1 item.'],
  ])('names the act: %j', (more, sentence) => {
    expect(groupOutcome(group('a', { done: 1 }, more), 'item').sentence).toBe(sentence);
  });

  it('names the act for collections, and how many of them', () => {
    const moved = group('a', { done: 2 }, { items: 3, change: { collection: 'move' } });
    expect(groupOutcome(moved, 'collection').sentence).toBe('Moved 2 of 3 collections.');
  });

  it('says only what needs the user when nothing was changed', () => {
    expect(groupOutcome(group('a', { conflict: 1 }), 'item').sentence).toBe('1 item needs your attention.');
    const partly = group('a', { conflict: 1, done: 1 }, { items: 2 });
    expect(groupOutcome(partly, 'item').sentence).toBe('Changed 1 of 2 items. 1 item needs your attention.');
  });
});

describe('a group of edits that this window made', () => {
  it('is reported with a warning, not with a confirmation, when the library refused some of it', () => {
    followGroup(group('refused', { refused: 310 }, { items: 310 }), about);
    expect(useMessages.getState().messages.at(-1)).toMatchObject({
      tone: 'bad',
      action: { label: expect.any(String) },
    });
    followGroup(group('partly', { refused: 1, done: 309 }, { items: 310 }), about);
    expect(useMessages.getState().messages.at(-1)).toMatchObject({ tone: 'bad' });
  });

  it('can be undone at once by the shortcut, before a message offers it, also when an earlier change ends later', async () => {
    followGroup(group('first', { pending: 1 }), about);
    followGroup(group('second', { pending: 1 }), about);
    expect(messages()).toBe(0);
    takeFollowed([group('first', { done: 1 })]);
    undoChange();
    const undo = bridge.take('edits.undo');
    expect(undo.input).toMatchObject({ groupId: 'second' });
    await undo.answer({ group: null, dropped: 1, restoring: 0, notUndoable: 0 });
    undoChange();
    const next = bridge.take('edits.undo');
    expect(next.input).toMatchObject({ groupId: 'first' });
    await next.answer({ group: null, dropped: 1, restoring: 0, notUndoable: 0 });
    expect(useUndos.getState().undos).toEqual([]);
  });

  it('is reported as stored, in the same message, when its library stops to answer while it is sent', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const sending = group('waits', { pending: 2 }, { items: 2 });
    followGroup(sending, about);
    await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();
    await bridge.take('edits.group').answer(sending);
    const sentence = () => useMessages.getState().messages.at(-1)?.text;
    expect([messages(), sentence()]).toEqual([1, 'Saving changes of 2 collections…']);
    takeFollowed([{ ...sending, waitsFor: appError('api.server-error').toData() }]);
    takeFollowed([sending]);
    const stored = 'Changes of 2 collections are saved on this computer. Mediadesk sends them later.';
    expect([messages(), sentence()]).toEqual([1, stored]);
    takeFollowed([group('waits', { done: 2 }, { items: 2 })]);
    expect([messages(), sentence()]).toEqual([1, 'Changed 2 collections.']);
  });

  it('is followed again when its undo fails: its end is reported, and its undo is offered', async () => {
    const sending = group('a', { pending: 1 });
    followGroup(sending, about);
    const undoing = undoGroup('a', about).catch((error: unknown) => error);
    await bridge.take('edits.undo').refuse('network.unreachable');
    expect(await undoing).toMatchObject({ data: { code: 'network.unreachable' } });
    await bridge.take('edits.group').answer(sending);
    const shown = messages();
    takeFollowed([group('a', { done: 1 })]);
    expect(settled).toBe(1);
    expect(messages()).toBe(shown);
    expect(useUndos.getState().undos).toHaveLength(1);
  });

  it('is reported as ended, and its undo is offered, when it ended while an undo failed', async () => {
    followGroup(group('b', { pending: 1 }), about);
    const undoing = undoGroup('b', about).catch(() => null);
    takeFollowed([group('b', { done: 1 })]);
    await bridge.take('edits.undo').refuse('network.unreachable');
    await undoing;
    await bridge.take('edits.group').answer(group('b', { done: 1 }));
    expect(settled).toBe(1);
    expect(useUndos.getState().undos).toHaveLength(1);
  });

  it('is reported as ended once when its undo drops all its edits', async () => {
    followGroup(group('c', { pending: 1 }), about);
    const undoing = undoGroup('c', about);
    takeFollowed([group('c', { dropped: 1 })]);
    await bridge.take('edits.undo').answer({ group: null, dropped: 1, restoring: 0, notUndoable: 0 });
    await undoing;
    expect(settled).toBe(1);
    expect(useRedos.getState().redos).toHaveLength(1);
  });

  it.each([true, false])(
    'says that its undo runs, when that takes long, until it ends (succeeds: %s)',
    async (succeeds) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      followGroup(group('d', { done: 9_000 }, { items: 9_000 }), about);
      const texts = () => useMessages.getState().messages.map(({ text }) => text);
      const undoing = undoGroup('d', about).catch(() => null);
      vi.advanceTimersByTime(900);
      expect(texts()).not.toContain('Undoing changes…');
      vi.advanceTimersByTime(60_000);
      expect(texts()).toEqual(['Undoing changes…']);
      vi.useRealTimers();
      const call = bridge.take('edits.undo');
      if (succeeds) await call.answer({ group: null, dropped: 9_000, restoring: 0, notUndoable: 0 });
      else await call.refuse('network.unreachable');
      await undoing;
      expect(texts()).not.toContain('Undoing changes…');
    },
  );
});
