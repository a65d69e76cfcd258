import type { FollowUpRow } from '../../../../shared/contract/uploads.ts';
import type { FollowUp } from '../../../../shared/model/uploads/follow-ups.ts';

/** Returns a follow-up as screens and receipts show it. A recording that was moved is shown with its new path. */
export function shownFollowUp({ kind, state, fileName, target, error, guessed }: FollowUp): FollowUpRow {
  const name = kind === 'source' ? (state === 'done' ? (target ?? '') : '') : fileName;
  return { kind, state, fileName: name, error, ...(guessed === undefined ? {} : { guessed }) };
}
