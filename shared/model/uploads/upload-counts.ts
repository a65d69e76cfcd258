import { FILTER_STATES, isEnded, UPLOAD_STATES, type UploadState } from './upload-states.ts';

/** Counts of the uploads of a batch or of the whole queue. An absent state counts as zero. */
export interface CountedUploads {
  counts: Readonly<Partial<Record<UploadState, number>>>;
  /** How many of the `failed` uploads need a decision about a duplicate. */
  duplicates: number;
}

/** The outcomes of uploads as screens show them: `added` is the sum of all others. */
export interface UploadOutcomes {
  added: number;
  complete: number;
  failed: number;
  needsDecision: number;
  cancelled: number;
  skipped: number;
  pending: number;
}

export function uploadOutcomes({ counts, duplicates }: CountedUploads): UploadOutcomes {
  const { complete = 0, failed: inFailed = 0, cancelled = 0, skipped = 0 } = counts;
  const needsDecision = Math.min(duplicates, inFailed);
  const pending = pendingOf(counts);
  const added = complete + inFailed + cancelled + skipped + pending;
  return { added, complete, failed: inFailed - needsDecision, needsDecision, cancelled, skipped, pending };
}

/** Returns how many uploads a filter shows. */
export function countFor(filter: keyof typeof FILTER_STATES, uploads: CountedUploads): number {
  if (filter === 'failed') return uploadOutcomes(uploads).failed;
  if (filter === 'needs-decision') return uploadOutcomes(uploads).needsDecision;
  return sumOf(uploads.counts, FILTER_STATES[filter]);
}

/** Returns how many uploads have not ended. */
export function pendingOf(counts: CountedUploads['counts']): number {
  return sumOf(
    counts,
    UPLOAD_STATES.filter((state) => !isEnded(state)),
  );
}

export function sumOf(counts: CountedUploads['counts'], states: readonly UploadState[]): number {
  return states.reduce((total, state) => total + (counts[state] ?? 0), 0);
}
