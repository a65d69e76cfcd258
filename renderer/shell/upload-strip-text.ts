import type { EditGroup } from '../../shared/contract/edits.ts';
import type { Batch, UploadTotals } from '../../shared/contract/uploads.ts';
import { pendingOf, sumOf, uploadOutcomes } from '../../shared/model/uploads/upload-counts.ts';
import { formatSpeed, formatWait, percent } from '../kit/text/format.ts';
import { failuresOf, pausedWords } from '../kit/text/upload-text.ts';
import { texts } from './texts.ts';

/** The uploads that the strip counts. */
interface Work {
  /** Without cancelled and skipped uploads. */
  total: number;
  /** The number of complete and failed uploads. An upload that needs a decision has not ended. */
  ended: number;
  failed: number;
  needsDecision: number;
}

/** Returns the counts of the batches with pending uploads, without ended batches; of all uploads when none is pending. */
export function workOf(batches: readonly Batch[], totals: UploadTotals): Work {
  const open = batches.filter((batch) => pendingOf(batch.counts) > 0);
  const work: Work = { total: 0, ended: 0, failed: 0, needsDecision: 0 };
  for (const uploads of open.length > 0 ? open : [totals]) {
    const { complete, failed, needsDecision, pending } = uploadOutcomes(uploads);
    work.ended += complete + failed;
    work.failed += failed;
    work.needsDecision += needsDecision;
    work.total += complete + failed + needsDecision + pending;
  }
  return work;
}

/** Returns a text such as `12 of 400 · 38 MB/s · 4 min left`; while nothing is sent, the phase, the pause or the outcome. */
export function stripSentence(totals: UploadTotals, work: Work, nowMs: number): string {
  const pending = pendingOf(totals.counts);
  if (pending === 0) return restSentence(totals);
  const parts = [texts.strip.ended(work.ended, work.total)];
  if (totals.paused) parts.push(pausedWords(totals, nowMs));
  else if (totals.blockedBy === null) parts.push(...speedWords(totals));
  if (work.failed > 0) parts.push(texts.strip.failed(work.failed));
  if (totals.duplicates > 0) parts.push(texts.strip.needDecision(totals.duplicates));
  return parts.join(' · ');
}

/** Returns the speed and the time left, or the current phase while no bytes are sent. */
function speedWords(totals: UploadTotals): string[] {
  if (totals.bytesPerSecond <= 0 || isAllSent(totals)) return [phaseWord(totals)];
  const left = totals.secondsLeft === null ? [] : [texts.strip.timeLeft(formatWait(totals.secondsLeft))];
  return [formatSpeed(totals.bytesPerSecond), ...left];
}

function phaseWord(totals: UploadTotals): string {
  const { counts } = totals;
  const { phases } = texts.strip;
  if (isAllSent(totals)) {
    return sumOf(counts, ['sending', 'finishing']) > 0 ? phases.sentFinishing : phases.sentProcessing;
  }
  if (sumOf(counts, ['sending']) > 0) return phases.sending;
  if (sumOf(counts, ['preparing']) > 0) return phases.starting;
  if (sumOf(counts, ['finishing']) > 0) return phases.finishing;
  if (sumOf(counts, ['processing', 'publishing']) > 0) return phases.processing;
  return phases.waiting;
}

/** Returns whether all bytes are sent while the uploads themselves are not complete. */
function isAllSent({ totalBytes, sentBytes, counts }: UploadTotals): boolean {
  const isAtWork = sumOf(counts, ['sending', 'finishing', 'processing', 'publishing']) > 0;
  return isAtWork && totalBytes > 0 && sentBytes >= totalBytes;
}

/** The sentence while no upload is pending. */
function restSentence(totals: UploadTotals): string {
  const { complete = 0 } = totals.counts;
  const failed = failuresOf(totals);
  if (totals.duplicates > 0) {
    const others = failed > 0 ? [texts.strip.failed(failed)] : [];
    const asking = texts.strip.uploadsNeedDecision(totals.duplicates);
    return [asking, ...others, texts.strip.complete(complete)].join(' · ');
  }
  if (failed > 0) return `${texts.strip.uploadsFailed(failed)} · ${texts.strip.complete(complete)}`;
  if (complete === 0) return texts.strip.none;
  const left = totals.followUps.failed > 0 ? ` · ${texts.strip.followUpsFailed(totals.followUps.failed)}` : '';
  return `${texts.strip.uploadsComplete(complete)}${left}`;
}

/**
 * Returns the sent share of all bytes in whole per cent, at most 99 while an upload is open. null when all bytes are sent and
 * the queue is neither paused nor blocked: the progress of the remaining work can't be measured.
 */
export function totalPercent(totals: UploadTotals): number | null {
  if (isAllSent(totals) && !totals.paused && totals.blockedBy === null) return null;
  return Math.min(99, percent(totals.sentBytes, totals.totalBytes));
}

/** Says how many edits of these groups are sent, or how many an undo has not dropped yet. `pending`: the open edits of all groups. */
export function busyEditsSentence(
  running: readonly Pick<EditGroup, 'items' | 'counts' | 'undoneAt'>[],
  pending: number,
): string {
  const undoing = running.filter(({ undoneAt }) => undoneAt !== null);
  if (undoing.length > 0) return texts.edits.undoing(undoing.reduce((sum, { counts }) => sum + counts.pending, 0));
  const items = running.reduce((sum, group) => sum + group.items, 0);
  return texts.edits.saving(Math.max(0, items - pending), Math.max(items, pending));
}
