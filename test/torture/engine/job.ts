import type { UploadRow } from '../../../shared/contract/uploads.ts';
import type { SignInTarget } from '../../helpers/service/service-sign-in.ts';
import type { Story } from './failpoint-plans.ts';
import type { Places } from './story-files.ts';

/** The task of an engine process, in its environment variable `JOB`. */
export interface Job {
  story: Story;
  profileDir: string;
  /** Folder of the files to upload. */
  folder: string;
  collectionId: string;
  site: SignInTarget;
  /** See `fastClock`. */
  speed: number;
  epochMs: number;
  parallelTransfers: number;
  places: Places;
}

/** The output of the process at the end of its story. */
export interface JobReport {
  /** The number of times that each failpoint was reached. */
  passes: Record<string, number>;
  signIns: number;
  notices: string[];
  rows: Pick<UploadRow, 'path' | 'state' | 'mediaId' | 'fileId' | 'sha256' | 'title'>[];
}

/** The only line before the report: from then on, uploads are in flight. */
export const WORKING_LINE = 'working';

/** The passphrase of the sign-in file of a test profile. */
export const PASSPHRASE = 'torture';

/** The exit code when another process uses the profile. */
export const PROFILE_TAKEN = 4;

/** The log events for locking and releasing the profile. */
export const OWNER_BEGINS = 'owner.begins';
export const OWNER_ENDS = 'owner.ends';
