import type { UploadRow, UploadTotals } from '../../../shared/contract/uploads.ts';
import { OPEN_UPLOAD_STATES, type UploadState } from '../../../shared/model/uploads/upload-states.ts';
import { displayWidth, fitInto, formatBytes, formatDuration, printable } from '../output/text-format.ts';

/** The text that is shown for a state. */
const STATE_WORDS: Record<UploadState, string> = {
  queued: 'queued',
  preparing: 'preparing',
  sending: 'sending',
  finishing: 'finishing',
  processing: 'processing',
  publishing: 'publishing',
  waiting: 'waiting',
  paused: 'paused',
  complete: 'complete',
  failed: 'failed',
  cancelled: 'cancelled',
  skipped: 'skipped',
};

/** Numbers of uploads since the start of this run. */
export interface RunTally {
  total: number;
  complete: number;
  failed: number;
  cancelled: number;
}

type Counts = UploadTotals['counts'];

/**
 * Counts the uploads that were open at `start` or were added later, by how they ended. Uploads that ended before `start` are
 * not counted. `total` is never less than the ended ones.
 */
export function tally(start: Counts, now: Counts): RunTally {
  const since = (state: UploadState) => Math.max(0, (now[state] ?? 0) - (start[state] ?? 0));
  const complete = since('complete');
  const failed = since('failed');
  const cancelled = since('cancelled');
  const open = OPEN_UPLOAD_STATES.reduce((sum, state) => sum + (now[state] ?? 0), 0);
  return { total: open + complete + failed + cancelled, complete, failed, cancelled };
}

/** Returns the share of sent bytes, 0–100. 100 only when there is nothing more to send. */
export function percentSent({ sentBytes, totalBytes }: Pick<UploadTotals, 'sentBytes' | 'totalBytes'>): number {
  if (totalBytes <= 0) return 0;
  return Math.max(0, Math.min(100, Math.floor((sentBytes / totalBytes) * 100)));
}

function bar(percent: number, columns: number): string {
  const filled = Math.floor((percent / 100) * columns);
  return '█'.repeat(filled) + '░'.repeat(columns - filled);
}

/** Returns one line: `12 of 40 complete · 1 failed · 38 MB/s · 4 min left`. */
export function totalsLine(totals: UploadTotals, count: RunTally): string {
  const parts = [`${count.complete} of ${count.total} complete`];
  if (count.failed > 0) parts.push(`${count.failed} failed`);
  if (count.cancelled > 0) parts.push(`${count.cancelled} cancelled`);
  if (totals.blockedBy) parts.push(printable(totals.blockedBy.message));
  else if (totals.paused) parts.push('paused');
  if (totals.bytesPerSecond > 0) parts.push(`${formatBytes(totals.bytesPerSecond)}/s`);
  if (totals.secondsLeft !== null && totals.secondsLeft > 0) parts.push(`${formatDuration(totals.secondsLeft)} left`);
  return parts.join(' · ');
}

/** Returns the state of an upload in a queue that no process works on: without the time of the next attempt. */
export function restDetail(row: UploadRow): string {
  return rowDetail({ ...row, nextAttemptAt: null }, 0);
}

/** Returns the state of an upload that another process works on: how much it has sent is known only there. */
export function workedOnDetail(row: UploadRow, nowMs: number): string {
  return row.state === 'sending' ? `${STATE_WORDS.sending} ${formatBytes(row.sizeBytes)}` : rowDetail(row, nowMs);
}

/** Returns the state of an upload with its progress, next attempt or error. `nowMs`: wall clock, epoch milliseconds. */
function rowDetail(row: UploadRow, nowMs: number): string {
  if (row.state === 'sending') {
    const percent = percentSent({ sentBytes: row.sentBytes, totalBytes: row.sizeBytes });
    return `${STATE_WORDS.sending} ${percent} % of ${formatBytes(row.sizeBytes)}`;
  }
  if (row.state === 'waiting' && row.nextAttemptAt !== null && row.nextAttemptAt > nowMs) {
    const again = `again in ${formatDuration((row.nextAttemptAt - nowMs) / 1000)}`;
    return `waiting, ${again}${row.error ? `: ${printable(row.error.message)}` : ''}`;
  }
  if (row.state === 'queued' && row.collectionId === '') {
    return `${STATE_WORDS.queued}, collection “${printable(row.collectionName)}” not confirmed yet`;
  }
  if (row.error && row.state !== 'complete') return `${STATE_WORDS[row.state]}: ${printable(row.error.message)}`;
  return STATE_WORDS[row.state];
}

const NAME_COLUMNS = 36;
const BAR_COLUMNS = 20;

/** Returns the lines of the progress display on a terminal: a bar with totals, and one line per active upload. */
export function progressPicture(
  totals: UploadTotals,
  count: RunTally,
  active: readonly UploadRow[],
  screen: { columns: number; rows: number; nowMs: number },
): string[] {
  const isOver = count.total > 0 && count.complete + count.failed + count.cancelled === count.total;
  const percent = isOver ? 100 : percentSent(totals);
  const room = Math.max(0, Math.min(8, screen.rows - 3));
  const width = Math.max(20, screen.columns - 1);
  const nameColumns = Math.min(NAME_COLUMNS, Math.floor(width / 2));
  const first = `${bar(percent, BAR_COLUMNS)} ${String(percent).padStart(3)} %  ${totalsLine(totals, count)}`;
  const lines = [first];
  for (const row of active.slice(0, room)) {
    lines.push(`  ${fitInto(printable(row.fileName), nameColumns)}  ${rowDetail(row, screen.nowMs)}`);
  }
  if (active.length > room) lines.push(`  … and ${active.length - room} more`);
  return lines.map((line) => (displayWidth(line) > width ? fitInto(line, width).trimEnd() : line));
}

/** Returns the line for a change of state without a terminal; null for changes that are not shown. */
export function changeLine(row: UploadRow, nowMs: number): string | null {
  const name = printable(row.fileName);
  switch (row.state) {
    case 'sending':
      return `${name}: sending ${formatBytes(row.sizeBytes)}`;
    case 'processing':
    case 'publishing':
    case 'complete':
    case 'cancelled':
    case 'paused':
      return `${name}: ${STATE_WORDS[row.state]}`;
    case 'waiting':
    case 'failed':
    case 'skipped':
      return `${name}: ${rowDetail(row, nowMs)}`;
    default:
      return null;
  }
}
