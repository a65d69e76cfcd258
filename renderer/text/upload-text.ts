import type { Batch, UploadRow, UploadTotals } from '../../shared/contract/uploads.ts';
import { offersRetry } from '../../shared/model/retry-offer.ts';
import { type CountedUploads, pendingOf, sumOf, uploadOutcomes } from '../../shared/model/upload-counts.ts';
import { asksAboutDuplicate } from '../../shared/model/upload-machine.ts';
import { isEnded } from '../../shared/model/upload-states.ts';
import type { Work } from '../stores/uploads/uploads-merge.ts';
import { counted, formatCount, formatDateTime, formatSpeed, formatWait, percent } from './format.ts';
import { limitWords } from './limit-text.ts';
import { untilWords } from './until-text.ts';

/** `12 of 400 · 38 MB/s · 4 min left`, or what stands in its place. */
export function stripSentence(totals: UploadTotals, work: Work, nowMs: number): string {
  const pending = pendingOf(totals.counts);
  if (pending === 0) return restSentence(totals);
  const parts = [`${formatCount(work.ended)} of ${formatCount(work.total)}`];
  if (totals.paused) parts.push(pausedWords(totals, nowMs));
  else if (totals.blockedBy === null) {
    if (totals.bytesPerSecond > 0 && !isAllSent(totals)) {
      parts.push(formatSpeed(totals.bytesPerSecond));
      if (totals.secondsLeft !== null) parts.push(`${formatWait(totals.secondsLeft)} left`);
    } else parts.push(phaseWord(totals));
  }
  if (work.failed > 0) parts.push(`${formatCount(work.failed)} failed`);
  if (totals.duplicates > 0) parts.push(decisionWords(totals.duplicates));
  return parts.join(' · ');
}

/** `paused`, `paused until 20:00`. */
export function pausedWords({ pausedUntil }: UploadTotals, nowMs: number): string {
  return pausedUntil === null ? 'paused' : `paused until ${untilWords(pausedUntil, nowMs)}`;
}

/** The limit in force and how long it holds: `2 MB/s (16 Mbit/s) until 18:00`, `no limit`. */
export function limitNowWords({ limitBytesPerSecond, limitUntil }: UploadTotals, nowMs: number): string {
  const words = limitWords(limitBytesPerSecond);
  return limitUntil === null ? words : `${words} until ${untilWords(limitUntil, nowMs)}`;
}

/** What goes on while no bytes move that could be measured. */
function phaseWord(totals: UploadTotals): string {
  const { counts } = totals;
  if (isAllSent(totals)) {
    return sumOf(counts, ['sending', 'finishing']) > 0 ? 'all sent, finishing' : 'all sent, the library is processing';
  }
  if (sumOf(counts, ['sending']) > 0) return 'sending';
  if (sumOf(counts, ['preparing']) > 0) return 'starting';
  if (sumOf(counts, ['finishing']) > 0) return 'finishing';
  if (sumOf(counts, ['processing', 'publishing']) > 0) return 'the library is processing';
  return 'waiting';
}

/** True when no byte is left to be sent, though something is left to be done. */
function isAllSent({ totalBytes, sentBytes, counts }: UploadTotals): boolean {
  const isAtWork = sumOf(counts, ['sending', 'finishing', 'processing', 'publishing']) > 0;
  return isAtWork && totalBytes > 0 && sentBytes >= totalBytes;
}

/** Uploads that failed for good, without those that only ask about a duplicate. */
export function failuresOf(uploads: CountedUploads): number {
  return uploadOutcomes(uploads).failed;
}

function decisionWords(count: number): string {
  return count === 1 ? '1 needs a decision' : `${formatCount(count)} need a decision`;
}

function restSentence(totals: UploadTotals): string {
  const { complete = 0 } = totals.counts;
  const failed = failuresOf(totals);
  if (totals.duplicates > 0) {
    const others = failed > 0 ? `${formatCount(failed)} failed · ` : '';
    return `${decisionWords(totals.duplicates)} · ${others}${formatCount(complete)} complete`;
  }
  if (failed > 0) return `${counted(failed, 'upload')} failed · ${formatCount(complete)} complete`;
  const left =
    totals.followUps.failed > 0 ? ` · ${formatCount(totals.followUps.failed)} with something left to do` : '';
  if (complete === 1) return `The upload is complete${left}`;
  if (complete > 0) return `All ${formatCount(complete)} uploads are complete${left}`;
  return 'No uploads';
}

/**
 * Share of the bytes of the current work that were sent, in whole per cent; null when all are sent and what is left has no
 * measure. It is never 100 while an upload is open.
 */
export function totalPercent(totals: UploadTotals): number | null {
  if (isAllSent(totals) && !totals.paused && totals.blockedBy === null) return null;
  return Math.min(99, percent(totals.sentBytes, totals.totalBytes));
}

const OVERDUE_S = 3;

/** The second line of an upload row: what happens next, in words. */
export function rowNote(row: UploadRow, nowMs: number): string | null {
  if (row.state === 'waiting' && row.nextAttemptAt !== null) {
    const seconds = (row.nextAttemptAt - nowMs) / 1000;
    // Its time has come and it is not tried: the queue as a whole stands still, and the strip says why.
    if (seconds < -OVERDUE_S) return row.attempts > 0 ? `attempt ${row.attempts} failed` : null;
    const again = seconds < 1 ? 'trying again now' : `next try in ${formatWait(seconds)}`;
    return row.attempts > 0 ? `attempt ${row.attempts} failed, ${again}` : again;
  }
  if (isSentOut(row)) return 'all sent, finishing';
  if (row.state === 'sending' && row.attempts > 1) return `attempt ${row.attempts}`;
  if (row.state === 'processing') return 'the library is working on it';
  if (row.state === 'finishing') return 'sent, waiting for the library';
  return null;
}

/** True while the last bytes are on their way and the transfer is still open. */
export function isSentOut(row: UploadRow): boolean {
  return row.state === 'sending' && row.sentBytes >= row.sizeBytes;
}

/** Per cent of a row's bytes; complete is only what the library calls complete. */
export function rowPercent(row: UploadRow): number {
  if (row.state === 'complete') return 100;
  return percent(row.sentBytes, row.sizeBytes);
}

/** Whether a bar says something about this row. */
export function showsBar(row: UploadRow): boolean {
  if (isEnded(row.state)) return false;
  return row.state !== 'queued' && (row.state !== 'waiting' || row.sentBytes > 0);
}

/** Where an upload goes: the name of its collection, or what a person typed for it while the library was not asked. */
export function targetLabel({
  collectionId,
  collectionName,
}: Pick<UploadRow, 'collectionId' | 'collectionName'>): string {
  return collectionId === '' ? `${collectionName} (collection not checked yet)` : collectionName;
}

/** `Physics · 21 Nov 2026, 14:02 · 400 files`. */
export function batchLabel(batch: Batch): string {
  const files = Object.values(batch.counts).reduce<number>((total, count) => total + count, 0);
  return `${targetLabel(batch)} · ${formatDateTime(batch.addedAt)} · ${counted(files, 'file')}`;
}

export type RowAction = 'pause' | 'resume' | 'retry' | 'cancel';

/** What a person can do with a row in this state. */
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
