import type { ReceiptLine } from '../../../shared/contract/uploads.ts';
import type { UploadOutcomes } from '../../../shared/model/upload-counts.ts';
import { counted, formatCount } from '../../text/format.ts';
import { type StateLook, UPLOAD_LOOKS } from '../../text/states.ts';

/** How a duplicate is shown until the person decides about it. */
const ASKS: StateLook = { word: 'Needs decision', icon: 'unknown', tone: 'waiting' };

/** How a whole batch is shown: by its most important outcome. */
export function batchLook(totals: UploadOutcomes): StateLook {
  if (totals.failed > 0) return { ...UPLOAD_LOOKS.failed, word: `${formatCount(totals.failed)} failed` };
  if (totals.needsDecision > 0) {
    return { ...ASKS, word: decisionTerm(totals.needsDecision) };
  }
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

/** Returns the counts as a sentence, for screen readers. */
export function totalsSentence(totals: UploadOutcomes): string {
  const parts = [
    `${formatCount(totals.complete)} complete`,
    `${formatCount(totals.failed)} failed`,
    ...(totals.needsDecision > 0 ? [decisionTerm(totals.needsDecision)] : []),
    `${formatCount(totals.cancelled)} cancelled`,
    `${formatCount(totals.skipped)} skipped`,
    `${formatCount(totals.pending)} pending`,
  ];
  return `${counted(totals.added, 'file')} added: ${parts.join(', ')}.`;
}

function decisionTerm(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'needs' : 'need'} a decision`;
}
