import type { BulkChange, EditGroup } from '../../../shared/contract/edits.ts';
import type { SignInTarget } from '../../helpers/service/service-sign-in.ts';

export type EditSource = 'selection' | 'spreadsheet';

/** The task of a process, in its environment variable `JOB`. */
export interface BulkEditJob {
  profileDir: string;
  site: SignInTarget;
  step: 'apply' | 'undo';
  /** How the user edits the items: in one step, or in a spreadsheet that is exported, edited, and imported. */
  source: EditSource;
  change: BulkChange;
}

/** The output of the process at its end; before that, it prints a line `pending N` for each announced change. */
export interface BulkEditReport {
  /** The newest first. */
  groups: EditGroup[];
  /** The number of items that this process had to send. */
  sent: number;
  seconds: number;
  /** Announced changes. */
  events: number;
}
