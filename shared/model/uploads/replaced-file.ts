import type { FollowUp } from './follow-ups.ts';
import { isReplaced } from './follow-ups.ts';
import { asksAboutReplaced } from './upload-machine.ts';
import type { UploadState } from './upload-states.ts';

/** Whether another file is at the path of an upload, or of its captions or thumbnail, and the user can decide to send it. */
export function hasReplacedFile(upload: {
  state: UploadState;
  error: { code: string } | null;
  followUps: readonly (Pick<FollowUp, 'state'> & { error: { code: string } | null })[];
}): boolean {
  return asksAboutReplaced(upload) || upload.followUps.some(isReplaced);
}
