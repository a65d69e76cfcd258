import { isReplaced } from './follow-ups.ts';

type Failing = Parameters<typeof isReplaced>[0];

/** Whether another file is at the path of an upload, or of its captions or thumbnail, and the user can decide to send it. */
export function hasReplacedFile(upload: Failing & { followUps: readonly Failing[] }): boolean {
  return isReplaced(upload) || upload.followUps.some(isReplaced);
}
