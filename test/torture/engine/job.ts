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

/** What it prints at the end of its story. */
export interface JobReport {
  /** How often it reached each failpoint. */
  passes: Record<string, number>;
  signIns: number;
  notices: string[];
  rows: Pick<UploadRow, 'path' | 'state' | 'mediaId' | 'fileId' | 'sha256' | 'title'>[];
}

/** The only line before the report: uploads are in flight from here on. */
export const WORKING_LINE = 'working';

/** The passphrase of the sign-in file of a test profile. */
export const PASSPHRASE = 'torture';

/** Its exit code when another process has the profile. */
export const PROFILE_TAKEN = 4;

/** The log events for locking and releasing the profile. */
export const OWNER_BEGINS = 'owner.begins';
export const OWNER_ENDS = 'owner.ends';
