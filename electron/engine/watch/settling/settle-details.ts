import { appError } from '../../../../shared/contract/app-error.ts';
import { readOpenDetails } from '../../details/read-details.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileFacts as DiskFacts, OpenFile } from '../../ports/files.ts';
import { pathOf } from '../intake/ready-file.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';

/** A file that describes a recording which was queued before. `row.described`: the file's present values. */
export interface LateDetails {
  row: WatchedFile;
  recording: WatchedFile;
  /** The file's values before it changed; null: none. */
  before: WatchedFile['described'];
}

const SOON_MS = 1000;

/**
 * Reads a complete file that describes a recording. Returns its row: `attached` with the file's values, `refused` when it has no
 * usable value, or `settling` when it was written meanwhile. `lateDetails`: the recording was queued before.
 */
export async function settleDetails(
  {
    row,
    facts,
    file,
    recording,
    folder,
  }: {
    row: WatchedFile;
    facts: DiskFacts;
    file: OpenFile;
    recording: WatchedFile | null;
    folder: FolderRecord;
  },
  { clock }: { clock: Clock },
): Promise<{ row: WatchedFile; lateDetails?: LateDetails }> {
  const path = pathOf(folder, row);
  const details = await readOpenDetails(file, path);
  const now = await file.facts();
  if (now.sizeBytes !== facts.sizeBytes || now.mtimeMs !== facts.mtimeMs) {
    // The read contents may be partly old. The next poll notes the change.
    return { row: { ...row, state: 'settling', dueAt: clock.monotonic() + SOON_MS } };
  }
  if (details.kind !== 'details') {
    const reason =
      details.kind === 'none'
        ? appError('watch.no-details', { details: { path } })
        : appError(details.code, {
            details: { path, ...(details.field === undefined ? {} : { field: details.field }) },
          });
    const refused: WatchedFile = { ...row, state: 'refused', history: null, described: null, reason: reason.toData() };
    return { row: refused };
  }
  const read: WatchedFile = { ...row, state: 'attached', history: null, described: details.fields };
  const isLate = recording !== null && (recording.state === 'queued' || recording.state === 'done');
  if (!isLate) return { row: read };
  return { row: read, lateDetails: { row: read, recording, before: row.described } };
}
