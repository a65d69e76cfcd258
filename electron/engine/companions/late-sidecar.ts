import { type CompanionFile, companionFollowUp, isReplaced } from '../../../shared/model/uploads/follow-ups.ts';
import type { Upload, UploadEvent } from '../../../shared/model/uploads/upload.ts';
import type { UploadStore } from '../uploads/journal/upload-store.ts';

/** States of additions that add nothing to their item. */
const BRINGS_NOTHING: ReadonlySet<Upload['state']> = new Set(['failed', 'cancelled', 'skipped']);

/**
 * Returns whether this computer added captions with this name, or a thumbnail, to the item of an upload, or is going to: with the
 * upload, or later.
 */
export function hasSidecar(
  { siteId, mediaId, followUps }: Upload,
  { kind, fileName }: Pick<CompanionFile, 'kind' | 'fileName'>,
  store: Pick<UploadStore, 'additionsTo'>,
): boolean {
  const additions = mediaId === null ? [] : store.additionsTo(siteId, mediaId);
  const added = additions.flatMap(({ state, addition, ...each }) =>
    addition === null || BRINGS_NOTHING.has(state) ? [] : [{ kind: addition.kind, fileName: each.fileName }],
  );
  return [...followUps, ...added].some(
    (each) => each.kind === kind && (kind === 'thumbnail' || each.fileName === fileName),
  );
}

/**
 * Returns the event that gives late captions or a late thumbnail to the upload of its recording: the file replaces the one that had
 * its path before and was not sent yet, or is added.
 */
export function sidecarEvent(file: CompanionFile, { followUps }: Upload): UploadEvent {
  const index = followUps.findIndex(({ kind, path }) => kind === file.kind && path === file.path);
  const earlier = followUps[index];
  const isUnsent = earlier?.state === 'pending' && earlier.sentAt === null;
  if (earlier !== undefined && (isUnsent || isReplaced(earlier))) {
    return { kind: 'companion-accepted', index, file: file.known };
  }
  return { kind: 'follow-up-added', followUp: companionFollowUp(file) };
}
