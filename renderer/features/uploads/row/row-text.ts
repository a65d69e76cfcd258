import type { UploadRow } from '../../../../shared/contract/uploads.ts';
import { offersRetry } from '../../../../shared/model/uploads/retry-offer.ts';
import { asksAboutDuplicate } from '../../../../shared/model/uploads/upload-machine.ts';
import { isEnded } from '../../../../shared/model/uploads/upload-states.ts';
import { formatWait, percent } from '../../../kit/text/format.ts';
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
