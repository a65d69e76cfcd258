import { beforeEach, describe, expect, it } from 'vitest';
import { useMessages } from '../../../../../renderer/stores/app/messages-store.ts';
import { useRedos, useUndos } from '../../../../../renderer/stores/app/undos.ts';
import { followGroup, takeFollowed, undoGroup } from '../../../../../renderer/stores/edits/follow-group.ts';
import type { EditGroup } from '../../../../../shared/contract/edits.ts';
import { HeldBridge } from '../../../../helpers/desktop/held-bridge.ts';

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
const counts = { pending: 0, held: 0, conflict: 0, refused: 0, done: 0, left: 0, dropped: 0 };

function group(id: string, of: Partial<typeof counts>, more: Partial<EditGroup> = {}): EditGroup {
  return {
    ...{ id, siteId: 's', label: '', change: null, items: 1, firstName: 'Talk', undoes: null },
    ...{ undoneBy: null, undoneAt: null, redoneBy: null, createdAt: 0, endedAt: null },
    ...{ canUndo: true, canRedo: false, waitsFor: null, ...more },
    counts: { ...counts, ...of },
  };
}

const messages = () => useMessages.getState().messages.length;

describe('a group of edits that this window made', () => {
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
});
