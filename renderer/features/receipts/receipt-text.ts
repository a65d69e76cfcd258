import type { ReceiptLine } from '../../../shared/contract/uploads.ts';
import type { UploadOutcomes } from '../../../shared/model/uploads/upload-counts.ts';
import { type StateLook, UPLOAD_LOOKS } from '../../kit/text/states.ts';
import { texts } from './texts.ts';

/** The appearance of a duplicate until the user decides about it. */
const ASKS: StateLook = { word: texts.needsDecision, icon: 'unknown', tone: 'waiting' };

/** Returns the appearance of a whole batch: that of its most important outcome. */
export function batchLook(totals: UploadOutcomes): StateLook {
  if (totals.failed > 0) return { ...UPLOAD_LOOKS.failed, word: texts.counted.failed(totals.failed) };
  if (totals.needsDecision > 0) {
    return { ...ASKS, word: texts.counted.needsDecision(totals.needsDecision) };
  }
  if (totals.pending > 0)
    return { ...UPLOAD_LOOKS.queued, word: texts.counted.inProgress(totals.pending), tone: 'active' };
  if (totals.complete > 0) return { ...UPLOAD_LOOKS.complete, word: texts.counted.complete(totals.complete) };
  if (totals.cancelled > 0) return UPLOAD_LOOKS.cancelled;
  return UPLOAD_LOOKS.skipped;
}

/** Returns the appearance of the outcome of one file. */
export function outcomeLook(outcome: ReceiptLine['outcome']): StateLook {
  if (outcome === 'asks') return ASKS;
  return outcome === 'pending' ? { ...UPLOAD_LOOKS.queued, word: texts.inProgress } : UPLOAD_LOOKS[outcome];
}

const OUTCOMES = ['complete', 'failed', 'needsDecision', 'cancelled', 'skipped', 'pending'] as const;

/** Returns the counts as a sentence, for screen readers. */
export function totalsSentence(totals: UploadOutcomes): string {
  const shown = OUTCOMES.filter((outcome) => outcome !== 'needsDecision' || totals.needsDecision > 0);
  return texts.totals(
    totals.added,
    shown.map((outcome) =>
      outcome === 'needsDecision'
        ? texts.counted.needsDecision(totals.needsDecision)
        : texts.total(totals[outcome], texts.outcomes[outcome]),
    ),
  );
}
