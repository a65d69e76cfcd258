import type { DuplicateDetails, FollowUpRow, UploadRow } from '../../../../shared/contract/uploads.ts';
import type { Priority } from '../../../../shared/model/uploads/priorities.ts';
import { offersRetry } from '../../../../shared/model/uploads/retry-offer.ts';
import { asksAboutDuplicate } from '../../../../shared/model/uploads/upload-machine.ts';
import { isEnded } from '../../../../shared/model/uploads/upload-states.ts';
import { errorText } from '../../../kit/text/errors.ts';
import { formatDateTime, formatWait, percent } from '../../../kit/text/format.ts';
import type { StateLook } from '../../../kit/text/states.ts';
import { texts } from '../texts.ts';

const { note } = texts.row;

const OVERDUE_S = 3;

/**
 * Returns the second line of an upload row, which explains its state or says when the next attempt begins; null: no second
 * line.
 */
export function rowNote(row: UploadRow, nowMs: number): string | null {
  if (row.state === 'waiting' && row.nextAttemptAt !== null) {
    return retryNote(row.attempts, (row.nextAttemptAt - nowMs) / 1000);
  }
  if (isSentOut(row)) return note.allSent;
  if (row.state === 'sending' && row.attempts > 1) return note.attempt(row.attempts);
  if (row.state === 'processing') return note.processing;
  if (row.state === 'finishing') return note.finishing;
  return null;
}

function retryNote(attempts: number, seconds: number): string | null {
  // An overdue retry means that the whole queue is idle; the strip shows the reason.
  if (seconds < -OVERDUE_S) return attempts > 0 ? note.attemptFailed(attempts) : null;
  const again = seconds < 1 ? note.tryingNow : note.nextTry(formatWait(seconds));
  return attempts > 0 ? note.attemptFailedThen(attempts, again) : again;
}

/** Returns whether all bytes are sent while the library has not confirmed the transfer. */
export function isSentOut(row: UploadRow): boolean {
  return row.state === 'sending' && row.sentBytes >= row.sizeBytes;
}

/** Returns the sent bytes of a row in per cent. Only a complete upload is certain to have 100. */
export function rowPercent(row: UploadRow): number {
  if (row.state === 'complete') return 100;
  return percent(row.sentBytes, row.sizeBytes);
}

/** Returns whether the row shows a progress bar. */
export function showsBar(row: UploadRow): boolean {
  if (isEnded(row.state)) return false;
  return row.state !== 'queued' && (row.state !== 'waiting' || row.sentBytes > 0);
}

export type RowAction = 'pause' | 'resume' | 'retry' | 'cancel';

/** Returns the commands that a row in this state offers. */
export function rowActions(row: Pick<UploadRow, 'state' | 'followUps' | 'error'>): RowAction[] {
  const { state } = row;
  if (asksAboutDuplicate(row)) return [];
  switch (state) {
    case 'queued':
    case 'preparing':
    case 'sending':
      return ['pause', 'cancel'];
    case 'waiting':
      return offersRetry(row) ? ['retry', 'pause', 'cancel'] : ['pause', 'cancel'];
    case 'paused':
      return ['resume', 'cancel'];
    case 'failed':
    case 'cancelled':
      return offersRetry(row) ? ['retry'] : [];
    case 'finishing':
    case 'processing':
    case 'publishing':
      return ['cancel'];
    case 'complete':
      return offersRetry(row) ? ['retry'] : [];
    case 'skipped':
      return [];
  }
}

/** Returns the existing item of an upload that is a duplicate or was skipped as one; null otherwise. */
export function duplicateOf({ error }: Pick<UploadRow, 'error'>): DuplicateDetails | null {
  if (error?.code !== 'upload.duplicate' && error?.code !== 'upload.duplicate-skipped') return null;
  const { mediaId, title, url, where, match, uploadedAt } = error.details ?? {};
  if (typeof mediaId !== 'string') return null;
  return {
    mediaId,
    title: typeof title === 'string' && title !== '' ? title : texts.duplicate.untitled,
    url: typeof url === 'string' ? url : null,
    where: where === 'history' ? 'history' : 'library',
    match: match === 'name-and-size' ? 'name-and-size' : 'contents',
    uploadedAt: typeof uploadedAt === 'number' ? uploadedAt : null,
  };
}

/** Returns the facts of a match: `same contents, uploaded 19 Nov 2026, 14:02`. */
export function duplicateFacts({ match, where, uploadedAt }: DuplicateDetails): string {
  const { sameContents, sameTitleAndSize, similar, uploaded } = texts.duplicate;
  const sameness = match === 'contents' ? sameContents : where === 'library' ? sameTitleAndSize : similar;
  return uploadedAt === null ? sameness : uploaded(sameness, formatDateTime(uploadedAt));
}

/** Returns the appearance of a follow-up of an upload. */
export function followUpLook({ kind, state, fileName, guessed }: FollowUpRow): StateLook {
  if (state === 'failed') return { word: texts.followUps.failed[kind], icon: 'failed', tone: 'bad' };
  if (state === 'pending') return { word: texts.followUps.pending[kind], icon: 'queued', tone: 'neutral' };
  if (guessed !== undefined) return { word: texts.followUps.guessed(guessed), icon: 'complete', tone: 'neutral' };
  const word =
    kind === 'source' && fileName !== '' ? texts.followUps.movedTo(folderOf(fileName)) : texts.followUps.done[kind];
  return { word, icon: 'complete', tone: 'good' };
}

/** Returns a follow-up as a sentence, with its error if there is one. */
export function followUpSentence(followUp: FollowUpRow): string {
  const { kind, fileName, error } = followUp;
  const name = texts.followUps.names[kind];
  const what = fileName === '' ? name : `${name} ${fileName}`;
  const reason = error === null ? '' : ` ${errorText(error)}`;
  return texts.followUps.sentence(what, followUpLook(followUp).word.toLowerCase(), reason);
}

/** Returns the folder name of a path with slashes or backslashes. */
function folderOf(path: string): string {
  return path.split(/[\\/]/).at(-2) || path;
}

/** The word and icon of each priority. Lists do not show the default priority, so it has no icon. */
export const PRIORITY_LOOKS: Readonly<Record<Priority, { word: string; glyph: 'high' | 'low' | null }>> = {
  high: { word: texts.row.priorities.high, glyph: 'high' },
  normal: { word: texts.row.priorities.normal, glyph: null },
  low: { word: texts.row.priorities.low, glyph: 'low' },
};
