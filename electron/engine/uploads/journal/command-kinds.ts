import { cancelEffect } from '../../../../shared/model/uploads/cancel-effects.ts';
import { canClear, isClearedAsCompleted } from '../../../../shared/model/uploads/clear-rule.ts';
import { isOpenToChoice } from '../../../../shared/model/uploads/duplicate-choice.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import {
  asksAboutDuplicate,
  COMMAND_STATES,
  commandApplies,
  type UploadCommand,
} from '../../../../shared/model/uploads/upload-machine.ts';
import { ENDED_STATES, type UploadState } from '../../../../shared/model/uploads/upload-states.ts';

/** The bulk commands of the user. */
export const COMMAND_NAMES = [
  'pause',
  'resume',
  'cancel',
  'cancel-waiting',
  'undo-cancel',
  'retry',
  'skip-duplicates',
  'upload-duplicates',
  'clear',
  'clear-completed',
  'undo-clear',
] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

/** Returns whether a command changes a row; it skips the others. `isTransferring`: see `cancelEffect`. */
export function applies(name: CommandName, upload: Upload, isTransferring: boolean): boolean {
  switch (name) {
    case 'cancel-waiting':
      return cancelEffect(upload, isTransferring) === 'waiting';
    case 'undo-cancel':
      return upload.state === 'cancelled' && upload.cancelledFrom !== null;
    case 'skip-duplicates':
      return isOpenToChoice(upload, 'skip');
    case 'upload-duplicates':
      return isOpenToChoice(upload, 'upload');
    case 'clear':
      return canClear(upload);
    case 'clear-completed':
      return isClearedAsCompleted(upload);
    case 'undo-clear':
      return upload.clearedAt !== null;
    default:
      return changesRow(name, upload);
  }
}

/**
 * Returns whether pause, resume, cancel or retry changes a row. Failed follow-ups of a complete upload can be retried, too. A
 * duplicate is not retried, because it would only need the same decision again.
 */
function changesRow(command: UploadCommand, upload: Upload): boolean {
  const { state, followUps } = upload;
  if (commandApplies(command, state)) return command !== 'retry' || !asksAboutDuplicate(upload);
  return command === 'retry' && state === 'complete' && followUps.some((each) => each.state === 'failed');
}

/** Returns the states in which a command may change a row, to select rows of one batch or of all. */
export function statesFor(name: CommandName, isOfOneBatch: boolean): readonly UploadState[] {
  switch (name) {
    case 'skip-duplicates':
    case 'upload-duplicates':
      // Files that a batch skipped by its own rule are sent when that batch is selected, not with all uploads that need
      // a decision.
      return isOfOneBatch ? ['failed', 'skipped'] : ['failed'];
    case 'cancel-waiting':
      return COMMAND_STATES.cancel;
    case 'undo-cancel':
      return ['cancelled'];
    case 'clear':
    case 'undo-clear':
      return ENDED_STATES;
    case 'clear-completed':
      return ['complete', 'cancelled', 'skipped'];
    default:
      return COMMAND_STATES[name];
  }
}

/** Returns whether no upload may start during the command, because it would start what it is about to stop. */
export function blocksStarts(name: CommandName): boolean {
  return name === 'pause' || name === 'cancel' || name === 'cancel-waiting' || name === 'skip-duplicates';
}
