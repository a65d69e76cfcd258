import type { Batch } from '../../../shared/contract/uploads.ts';
import { type UploadOutcomes, uploadOutcomes } from '../../../shared/model/upload-counts.ts';
import { counted, formatCount } from '../../text/format.ts';

/** How far a batch was when the screen reader last announced something about it, or first saw it. */
export interface Announced {
  /** Quarters of the files that have ended, 0 to 4. */
  quarter: number;
  failed: number;
  needsDecision: number;
  ended: boolean;
}

/**
 * Returns what the screen reader says about the batches now, with the state to pass to the next call. It announces
 * quarters of the files, new failures and decisions, and the end. The first call for a batch announces nothing, so that
 * the start of the app is silent.
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

/** Returns the most important change of a batch as a sentence; null when nothing is worth announcing. */
function announcement(name: string, outcomes: UploadOutcomes, now: Announced, last: Announced): string | null {
  const { complete, failed, needsDecision } = outcomes;
  if (now.ended && !last.ended) {
    const failures = failed > 0 ? `, ${formatCount(failed)} failed` : '';
    const decisions = needsDecision > 0 ? `, ${formatCount(needsDecision)} ${decisionWords(needsDecision)}` : '';
    return `Uploads to ${name} have ended: ${formatCount(complete)} complete${failures}${decisions}.`;
  }
  if (failed > last.failed) return `${counted(failed - last.failed, 'upload')} to ${name} failed.`;
  if (needsDecision > last.needsDecision) {
    const more = needsDecision - last.needsDecision;
    return `${counted(more, 'upload')} to ${name} ${decisionWords(more)}.`;
  }
  if (now.quarter > last.quarter) {
    return `Uploads to ${name}: ${now.quarter * 25} per cent, ${complete} of ${totalOf(outcomes)} complete.`;
  }
  return null;
}

function decisionWords(count: number): string {
  return count === 1 ? 'needs a decision' : 'need a decision';
}
