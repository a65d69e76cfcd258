import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import type { UploadPlan } from '../../../../shared/model/watch/apply-rules.ts';
import type { ReadMediaFacts } from '../../media-tags/media-facts.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import { forcedOutcome } from './settle-file.ts';

/**
 * Returns the plan that the current rules give to a queued file, with the title of its upload; null when no rule accepts the file
 * now. Reads the contents of the file only if the title needs them and the row does not have the title.
 */
export async function planOfUpload(
  folder: FolderRecord,
  row: WatchedFile,
  upload: Upload,
  { clock, mediaFacts }: { clock: Clock; mediaFacts: ReadMediaFacts },
): Promise<UploadPlan | null> {
  const outcome = forcedOutcome(folder, row, clock.now());
  if (outcome.kind !== 'upload') return null;
  const title = row.outcome?.title;
  if (title !== undefined) return { ...outcome.plan, title, needsContents: false };
  if (!outcome.plan.needsContents) return outcome.plan;
  const complete = forcedOutcome(folder, row, clock.now(), await mediaFacts(upload.path, folder.root));
  return complete.kind === 'upload' ? complete.plan : null;
}
