import { create } from 'zustand';
import { modKey } from '../../bridge/bridge.ts';
import { attempt, dismissMessage, notify, notifyWithAction, warn } from '../app/messages-store.ts';
import { texts } from './texts.ts';

interface Undo {
  messageKey: number;
  /** Returns what was undone as a sentence; null when it was too late. */
  run(): Promise<string | null>;
}

/** Commands that can still be undone, the latest last. */
export const useUndos = create<{ undos: readonly Undo[] }>(() => ({ undos: [] }));

/** Shows what a command did, with a button and a shortcut that undo it for a while. */
export function offerUndo(sentence: string, forMs: number, run: Undo['run']): void {
  const action = { label: texts.undo, hint: texts.undoHint(modKey()), run: () => undoCommand(messageKey) };
  const messageKey: number = notifyWithAction(sentence, action, forMs);
  useUndos.setState(({ undos }) => ({ undos: [...undos, { messageKey, run }] }));
  window.setTimeout(() => forget(messageKey), forMs);
}

/** Undoes the command of a message, or the latest one. */
export function undoCommand(messageKey?: number): void {
  const { undos } = useUndos.getState();
  const undo = messageKey === undefined ? undos.at(-1) : undos.find((each) => each.messageKey === messageKey);
  if (undo === undefined) return;
  forget(undo.messageKey);
  dismissMessage(undo.messageKey);
  void attempt(async () => {
    const done = await undo.run();
    if (done === null) warn(texts.tooLateToUndo, texts.tooLateNextStep);
    else notify(done);
  });
}

function forget(messageKey: number): void {
  useUndos.setState(({ undos }) => ({ undos: undos.filter((each) => each.messageKey !== messageKey) }));
}
