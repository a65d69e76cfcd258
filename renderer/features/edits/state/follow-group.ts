import type { EditGroup } from '../../../../shared/contract/edits.ts';
import { call } from '../../../kit/bridge/bridge.ts';
import { showView } from '../../common/state/app-store.ts';
import { attempt, notify, warn, warnWithAction } from '../../common/state/messages-store.ts';
import { OFFER_UNDO_MS, offerRedo, offerUndo, withdrawUndo } from '../../common/state/undos.ts';
import { groupOutcome, isSettled } from './group-outcome.ts';
import { type EditedKind, texts } from './texts.ts';

/** Edits that end sooner show only their outcome, so that no message flickers. */
const QUICK_MS = 1_000;

interface Followed {
  /** The message which reports that the edits are being sent. */
  messageKey: number | null;
  timer: ReturnType<typeof setTimeout>;
  about: EditedThings;
}

/** The kind of objects that a group edits. */
interface EditedThings {
  kind: EditedKind;
  /** Called each time a group about them ends: the change, its undo, and its redo. */
  onSettled?: () => void;
}

const ITEMS: EditedThings = { kind: 'item' };

/** Groups whose outcome is shown in a message, by id: groups of this window. */
const followed = new Map<string, Followed>();

/** Groups that applied an undone group again. */
const redone = new Set<string>();

/**
 * Shows the progress of a group of edits in messages: one after a second that the edits are being sent, then one with the
 * outcome. Both offer an undo.
 */
export function followGroup(group: EditGroup, about = ITEMS): void {
  if (isSettled(group)) {
    showOutcome(group, about);
    return;
  }
  const timer = setTimeout(() => void attempt(() => showProgress(group.id)), QUICK_MS);
  followed.set(group.id, { messageKey: null, timer, about });
}

/** Stores changed groups; shows the outcome of the followed ones. */
export function takeFollowed(groups: readonly EditGroup[]): void {
  for (const group of groups) if (followed.has(group.id) && isSettled(group)) end(group);
}

async function showProgress(groupId: string): Promise<void> {
  const group = await call('edits.group', { groupId });
  const entry = followed.get(groupId);
  if (entry === undefined) return;
  if (isSettled(group)) return end(group);
  const { kind } = entry.about;
  const words =
    group.waitsFor === null ? texts.toast.sending(group.items, kind) : texts.toast.waiting(group.items, kind);
  const offersUndo = group.canUndo && group.undoes === null;
  entry.messageKey = offersUndo
    ? offerUndo(words, OFFER_UNDO_MS, () => undoGroup(groupId, entry.about), redone.has(groupId))
    : notify(words);
}

function end(group: EditGroup): void {
  const entry = followed.get(group.id);
  followed.delete(group.id);
  clearTimeout(entry?.timer);
  if (entry?.messageKey != null) withdrawUndo(entry.messageKey);
  showOutcome(group, entry?.about ?? ITEMS);
}

function showOutcome(group: EditGroup, about: EditedThings): void {
  about.onSettled?.();
  // Shows nothing for a group that was undone, or dropped completely: these commands show messages of their own.
  if (group.undoneBy !== null || group.counts.dropped === group.items) return;
  const { sentence, attention } = groupOutcome(group, about.kind);
  if (attention > 0) {
    const show = { label: texts.toast.show, hint: texts.toast.showHint, run: () => showView('edits') };
    warnWithAction(sentence, show, OFFER_UNDO_MS);
  } else if (group.canUndo && group.undoes === null) {
    offerUndo(sentence, OFFER_UNDO_MS, () => undoGroup(group.id, about), redone.has(group.id));
  } else notify(sentence);
}

/** Undoes a group and reports the result: unsent edits are dropped, sent values are restored. Throws. */
export async function undoGroup(groupId: string, about = ITEMS): Promise<void> {
  const entry = followed.get(groupId);
  // The outcome of a group that is being undone is not shown.
  followed.delete(groupId);
  clearTimeout(entry?.timer);
  const { group, dropped, restoring, notUndoable } = await undone(groupId, entry);
  if (entry?.messageKey != null) withdrawUndo(entry.messageKey);
  if (notUndoable > 0) warn(texts.undo.notUndoable(notUndoable), texts.undo.notUndoableNext);
  if (group !== null) followGroup(group, about);
  else about.onSettled?.();
  if (group === null || restoring === 0) notify(texts.undo.dropped(dropped));
  offerRedo(() => redoGroup(groupId, about));
}

/** Undoes a group. When that fails, the group is followed again. */
async function undone(groupId: string, entry: Followed | undefined) {
  try {
    return await call('edits.undo', { groupId });
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
