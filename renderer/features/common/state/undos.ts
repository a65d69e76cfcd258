import { create } from 'zustand';
import { modKey } from '../../../kit/bridge/bridge.ts';
import { attempt, dismissMessage, notifyWithAction } from './messages-store.ts';
import { texts } from './texts.ts';

/** How long a message offers to undo an edit; the list of edits offers it later. */
export const OFFER_UNDO_MS = 20_000;

interface Undo {
  /** The key of its message; negative while no message offers it. */
  messageKey: number;
  run: () => Promise<void>;
  /** The group of edits that it undoes: the list of edits offers it too, so the next change takes the place of its message. */
  groupId: string | null;
  /** Its place among all changes of this window. */
  order: number;
}

/** Changes that can still be undone, the latest last. */
export const useUndos = create<{ undos: readonly Undo[] }>(() => ({ undos: [] }));

/** Undone changes that can be applied again, the latest last. A new change removes them. */
export const useRedos = create<{ redos: readonly (() => Promise<void>)[] }>(() => ({ redos: [] }));

/** Offers to apply an undone change again. */
export function offerRedo(run: () => Promise<void>): void {
  useRedos.setState(({ redos }) => ({ redos: [...redos, run] }));
}

/** Applies the change again that was undone last. */
export function redoChange(): void {
  const { redos } = useRedos.getState();
  const run = redos.at(-1);
  if (run === undefined) return;
  useRedos.setState({ redos: redos.slice(0, -1) });
  void attempt(run);
}

/**
 * Shows the effect of a command, with a button and a shortcut that undo it for a while. Errors of the undo are shown in a
 * message. Returns the key of the message.
 */
export function offerUndo(sentence: string, forMs: number, run: Undo['run'], options: OfferOptions = {}): number {
  const action = { label: texts.undo, hint: texts.undoHint(modKey()), run: () => undoChange(messageKey) };
  const messageKey: number = notifyWithAction(sentence, action, forMs);
  register({ messageKey, run }, forMs, options);
  return messageKey;
}

interface OfferOptions {
  /** This is no new change, so undone changes can still be applied again. */
  keepsRedos?: boolean;
  /** The group of edits that it undoes: earlier offers of this kind lose their messages. The shortcut still undoes them. */
  groupId?: string;
  /** The key of the earlier offer of the same undo, which this one replaces: changes made since then are still later ones. */
  earlier?: number | null;
}

let changes = 0;

function nextOrder(): number {
  changes += 1;
  return changes;
}

/** Edits that no message offered to undo, such as a saved form, with their place among all changes. */
const silentEdits = new Map<string, number>();

/** Notes that a group of edits was stored. A later offer to undo it, or `forgetEdit`, ends this. */
export function noteEdit(groupId: string): void {
  const isOffered = useUndos.getState().undos.some((undo) => undo.groupId === groupId);
  if (!isOffered) silentEdits.set(groupId, nextOrder());
}

/** Notes that a group of edits was undone. */
export function forgetEdit(groupId: string): void {
  silentEdits.delete(groupId);
}

/** Returns whether the shortcut undoes the latest change: an undo is offered, and no edit was stored since. */
export function isLatestOffered(): boolean {
  const latest = useUndos.getState().undos.at(-1);
  return latest !== undefined && [...silentEdits.values()].every((order) => order < latest.order);
}

let silent = 0;

/** Makes a change undoable by the shortcut alone, without a message. Returns its key. */
export function readyUndo(forMs: number, run: Undo['run'], options: OfferOptions = {}): number {
  silent -= 1;
  register({ messageKey: silent, run }, forMs, options);
  return silent;
}

function register(change: Pick<Undo, 'messageKey' | 'run'>, forMs: number, options: OfferOptions): void {
  const { keepsRedos = false, groupId = null, earlier = null } = options;
  const { undos } = useUndos.getState();
  const at = undos.findIndex(({ messageKey }) => messageKey === earlier);
  const undo = { ...change, groupId, order: undos[at]?.order ?? nextOrder() };
  if (groupId !== null) silentEdits.delete(groupId);
  if (at < 0 && !keepsRedos) useRedos.setState({ redos: [] });
  useUndos.setState({ undos: at < 0 ? [...undos, undo] : undos.with(at, undo) });
  if (earlier !== null) dismissMessage(earlier);
  const before = groupId === null ? [] : undos.slice(0, at < 0 ? undos.length : at);
  for (const each of before) if (each.groupId !== null) dismissMessage(each.messageKey);
  window.setTimeout(() => forget(undo.messageKey), forMs);
}

/** Undoes the change of that message, or the latest one. */
export function undoChange(messageKey?: number): void {
  const { undos } = useUndos.getState();
  const undo = messageKey === undefined ? undos.at(-1) : undos.find((each) => each.messageKey === messageKey);
  if (undo === undefined) return;
  withdrawUndo(undo.messageKey);
  void attempt(undo.run);
}

/** Removes the message and its undo: the change has ended, or another message offers the same undo. */
export function withdrawUndo(messageKey: number): void {
  forget(messageKey);
  dismissMessage(messageKey);
}

function forget(messageKey: number): void {
  useUndos.setState(({ undos }) => ({ undos: undos.filter((each) => each.messageKey !== messageKey) }));
}
