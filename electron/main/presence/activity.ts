import type { Download } from '../../../shared/contract/downloads.ts';
import type { EditTotals } from '../../../shared/contract/edits.ts';
import type { RunningWork } from '../../../shared/contract/updates.ts';
import type { UploadTotals } from '../../../shared/contract/uploads.ts';
import type { WatchedFolder } from '../../../shared/contract/watch.ts';
import { pendingOf, sumOf, uploadOutcomes } from '../../../shared/model/uploads/upload-counts.ts';
import { FILTER_STATES } from '../../../shared/model/uploads/upload-states.ts';

/** What the engine reports about its work. Null: not known yet. */
export interface WorkFacts {
  totals: UploadTotals | null;
  folders: readonly Pick<WatchedFolder, 'id' | 'state' | 'isSweeping'>[];
  edits: EditTotals | null;
  downloads: readonly Pick<Download, 'state'>[];
}

/** What Mediadesk is doing, as tray, taskbar and the questions about closing show it. */
export interface Activity {
  /** Uploads that continue without the user. */
  uploads: number;
  downloads: number;
  /** Edits that will be sent. */
  edits: number;
  /** Watched folders whose new files are uploaded. */
  folders: number;
  /** The user paused the queue. */
  isPaused: boolean;
  /** The sent share of all bytes, from 0 to 1; null when no upload is open. */
  progress: number | null;
  /** Failed uploads, open decisions, and edits that need the user. */
  attention: number;
}

const WATCHING: readonly WatchedFolder['state'][] = ['watching', 'sweep-only', 'waiting-for-drive'];

/** Summarizes the facts. */
export function activityOf({ totals, folders, edits, downloads }: WorkFacts): Activity {
  const outcomes = totals === null ? null : uploadOutcomes(totals);
  return {
    uploads: totals === null ? 0 : continuing(totals),
    downloads: downloads.filter(({ state }) => state === 'queued' || state === 'running').length,
    edits: edits?.pending ?? 0,
    folders: folders.filter(({ state }) => WATCHING.includes(state)).length,
    isPaused: totals?.paused ?? false,
    progress: totals === null || pendingOf(totals.counts) === 0 ? null : share(totals),
    attention:
      (outcomes?.failed ?? 0) + (outcomes?.needsDecision ?? 0) + (edits?.conflict ?? 0) + (edits?.refused ?? 0),
  };
}

/** Returns the number of uploads that continue. In a paused queue, only those whose bytes are sent already do. */
function continuing({ counts, paused }: UploadTotals): number {
  if (paused) return sumOf(counts, FILTER_STATES.active);
  return pendingOf(counts) - sumOf(counts, ['paused']);
}

function share({ sentBytes, totalBytes }: UploadTotals): number {
  return totalBytes > 0 ? Math.min(1, sentBytes / totalBytes) : 0;
}

/** Returns the work that a restart would interrupt; null: not known yet. */
export function runningWork(facts: WorkFacts): RunningWork | null {
  if (facts.totals === null || facts.edits === null) return null;
  const { uploads, downloads, edits } = activityOf(facts);
  return { uploads, downloads, edits, sweeps: facts.folders.filter(({ isSweeping }) => isSweeping).length };
}

/** Returns whether Mediadesk works without the user: closing the window would interrupt it. */
export function isAppAtWork({ uploads, downloads, edits, folders }: Activity): boolean {
  return uploads + downloads + edits + folders > 0;
}

/** Returns whether a transfer is not finished. Edits are stored: they are sent whenever Mediadesk runs. */
export function isTransferring({ uploads, downloads }: Activity): boolean {
  return uploads + downloads > 0;
}
