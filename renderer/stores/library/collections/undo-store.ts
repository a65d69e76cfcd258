import { create } from 'zustand';
import { modKey } from '../../../bridge/bridge.ts';
import { attempt, dismissMessage, notifyWithAction } from '../../app/messages-store.ts';
import { texts } from './texts.ts';

interface Undo {
  messageKey: number;
  run: () => Promise<void>;
}

/** Changes of collections that can be undone, the latest last. Each one is offered in a message for a while. */
export const useCollectionUndo = create<{ undos: readonly Undo[] }>(() => ({ undos: [] }));

const OFFERED_MS = 20_000;

/** Shows a confirmation with an Undo button. An error of the undo is shown in a message. */
export function offerCollectionUndo(text: string, run: () => Promise<void>): void {
  const action = {
    label: texts.undo,
    hint: texts.undoHint(`${modKey()}Z`),
    run: () => undoCollectionChange(messageKey),
  };
  const messageKey: number = notifyWithAction(text, action, OFFERED_MS);
  useCollectionUndo.setState(({ undos }) => ({ undos: [...undos, { messageKey, run }] }));
  window.setTimeout(() => forget(messageKey), OFFERED_MS);
}

/** Undoes the change of that message, or the latest one. */
export function undoCollectionChange(messageKey?: number): void {
  const { undos } = useCollectionUndo.getState();
  const undo = messageKey === undefined ? undos.at(-1) : undos.find((each) => each.messageKey === messageKey);
  if (undo === undefined) return;
  forget(undo.messageKey);
  dismissMessage(undo.messageKey);
  void attempt(undo.run);
}

function forget(messageKey: number): void {
  useCollectionUndo.setState(({ undos }) => ({ undos: undos.filter((each) => each.messageKey !== messageKey) }));
}
