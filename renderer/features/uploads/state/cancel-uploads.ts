import { create } from 'zustand';
import type { CancelEffects, UploadSelection } from '../../../../shared/contract/uploads.ts';
import { UNDO_COMMAND_MS } from '../../../../shared/model/uploads/cancel-effects.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { announce, attempt, notify, warn } from '../../common/state/messages-store.ts';
import { offerUndo } from '../../common/state/undos.ts';
import { losesSomething, mentionsAll } from './cancel-text.ts';
import { deselect, useOutline } from './outline/outline-store.ts';
import { texts } from './texts.ts';
import { useUploads } from './uploads-store.ts';

/** A cancel that needs confirmation, because data was sent or an item exists in the library. */
interface CancelQuestion {
  selection: UploadSelection;
  effects: CancelEffects;
  /** The title of a single upload whose row is loaded; null otherwise. */
  title: string | null;
}

export const useCancel = create<{ question: CancelQuestion | null }>(() => ({ question: null }));

/**
 * Cancels uploads; every cancel command of the window calls this function. Waiting uploads are cancelled immediately, and can be
 * restored for a while. If data was sent or an item exists in the library, the user has to confirm.
 */
export function cancelUploads(selection: UploadSelection): Promise<void> {
  return attempt(async () => {
    const effects = await call('uploads.cancelEffects', selection);
    if (losesSomething(effects)) return ask(selection, effects);
    if (effects.waiting === 0) return announce(texts.cancel.nothingLeft);
    const title = titleOf(selection);
    const { changed, undoId } = await call('uploads.cancelUnsent', selection);
    if (undoId !== null) offerUndoOf(undoId, texts.cancel.cancelled(changed, title));
    if (changed === effects.waiting) return;
    // Some uploads started to send between the two calls.
    const left = await call('uploads.cancelEffects', selection);
    if (losesSomething(left)) ask(selection, left);
  });
}

/** Cancels the selected uploads. */
export function cancelSelected(): void {
  const { selected } = useOutline.getState();
  if (selected.size > 0) void cancelUploads({ kind: 'ids', ids: [...selected] });
}

/** Runs the confirmed cancel. Asks again when the cancel would now cause a loss that the question did not mention. */
export function confirmCancel(): Promise<void> {
  const { question } = useCancel.getState();
  if (question === null) return Promise.resolve();
  return attempt(async () => {
    const effects = await call('uploads.cancelEffects', question.selection);
    if (useCancel.getState().question !== question) return;
    if (!mentionsAll(question.effects, effects)) {
      useCancel.setState({ question: { ...question, effects } });
      announce(texts.cancel.changed);
      return;
    }
    useCancel.setState({ question: null });
    const { changed } = await call('uploads.cancel', question.selection);
    notify(changed === 0 ? texts.cancel.tooLate : texts.cancel.cancelled(changed, question.title));
  });
}

export function keepUploads(): void {
  useCancel.setState({ question: null });
}

function ask(selection: UploadSelection, effects: CancelEffects): void {
  useCancel.setState({ question: { selection, effects, title: titleOf(selection) } });
}

function offerUndoOf(undoId: string, sentence: string): void {
  offerUndo(sentence, UNDO_COMMAND_MS, async () => {
    const { changed } = await call('uploads.undoCancel', { undoId });
    if (changed > 0) notify(texts.cancel.undone(changed));
    else warn(texts.tooLateToUndo, texts.retryCancelled);
  });
}

function titleOf(selection: UploadSelection): string | null {
  if (selection.kind !== 'ids' || selection.ids.length !== 1) return null;
  return useUploads.getState().rows.get(selection.ids[0] ?? '')?.title ?? null;
}

/**
 * Removes ended uploads from the list, and offers to undo that for a while. Their receipts stay. `completed` keeps failed uploads
 * and open decisions; `ended` removes them as well.
 */
export function clearUploads(selection: UploadSelection, what: 'completed' | 'ended'): Promise<void> {
  return attempt(async () => {
    const { changed, undoId } = await call('uploads.clear', { selection, what });
    if (undoId === null) {
      announce(texts.nothingToClear);
      return;
    }
    deselect();
    offerUndo(texts.cleared(changed), UNDO_COMMAND_MS, async () => {
      const undone = await call('uploads.undoClear', { undoId });
      if (undone.changed > 0) notify(texts.listedAgain(undone.changed));
      else warn(texts.tooLateToUndo, texts.findInReceipt);
    });
  });
}
