import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notify, useMessages } from '../../../../../../renderer/features/common/state/messages-store.ts';
import { undoChange, useUndos } from '../../../../../../renderer/features/common/state/undos.ts';
import { cancelSentences, cancelTitle } from '../../../../../../renderer/features/uploads/state/cancel-text.ts';
import {
  cancelSelected,
  cancelUploads,
  confirmCancel,
  keepUploads,
  useCancel,
} from '../../../../../../renderer/features/uploads/state/cancel-uploads.ts';
import { useOutline } from '../../../../../../renderer/features/uploads/state/outline/outline-store.ts';
import { useUploads } from '../../../../../../renderer/features/uploads/state/uploads-store.ts';
import type { CancelEffects, UploadRow } from '../../../../../../shared/contract/uploads.ts';
import { UNDO_COMMAND_MS } from '../../../../../../shared/model/uploads/cancel-effects.ts';
import { HeldBridge } from '../../../../../helpers/desktop/held-bridge.ts';

let bridge: HeldBridge;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  bridge = new HeldBridge();
  useMessages.setState({ messages: [], announced: null });
  useCancel.setState({ question: null });
  useUndos.setState({ undos: [] });
  useUploads.setState({ rows: new Map([['u1', { id: 'u1', title: 'Lecture 1', state: 'queued' } as UploadRow]]) });
});
afterEach(() => {
  vi.useRealTimers();
});

const effects = (changes: Partial<CancelEffects>): CancelEffects => ({
  waiting: 0,
  sending: 0,
  delivered: 0,
  kept: 0,
  ...changes,
});
const one = { kind: 'ids' as const, ids: ['u1'] };
const answerEffects = (changes: Partial<CancelEffects>) =>
  bridge.take('uploads.cancelEffects').answer(effects(changes));
const messages = () => useMessages.getState().messages.map(({ text, action }) => [text, action?.label ?? null]);

async function cancelAtOnce(undoId = 'x'): Promise<void> {
  const cancelled = cancelUploads(one);
  await answerEffects({ waiting: 1 });
  await bridge.take('uploads.cancelUnsent').answer({ changed: 1, undoId });
  await cancelled;
}

describe('a cancel of waiting uploads', () => {
  it('runs immediately and can be undone for ten seconds', async () => {
    await cancelAtOnce();
    expect(useCancel.getState().question).toBeNull();
    expect(messages()).toEqual([['“Lecture 1” cancelled.', 'Undo']]);
    expect(useMessages.getState().messages[0]?.shownMs).toBe(UNDO_COMMAND_MS);
    expect(useMessages.getState().announced?.sentence).toBe('“Lecture 1” cancelled. Press Ctrl+Z to undo.');
    undoChange();
    const undo = bridge.take('uploads.undoCancel');
    expect(undo.input).toEqual({ undoId: 'x' });
    await undo.answer({ changed: 1 });
    expect(messages()).toEqual([['The upload is back in the queue.', null]]);
  });

  it('cannot be undone after ten seconds', async () => {
    await cancelAtOnce();
    vi.advanceTimersByTime(UNDO_COMMAND_MS);
    undoChange();
    expect(bridge.waiting).toEqual([]);
  });

  it('is undone before earlier ones, and keeps its message with “Undo” when other messages follow', async () => {
    await cancelAtOnce('first');
    await cancelAtOnce('second');
    for (const text of ['a', 'b', 'c', 'd']) notify(text);
    expect(messages().filter(([, action]) => action === 'Undo')).toHaveLength(2);
    undoChange();
    expect(bridge.take('uploads.undoCancel').input).toEqual({ undoId: 'second' });
    undoChange();
    expect(bridge.take('uploads.undoCancel').input).toEqual({ undoId: 'first' });
    undoChange();
    expect(bridge.waiting).toEqual([]);
  });

  it('can be undone for its own ten seconds when another one follows', async () => {
    await cancelAtOnce('first');
    vi.advanceTimersByTime(UNDO_COMMAND_MS / 2);
    await cancelAtOnce('second');
    vi.advanceTimersByTime(UNDO_COMMAND_MS / 2 - 1);
    expect(useUndos.getState().undos).toHaveLength(2);
    vi.advanceTimersByTime(UNDO_COMMAND_MS / 2);
    undoChange();
    expect(bridge.take('uploads.undoCancel').input).toEqual({ undoId: 'second' });
    undoChange();
    expect(bridge.waiting).toEqual([]);
  });

  it('shows a warning when it is undone too late', async () => {
    await cancelAtOnce();
    undoChange();
    await bridge.take('uploads.undoCancel').answer({ changed: 0 });
    expect(messages()).toEqual([['It’s too late to undo this.', null]]);
  });

  it('asks for confirmation when some uploads started to send meanwhile', async () => {
    const cancelled = cancelUploads({ kind: 'ids', ids: ['u1', 'u2'] });
    await answerEffects({ waiting: 2 });
    await bridge.take('uploads.cancelUnsent').answer({ changed: 1, undoId: 'x' });
    await answerEffects({ sending: 1 });
    await cancelled;
    expect(useCancel.getState().question?.effects.sending).toBe(1);
  });
});

describe('a cancel of uploads that are or were sent', () => {
  it.each(['sending', 'delivered', 'kept'] as const)(
    'asks before it changes anything when uploads are %s',
    async (effect) => {
      const cancelled = cancelUploads(one);
      await answerEffects({ [effect]: 1, waiting: 3 });
      await cancelled;
      expect(bridge.waiting).toEqual([]);
      expect(useCancel.getState().question).toMatchObject({ selection: one });
      keepUploads();
      expect(useCancel.getState().question).toBeNull();
      expect(bridge.waiting).toEqual([]);
    },
  );

  it('runs when the user confirms', async () => {
    void cancelUploads(one);
    await answerEffects({ delivered: 1 });
    const confirmed = confirmCancel();
    await answerEffects({ delivered: 1 });
    await bridge.take('uploads.cancel').answer({ changed: 1 });
    await confirmed;
    expect(useCancel.getState().question).toBeNull();
    expect(messages()).toEqual([['“Lecture 1” cancelled.', null]]);
  });

  it('asks again when the file arrived in the library after the question', async () => {
    void cancelUploads(one);
    await answerEffects({ sending: 1 });
    void confirmCancel();
    await answerEffects({ delivered: 1 });
    expect(bridge.waiting).toEqual([]);
    expect(useCancel.getState().question?.effects).toEqual(effects({ delivered: 1 }));
    void confirmCancel();
    await answerEffects({ delivered: 1 });
    expect(bridge.waiting).toEqual(['uploads.cancel']);
  });

  it('shows the error when the engine refuses', async () => {
    const cancelled = cancelUploads(one);
    await bridge.take('uploads.cancelEffects').refuse('profile.store-failing');
    await cancelled;
    expect(messages()).toHaveLength(1);
  });
});

it('cancelSelected cancels the selected uploads, and does nothing without a selection', () => {
  useOutline.setState({ selected: new Set(['u1', 'u9']) });
  cancelSelected();
  expect(bridge.take('uploads.cancelEffects').input).toEqual({ kind: 'ids', ids: ['u1', 'u9'] });
  useOutline.setState({ selected: new Set() });
  cancelSelected();
  expect(bridge.waiting).toEqual([]);
});

it('the question before a cancel states what happens to files in the library and to uploads that are being sent', () => {
  expect(cancelTitle(effects({ delivered: 1 }), 'Lecture 4')).toBe('Cancel “Lecture 4”?');
  expect(cancelTitle(effects({ sending: 2, waiting: 10 }), null)).toBe('Cancel 12 uploads?');
  expect(cancelSentences(effects({ delivered: 1 }))[0]).toBe(
    'The file is already in the library. If you cancel, Mediadesk deletes it there.',
  );
  expect(cancelSentences(effects({ kept: 1 }))[0]).toBe(
    'The file is already in the library and stays there as a draft.',
  );
  expect(cancelSentences(effects({ delivered: 2, kept: 1, sending: 1, waiting: 4 }))).toEqual([
    '2 files are already in the library. If you cancel, Mediadesk deletes them there.',
    '1 file is complete in the library and stays there as a draft.',
    'Mediadesk is sending 1 file. If you cancel, the part already sent is lost.',
    '4 other files aren’t sent yet.',
    'The files on this computer don’t change. You can retry the uploads later.',
  ]);
});
