import { appError } from '../../../../shared/contract/app-error.ts';
import { detailsProblem } from '../../companions/pair-problems.ts';
import { readOpenDetails } from '../../details/read-details.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileFacts, OpenFile } from '../../ports/files.ts';
import { fullPathOf } from '../intake/ready-file.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';

const SOON_MS = 1000;

/**
 * Reads a complete file that describes a recording. Returns its row: `attached` with the file's values, `refused` when it has no
 * usable value, or `settling` when it was written meanwhile.
 */
export async function settleDetails(
  { row, facts, file, folder }: { row: WatchedFile; facts: FileFacts; file: OpenFile; folder: FolderRecord },
  { clock }: { clock: Clock },
): Promise<WatchedFile> {
  const path = fullPathOf(folder, row);
  const details = await readOpenDetails(file, path);
  const now = await file.facts();
  if (now.sizeBytes !== facts.sizeBytes || now.mtimeMs !== facts.mtimeMs) {
    // The read contents may be partly old. The next poll notes the change.
    return { ...row, state: 'settling', dueAt: clock.monotonic() + SOON_MS };
  }
  if (details.kind === 'details') return { ...row, state: 'attached', history: null, described: details.fields };
  const reason =
    details.kind === 'none' ? appError('watch.no-details', { details: { path } }) : detailsProblem(path, details);
  return { ...row, state: 'refused', history: null, described: null, reason: reason.toData() };
}
