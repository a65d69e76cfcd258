import { beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../../../renderer/features/common/state/app-store.ts';
import { useMessages } from '../../../../../renderer/features/common/state/messages-store.ts';
import {
  forgetEdit,
  noteEdit,
  offerRedo,
  offerUndo,
  useRedos,
  useUndos,
} from '../../../../../renderer/features/common/state/undos.ts';
import { followGroup } from '../../../../../renderer/features/edits/state/follow-group.ts';
import { takeStoredEdits } from '../../../../../renderer/features/edits/state/silent-edits.ts';
import { undoLatest } from '../../../../../renderer/features/edits/undo-latest.ts';
import type { EditGroup } from '../../../../../shared/contract/edits.ts';
import { editGroup } from '../../../../helpers/data/edit-groups.ts';
import { HeldBridge } from '../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  bridge = new HeldBridge();
  useApp.setState({ siteId: 's' });
  useMessages.setState({ announced: null, messages: [] });
  useUndos.setState({ undos: [] });
  useRedos.setState({ redos: [] });
});

const group = (id: string, more: Partial<Omit<EditGroup, 'counts'>> = {}) =>
  editGroup({ id, label: 'Change tags', counts: { done: 1 }, ...more });
const texts = () => useMessages.getState().messages.map(({ text }) => text);

async function answer(groups: EditGroup[]): Promise<void> {
  const call = bridge.take('edits.groups');
  expect(call.input).toMatchObject({ siteId: 's' });
  const totals = { pending: 0, held: 0, conflict: 0, refused: 0 };
  await call.answer({ total: groups.length, groups, totals, sent: 1 });
}

describe('the shortcut for undo, after the offers of all changes ended', () => {
  it('names the latest change that can be undone and undoes it when it is used again', async () => {
    offerRedo(async () => {});
    undoLatest();
    undoLatest();
    await answer([group('undo', { undoes: 'c' }), group('c', { canUndo: false }), group('b'), group('a')]);
    expect(texts()).toEqual([expect.stringMatching(/^Last change \(.+\): Change tags “Talk”$/)]);
    expect(bridge.waiting).toEqual([]);
    expect(useRedos.getState().redos).toHaveLength(1);
    undoLatest();
    expect(bridge.take('edits.undo').input).toEqual({ groupId: 'b' });
  });

  it('says that there is nothing to undo', async () => {
    undoLatest();
    await answer([group('c', { canUndo: false })]);
    expect(texts()).toEqual(['There is nothing to undo.']);
    expect(useUndos.getState().undos).toEqual([]);
  });

  it('takes the words for collections from the change', async () => {
    undoLatest();
    await answer([group('c', { label: '', change: { collection: 'edit' }, firstName: 'Talks' })]);
    undoLatest();
    await bridge
      .take('edits.undo')
      .answer({ group: group('u', { undoes: 'c', change: null }), dropped: 0, restoring: 1, notUndoable: 0 });
    expect(texts()).toEqual(['Restored 1 collection.']);
  });

  it('finds the latest change behind any number of undone ones, and passes over one that is being undone', async () => {
    undoLatest();
    const undone = Array.from({ length: 50 }, (_, at) => group(`u${at}`, { canUndo: false }));
    const totals = { pending: 0, held: 0, conflict: 0, refused: 0 };
    await bridge.take('edits.groups').answer({ total: 52, groups: undone, totals, sent: 1 });
    const next = bridge.take('edits.groups');
    expect(next.input).toMatchObject({ offset: 50 });
    await next.answer({ total: 52, groups: [group('b', { undoneAt: 1 }), group('a')], totals, sent: 1 });
    undoLatest();
    expect(bridge.take('edits.undo').input).toEqual({ groupId: 'a' });
  });
});

describe('the shortcut for undo, while an earlier change is still offered', () => {
  const stored = (id: string, more: Partial<Omit<EditGroup, 'counts'>> = {}) =>
    group(id, { createdAt: Date.now() + 1_000, ...more });

  it('names a later change that no message offered, and undoes the earlier one after it', async () => {
    followGroup(group('a'));
    takeStoredEdits([stored('b')]);
    undoLatest();
    expect(bridge.waiting).toEqual(['edits.groups']);
    await answer([group('b'), group('a')]);
    expect(texts().at(-1)).toMatch(/^Last change/);
    undoLatest();
    expect(bridge.take('edits.undo').input).toEqual({ groupId: 'b' });
    takeStoredEdits([stored('b', { undoneAt: 2 })]);
    undoLatest();
    expect(bridge.take('edits.undo').input).toEqual({ groupId: 'a' });
  });

  it('undoes one change after the other when messages offered all of them, in whatever order their events came', async () => {
    takeStoredEdits([stored('c'), stored('d')]);
    followGroup(group('d'));
    followGroup(group('c'));
    takeStoredEdits([stored('c'), stored('old', { createdAt: 0 }), stored('other', { siteId: 'other' })]);
    undoLatest();
    expect(bridge.take('edits.undo').input).toEqual({ groupId: 'c' });
    undoLatest();
    expect(bridge.take('edits.undo').input).toEqual({ groupId: 'd' });
  });

  it('undoes no edit of an item that was deleted, but still what is no edit', async () => {
    followGroup(group('f'));
    noteEdit('deletion');
    undoLatest();
    await answer([group('deletion', { canUndo: false }), group('f', { canUndo: false })]);
    expect(texts()).toContain('There is nothing to undo.');
    let undone = 0;
    offerUndo('Cleared.', 1_000, async () => {
      undone += 1;
    });
    noteEdit('other deletion');
    undoLatest();
    await answer([group('deletion', { canUndo: false }), group('f', { canUndo: false })]);
    expect(undone).toBe(1);
    for (const id of ['deletion', 'other deletion']) forgetEdit(id);
  });

  it('names the earlier one again after a deletion, which can’t be undone, and offers it once', async () => {
    followGroup(group('e'));
    noteEdit('deletion');
    undoLatest();
    await answer([group('deletion', { canUndo: false }), group('e')]);
    expect(useUndos.getState().undos).toHaveLength(1);
    undoLatest();
    expect(bridge.take('edits.undo').input).toEqual({ groupId: 'e' });
    forgetEdit('deletion');
  });
});
