import type { EditGroup } from '../../../../shared/contract/edits.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { attempt, notify, notifyWhile, warn, warnWithAction } from '../../common/state/messages-store.ts';
import { OFFER_UNDO_MS, offerRedo, offerUndo, readyUndo, withdrawUndo } from '../../common/state/undos.ts';
import { showEdits } from './edits-store.ts';
import { groupOutcome, isSettled } from './group-outcome.ts';
import { type EditedKind, texts } from './texts.ts';

/** Edits that end sooner show only their outcome, so that no message flickers. */
const QUICK_MS = 1_000;

interface Followed {
  /** The offer of the undo, or the message which reports that the edits are being sent. */
  messageKey: number | null;
  timer: ReturnType<typeof setTimeout>;
  about: EditedThings;
  /** Whether the message says that the edits are being sent. */
  saysSending: boolean;
}

/** The kind of objects that a group edits. */
interface EditedThings {
  kind: EditedKind;
  /** Called each time a group about them ends: the change, its undo, and its redo. */
  onSettled?: () => void;
  /** What the messages about the change say when all of it is done, or while it waits for the library. Not used for its undo. */
  words?: { done: string; waiting: string } | undefined;
}

const ITEMS: EditedThings = { kind: 'item' };

/** Groups whose outcome is shown in a message, by id: groups of this window. */
const followed = new Map<string, Followed>();

/** Groups that applied an undone group again. */
const redone = new Set<string>();

/**
 * Shows the progress of a group of edits in messages: one after a second that the edits are being sent, then one with the
 * outcome. Both offer an undo; its shortcut works before them.
 */
export function followGroup(group: EditGroup, about = ITEMS): void {
  if (isSettled(group)) {
    showOutcome(group, about);
    return;
  }
  const timer = setTimeout(() => void attempt(() => showProgress(group.id)), QUICK_MS);
  const messageKey = offersUndo(group) ? offer(null, group, about, null) : null;
  followed.set(group.id, { messageKey, timer, about, saysSending: false });
}

/** Stores changed groups; shows the outcome of the followed ones, and that their library gives no answer. */
export function takeFollowed(groups: readonly EditGroup[]): void {
  for (const group of groups) {
    const entry = followed.get(group.id);
    if (entry === undefined) continue;
    if (isSettled(group)) end(group);
    else if (entry.saysSending && group.waitsFor !== null && offersUndo(group)) showWords(group, entry);
  }
}

async function showProgress(groupId: string): Promise<void> {
  const group = await call('edits.group', { groupId });
  const entry = followed.get(groupId);
  if (entry === undefined) return;
  if (isSettled(group)) return end(group);
  showWords(group, entry);
}

function showWords(group: EditGroup, entry: Followed): void {
  const { kind } = entry.about;
  entry.saysSending = group.waitsFor === null;
  const words =
    group.waitsFor === null
      ? texts.toast.sending(group.items, kind)
      : (entry.about.words?.waiting ?? texts.toast.waiting(group.items, kind));
  entry.messageKey = offersUndo(group) ? offer(words, group, entry.about, entry.messageKey) : notify(words);
}

function end(group: EditGroup): void {
  const entry = followed.get(group.id);
  followed.delete(group.id);
  clearTimeout(entry?.timer);
  showOutcome(group, entry?.about ?? ITEMS, entry?.messageKey ?? null);
}

function offersUndo({ canUndo, undoes }: EditGroup): boolean {
  return canUndo && undoes === null;
}

/** Offers the undo of a group in a message; `sentence` null: by the shortcut alone. `earlier`: the offer that it replaces. */
function offer(sentence: string | null, { id }: EditGroup, about: EditedThings, earlier: number | null): number {
  const options = { keepsRedos: redone.has(id), groupId: id, earlier };
  const run = () => undoGroup(id, about);
  if (sentence === null) return readyUndo(OFFER_UNDO_MS, run, options);
  return offerUndo(sentence, OFFER_UNDO_MS, run, options);
}

/** `earlier`: the key of the message about the group, which the outcome replaces. */
function showOutcome(group: EditGroup, about: EditedThings, earlier: number | null = null): void {
  about.onSettled?.();
  const { sentence: outcome, attention } = groupOutcome(group, about.kind);
  const sentence = group.counts.done === group.items ? (about.words?.done ?? outcome) : outcome;
  // Shows nothing for a group that was undone, or dropped completely: these commands show messages of their own.
  const isUndone = group.undoneBy !== null || group.counts.dropped === group.items;
  const isOffered = !isUndone && offersUndo(group);
  // A warning leads to the edits that need the user; the shortcut undoes the others.
  if (isOffered) offer(attention > 0 ? null : sentence, group, about, earlier);
  else if (earlier !== null) withdrawUndo(earlier);
  if (isUndone || (isOffered && attention === 0)) return;
  if (attention === 0) return void notify(sentence);
  const show = { label: texts.toast.show, hint: texts.toast.showHint, run: () => showEdits('attention') };
  warnWithAction(sentence, show, OFFER_UNDO_MS);
}

/** Undoes a group and reports the result: unsent edits are dropped, sent values are restored. Throws. */
export async function undoGroup(groupId: string, about = ITEMS): Promise<void> {
  const entry = followed.get(groupId);
  // The outcome of a group that is being undone is not shown.
  followed.delete(groupId);
  clearTimeout(entry?.timer);
  if (entry?.messageKey != null) withdrawUndo(entry.messageKey);
  const { group, dropped, restoring, notUndoable } = await undone(groupId, entry);
  if (notUndoable > 0) warn(texts.undo.notUndoable(notUndoable), texts.undo.notUndoableNext);
  if (group !== null) followGroup(group, { ...about, words: undefined });
  else about.onSettled?.();
  if (group === null || restoring === 0) notify(texts.undo.dropped(dropped));
  offerRedo(() => redoGroup(groupId, about));
}

/** Undoes a group. When that fails, the group is followed again. */
async function undone(groupId: string, entry: Followed | undefined) {
  try {
    return await notifyWhile(texts.undo.running, QUICK_MS, call('edits.undo', { groupId }));
  } catch (error) {
    if (entry !== undefined) {
      followed.set(groupId, { ...entry, messageKey: null });
      void attempt(() => showProgress(groupId));
    }
    throw error;
  }
}

/** Applies an undone group again, and reports the result. Throws. */
export async function redoGroup(groupId: string, about = ITEMS): Promise<void> {
  const { group } = await call('edits.redo', { groupId });
  if (group === null) return void notify(texts.undo.undoDropped);
  redone.add(group.id);
  followGroup(group, about);
}
