import { create } from 'zustand';
import type { CancelEffects, UploadSelection } from '../../../shared/contract/uploads.ts';
import { UNDO_CANCEL_MS } from '../../../shared/model/cancel-effects.ts';
import { call, modKey } from '../../bridge/bridge.ts';
import { announce, attempt, dismissMessage, notify, notifyWithAction, warn } from '../app/messages-store.ts';
import { cancelledWords, losesSomething, mentionsAll, undoneWords } from './cancel-text.ts';
import { uploadsList, useUploads } from './uploads-store.ts';

/** A cancel that needs confirmation, because something was sent or is in the library. */
interface CancelQuestion {
  selection: UploadSelection;
  effects: CancelEffects;
  /** The title, for a single upload that is loaded. */
  title: string | null;
}

interface Undo {
  undoId: string;
  messageKey: number;
}

interface CancelState {
  question: CancelQuestion | null;
  /** Cancels that can still be undone, the latest last. */
  undos: readonly Undo[];
}

export const useCancel = create<CancelState>(() => ({ question: null, undos: [] }));

/**
 * Cancels uploads; every cancel of the window runs here. Waiting uploads are cancelled at once, with an undo for a
 * while. If anything was sent or is in the library, the person has to confirm.
 */
export function cancelUploads(selection: UploadSelection): Promise<void> {
  return attempt(async () => {
    const effects = await call('uploads.cancelEffects', selection);
    if (losesSomething(effects)) return ask(selection, effects);
    if (effects.waiting === 0) return announce('There is nothing left to cancel.');
    const title = titleOf(selection);
    const { changed, undoId } = await call('uploads.cancelWaiting', selection);
    if (undoId !== null) offerUndo(undoId, changed, title);
    if (changed === effects.waiting) return;
    // Some uploads started to send between the two calls.
    const left = await call('uploads.cancelEffects', selection);
    if (losesSomething(left)) ask(selection, left);
  });
}

/** Cancels the selected uploads. */
export function cancelSelected(): void {
  const { ids } = uploadsList.useList.getState().selection;
  if (ids.size > 0) void cancelUploads({ kind: 'ids', ids: [...ids] });
}

/** Runs the confirmed cancel. Asks again when it would now lose something that the question did not mention. */
export function confirmCancel(): Promise<void> {
  const { question } = useCancel.getState();
  if (question === null) return Promise.resolve();
  return attempt(async () => {
    const effects = await call('uploads.cancelEffects', question.selection);
    if (useCancel.getState().question !== question) return;
    if (!mentionsAll(question.effects, effects)) {
      useCancel.setState({ question: { ...question, effects } });
      announce('The uploads have moved on. Read again what a cancel would do.');
      return;
    }
    useCancel.setState({ question: null });
    const { changed } = await call('uploads.cancel', question.selection);
    notify(
      changed === 0 ? 'The uploads had ended already. Nothing was cancelled.' : cancelledWords(changed, question.title),
    );
  });
}

export function keepUploads(): void {
  useCancel.setState({ question: null });
}

/** Undoes the cancel with that id, or the latest one. */
export function undoCancel(undoId?: string): void {
  const { undos } = useCancel.getState();
  const undo = undoId === undefined ? undos.at(-1) : undos.find((each) => each.undoId === undoId);
  if (undo === undefined) return;
  forget(undo.undoId);
  dismissMessage(undo.messageKey);
  void attempt(async () => {
    const { changed } = await call('uploads.undoCancel', { undoId: undo.undoId });
    if (changed > 0) notify(undoneWords(changed));
    else warn('It is too late to undo this cancel.', 'Retry the uploads that you want after all.');
  });
}

function ask(selection: UploadSelection, effects: CancelEffects): void {
  useCancel.setState({ question: { selection, effects, title: titleOf(selection) } });
}

function offerUndo(undoId: string, changed: number, title: string | null): void {
  const words = cancelledWords(changed, title);
  const undo = { label: 'Undo', hint: `Press ${modKey()}Z to undo.`, run: () => undoCancel(undoId) };
  const messageKey = notifyWithAction(words, undo, UNDO_CANCEL_MS);
  useCancel.setState(({ undos }) => ({ undos: [...undos, { undoId, messageKey }] }));
  window.setTimeout(() => forget(undoId), UNDO_CANCEL_MS);
}

function forget(undoId: string): void {
  useCancel.setState(({ undos }) => ({ undos: undos.filter((each) => each.undoId !== undoId) }));
}

function titleOf(selection: UploadSelection): string | null {
  if (selection.kind !== 'ids' || selection.ids.length !== 1) return null;
  return useUploads.getState().rows.get(selection.ids[0] ?? '')?.title ?? null;
}
