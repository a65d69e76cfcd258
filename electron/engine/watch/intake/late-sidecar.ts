import { basename } from 'node:path';
import { companionKindOf } from '../../../../shared/model/pairing/pair-files.ts';
import { hasSidecar, isReplaced, newFollowUp } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload, UploadEvent } from '../../../../shared/model/uploads/upload.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import { knownBeside } from './described-files.ts';

/** Captions or a thumbnail whose recording was queued before. */
export interface LateSidecar {
  row: WatchedFile;
  /** The full path. */
  path: string;
  recording: WatchedFile;
}

/**
 * Returns the event that gives a late sidecar to the upload of its recording: it is added, or it replaces the file that had its
 * path before and was not sent yet. Null when the upload has no item and will have none, or already has such a sidecar: captions
 * of the same name, or a thumbnail.
 */
export function lateEvent({ row, path }: LateSidecar, upload: Upload): UploadEvent | null {
  if (upload.state === 'cancelled' || upload.state === 'skipped') return null;
  const kind = companionKindOf(path);
  if (kind === null || kind === 'details') return null;
  const known = knownBeside(row, upload);
  const index = upload.followUps.findIndex((each) => each.kind === kind && each.path === path);
  const earlier = upload.followUps[index];
  if (earlier !== undefined && (isReplaced(earlier) || (earlier.state === 'pending' && earlier.sentAt === null))) {
    return { kind: 'companion-accepted', index, file: known };
  }
  const fileName = shownName(basename(path));
  if (hasSidecar(upload.followUps, { kind, fileName })) return null;
  return { kind: 'follow-up-added', followUp: newFollowUp({ kind, path, fileName, known }) };
}
