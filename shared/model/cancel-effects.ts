import { commandApplies, isDelivered, type Upload } from './upload-machine.ts';

/**
 * The effect of a cancel on the file of an upload. `waiting`: nothing of it was delivered, so nothing is lost. `sending`: what
 * was sent so far is lost. `delivered`: the library has the file, and it is deleted there. `kept`: the library has the file
 * complete; it stays there as a draft.
 */
export const CANCEL_EFFECTS = ['waiting', 'sending', 'delivered', 'kept'] as const;
export type CancelEffect = (typeof CANCEL_EFFECTS)[number];

/** `isTransferring`: a connection that carries the file is open, also while it is held. Null: a cancel passes over it. */
export function cancelEffect(
  { state, sentAt, finishedAt, completedAt }: Pick<Upload, 'state' | 'sentAt' | 'finishedAt' | 'completedAt'>,
  isTransferring: boolean,
): CancelEffect | null {
  if (!commandApplies('cancel', state)) return null;
  if (completedAt !== null) return 'kept';
  if (isDelivered({ sentAt, finishedAt })) return 'delivered';
  return isTransferring || state === 'sending' ? 'sending' : 'waiting';
}

/** How long a cancel can be undone on the screen. */
export const UNDO_CANCEL_MS = 10_000;
