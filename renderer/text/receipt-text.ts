import type { Batch, ReceiptLine } from '../../shared/contract/uploads.ts';
import { pendingOf } from '../stores/uploads-merge.ts';
import { counted, formatCount } from './format.ts';
import { type StateLook, UPLOAD_LOOKS } from './states.ts';

export interface ReceiptTotals {
  added: number;
  complete: number;
  failed: number;
  asks: number;
  cancelled: number;
  skipped: number;
  pending: number;
}

/** The counts of a receipt: added = complete + failed + asks + cancelled + skipped + pending. */
export function receiptTotals({ counts, duplicates: asks }: Pick<Batch, 'counts' | 'duplicates'>): ReceiptTotals {
  const { complete = 0, cancelled = 0, skipped = 0 } = counts;
  const failed = (counts.failed ?? 0) - asks;
  const pending = pendingOf(counts);
  const added = complete + failed + asks + cancelled + skipped + pending;
  return { added, complete, failed, asks, cancelled, skipped, pending };
}

/** The collection has the file already: a person has to say what is to become of it. */
const ASKS: StateLook = { word: 'Already there', icon: 'unknown', tone: 'waiting' };

/** One look for a whole batch: what matters most of it. */
export function batchLook(totals: ReceiptTotals): StateLook {
  if (totals.failed > 0) return { ...UPLOAD_LOOKS.failed, word: `${formatCount(totals.failed)} failed` };
  if (totals.asks > 0)
    return { ...ASKS, word: `${formatCount(totals.asks)} ${totals.asks === 1 ? 'asks' : 'ask'} you` };
  if (totals.pending > 0)
    return { ...UPLOAD_LOOKS.queued, word: `${formatCount(totals.pending)} to go`, tone: 'active' };
  if (totals.complete > 0) return { ...UPLOAD_LOOKS.complete, word: `${formatCount(totals.complete)} complete` };
  if (totals.cancelled > 0) return UPLOAD_LOOKS.cancelled;
  return UPLOAD_LOOKS.skipped;
}

/** How the outcome of one file is shown. */
export function outcomeLook(outcome: ReceiptLine['outcome']): StateLook {
  if (outcome === 'asks') return ASKS;
  return outcome === 'pending' ? { ...UPLOAD_LOOKS.queued, word: 'Pending' } : UPLOAD_LOOKS[outcome];
}

/** The same counts as a sentence, for people who hear the screen. */
export function totalsSentence(totals: ReceiptTotals): string {
  const parts = [
    `${formatCount(totals.complete)} complete`,
    `${formatCount(totals.failed)} failed`,
    ...(totals.asks > 0 ? [`${formatCount(totals.asks)} already there`] : []),
    `${formatCount(totals.cancelled)} cancelled`,
    `${formatCount(totals.skipped)} skipped`,
    `${formatCount(totals.pending)} pending`,
  ];
  return `${counted(totals.added, 'file')} added: ${parts.join(', ')}.`;
}
