import type { Upload } from './upload.ts';
import { commandApplies, isDelivered } from './upload-machine.ts';

/**
 * The effect of a cancel on the file of an upload. `waiting`: nothing was delivered, so nothing is lost. `sending`: the
 * bytes sent so far are lost. `delivered`: the library has the file and deletes it. `kept`: the library has the
 * complete file and keeps it as a draft.
 */
export const CANCEL_EFFECTS = ['waiting', 'sending', 'delivered', 'kept'] as const;
export type CancelEffect = (typeof CANCEL_EFFECTS)[number];

/**
 * `isTransferring`: a connection for the file is open; it may be on hold. Returns null when a cancel skips the upload.
 */
export function cancelEffect(
  { state, sentAt, finishedAt, completedAt }: Pick<Upload, 'state' | 'sentAt' | 'finishedAt' | 'completedAt'>,
  isTransferring: boolean,
): CancelEffect | null {
  if (!commandApplies('cancel', state)) return null;
  if (completedAt !== null) return 'kept';
  if (isDelivered({ sentAt, finishedAt })) return 'delivered';
  return isTransferring || state === 'sending' ? 'sending' : 'waiting';
}

/** How long the user can undo a cancel or the removal of ended uploads from the list. */
export const UNDO_COMMAND_MS = 10_000;
