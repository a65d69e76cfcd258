import type { Batch, ReceiptLine } from '../../shared/contract/uploads.ts';
import { pendingOf } from '../stores/uploads-merge.ts';
import { counted, formatCount } from './format.ts';
import { type StateLook, UPLOAD_LOOKS } from './states.ts';

export interface ReceiptTotals {
  added: number;
  complete: number;
  failed: number;
  cancelled: number;
  skipped: number;
  pending: number;
}

/** The counts of a receipt: added = complete + failed + cancelled + skipped + pending. */
export function receiptTotals(counts: Batch['counts']): ReceiptTotals {
  const { complete = 0, failed = 0, cancelled = 0, skipped = 0 } = counts;
  const pending = pendingOf(counts);
  return { added: complete + failed + cancelled + skipped + pending, complete, failed, cancelled, skipped, pending };
}

/** One look for a whole batch: what matters most of it. */
export function batchLook(totals: ReceiptTotals): StateLook {
  if (totals.failed > 0) return { ...UPLOAD_LOOKS.failed, word: `${formatCount(totals.failed)} failed` };
  if (totals.pending > 0)
    return { ...UPLOAD_LOOKS.queued, word: `${formatCount(totals.pending)} to go`, tone: 'active' };
  if (totals.complete > 0) return { ...UPLOAD_LOOKS.complete, word: `${formatCount(totals.complete)} complete` };
  if (totals.cancelled > 0) return UPLOAD_LOOKS.cancelled;
  return UPLOAD_LOOKS.skipped;
}

/** How the outcome of one file is shown. */
export function outcomeLook(outcome: ReceiptLine['outcome']): StateLook {
  return outcome === 'pending' ? { ...UPLOAD_LOOKS.queued, word: 'Pending' } : UPLOAD_LOOKS[outcome];
}

/** The same counts as a sentence, for people who hear the screen. */
export function totalsSentence(totals: ReceiptTotals): string {
  const parts = [
    `${formatCount(totals.complete)} complete`,
    `${formatCount(totals.failed)} failed`,
    `${formatCount(totals.cancelled)} cancelled`,
    `${formatCount(totals.skipped)} skipped`,
    `${formatCount(totals.pending)} pending`,
  ];
  return `${counted(totals.added, 'file')} added: ${parts.join(', ')}.`;
}
