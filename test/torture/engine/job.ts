import type { UploadRow } from '../../../shared/contract/uploads.ts';
import type { SignInTarget } from '../../helpers/service-sign-in.ts';
import type { Story } from './failpoint-plans.ts';
import type { Places } from './story-files.ts';

/** What an engine process is started for, in its environment variable `JOB`. */
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

/** What it prints when its story is at an end. */
export interface JobReport {
  /** How often it came to each failpoint. */
  passes: Record<string, number>;
  signIns: number;
  notices: string[];
  rows: Pick<UploadRow, 'path' | 'state' | 'mediaId' | 'fileId' | 'sha256' | 'title'>[];
}

/** The only line before the report: from here on uploads are on their way. */
export const WORKING_LINE = 'working';

/** Opens the sealed sign-ins of a test profile. */
export const PASSPHRASE = 'torture';

/** How it ends when another process has the profile. */
export const PROFILE_TAKEN = 4;

/** What it logs when it has the profile, and when it gives it back. */
export const OWNER_BEGINS = 'owner.begins';
export const OWNER_ENDS = 'owner.ends';
