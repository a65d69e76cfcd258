import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { FileMover } from '../../ports/file-mover.ts';
import type { Files } from '../../ports/files.ts';
import type { Random } from '../../ports/random.ts';
import type { Volumes } from '../../ports/volumes.ts';
import type { PrepareCaptions } from '../delivery/prepare-captions.ts';
import type { SendForm } from '../delivery/sender/send-options.ts';
import type { SidecarTransfers } from '../delivery/sidecar-transfers.ts';
import type { StepTools } from '../delivery/step-tools.ts';
import type { UploadConnections } from '../delivery/upload-connections.ts';

/** The dependencies of a follow-up. */
export interface FollowUpTools extends Omit<StepTools, 'unanswered' | 'hashes' | 'wasCutShort'> {
  /** Without links below the root of each file of the upload, as `mover`. */
  files: Files;
  volumes: Volumes;
  mover: FileMover;
  random: Random;
  sidecars: SidecarTransfers;
  connections: UploadConnections;
  sendForm: SendForm;
  prepareCaptions: PrepareCaptions;
  /** Returns whether an edit of this computer added or removed tags of an item. */
  hasEditedTags(siteId: string, mediaId: string): boolean;
  /** Why nothing may be sent now; null when sending is allowed. */
  pacing: { notice(): AppErrorData | null };
}
