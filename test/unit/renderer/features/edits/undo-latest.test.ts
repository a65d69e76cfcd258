import { beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../../../renderer/features/common/state/app-store.ts';
import { useMessages } from '../../../../../renderer/features/common/state/messages-store.ts';
import { offerRedo, useRedos, useUndos } from '../../../../../renderer/features/common/state/undos.ts';
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
});
