import type { Batch } from '../../../../shared/contract/uploads.ts';
import { type UploadOutcomes, uploadOutcomes } from '../../../../shared/model/uploads/upload-counts.ts';
import { texts } from './texts.ts';

/** The state of a batch when the screen reader last announced something about it, or when the batch was first listed. */
export interface Announced {
  /** Quarters of the files that have ended, 0 to 4. */
  quarter: number;
  failed: number;
  needsDecision: number;
  ended: boolean;
}

/**
 * Returns the sentences that the screen reader says about the batches, with the state to pass to the next call. They announce
 * quarters of the files, new failures and decisions, and the end. The first call for a batch announces nothing, so that the start
 * of the app is silent.
 */
export function announcementsFor(
  batches: readonly Batch[],
  before: ReadonlyMap<string, Announced>,
): { sentences: string[]; announced: Map<string, Announced> } {
  const sentences: string[] = [];
  const announced = new Map<string, Announced>();
  for (const batch of batches) {
    const outcomes = uploadOutcomes(batch);
    const now = progressOf(outcomes);
    announced.set(batch.id, now);
    const last = before.get(batch.id);
    const sentence = last === undefined ? null : announcement(batch.collectionName, outcomes, now, last);
    if (sentence !== null) sentences.push(sentence);
  }
  return { sentences, announced };
}

function progressOf(outcomes: UploadOutcomes): Announced {
  const total = totalOf(outcomes);
  const { failed, needsDecision, pending } = outcomes;
  const quarter = total === 0 ? 0 : Math.floor(((total - pending) / total) * 4);
  return { quarter, failed, needsDecision, ended: pending === 0 };
}

function totalOf({ complete, failed, needsDecision, pending }: UploadOutcomes): number {
  return complete + failed + needsDecision + pending;
}

/** Returns the most important change of a batch as a sentence; null when no change is worth announcing. */
function announcement(name: string, outcomes: UploadOutcomes, now: Announced, last: Announced): string | null {
  const { complete, failed, needsDecision } = outcomes;
  if (now.ended && !last.ended) {
    return texts.ended(name, complete, failed, needsDecision);
  }
  if (failed > last.failed) return texts.failedMore(name, failed - last.failed);
  if (needsDecision > last.needsDecision) return texts.decisionsMore(name, needsDecision - last.needsDecision);
  if (now.quarter > last.quarter) {
    return texts.progress(name, now.quarter * 25, complete, totalOf(outcomes));
  }
  return null;
}

/** The maximum number of batches in one announcement. */
const MAX_SPOKEN = 3;

/** Joins the sentences to one announcement that is short enough to be heard to its end. */
export function spokenTogether(sentences: readonly string[]): string {
  const rest = sentences.length - MAX_SPOKEN;
  const spoken = sentences.slice(0, MAX_SPOKEN);
  return [...spoken, ...(rest > 0 ? [texts.moreBatches(rest)] : [])].join(' ');
}
