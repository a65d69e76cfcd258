import { basename } from 'node:path';
import { companionKindOf } from '../../../../shared/model/pairing/pair-files.ts';
import { type FollowUp, hasSidecar, newFollowUp } from '../../../../shared/model/uploads/follow-ups.ts';
import type { Upload } from '../../../../shared/model/uploads/upload.ts';
import { shownName } from '../../ports/system/byte-paths.ts';
import type { WatchedFile } from '../rows/watched-file.ts';

/** Captions or a thumbnail whose recording was queued before. */
export interface LateSidecar {
  row: WatchedFile;
  /** The full path. */
  path: string;
  recording: WatchedFile;
}

/**
 * Returns the follow-up that adds a late sidecar to the item of its recording. Null when the upload has no item and will have
 * none, or already has such a sidecar: captions of the same name, or a thumbnail.
 */
export function lateFollowUp({ path }: LateSidecar, upload: Upload | null): FollowUp | null {
  if (upload === null || upload.state === 'cancelled' || upload.state === 'skipped') return null;
  const kind = companionKindOf(path);
  if (kind === null || kind === 'details') return null;
  const fileName = shownName(basename(path));
  return hasSidecar(upload.followUps, { kind, fileName }) ? null : newFollowUp({ kind, path, fileName });
}
