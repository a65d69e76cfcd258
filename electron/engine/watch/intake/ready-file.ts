import { join } from 'node:path';
import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { RuleOutcome, UploadPlan } from '../../../../shared/model/watch/apply-rules.ts';
import type { FileFacts } from '../../ports/files.ts';
import type { FolderRecord } from '../rows/folder-store.ts';
import type { WatchedFile } from '../rows/watched-file.ts';
import type { RowOfFile } from './folder-manifests.ts';

/** A file that is complete and that the rules accept, with the values for its upload. */
export interface ReadyFile {
  row: WatchedFile;
  plan: UploadPlan;
  /** Why the title of the plan differs from its template; null: it does not. */
  titleNotice: AppErrorData | null;
  outcome: RuleOutcome;
  edgeHash: string;
  facts: FileFacts;
  /** The values of a manifest for it, which have precedence over the settings of the rule; null: none. */
  described: RowOfFile | null;
  /** Its captions and thumbnail, and the files that describe it. */
  companions: WatchedFile[];
}

/** A companion whose recording was queued before. `before`: the values that it gave to the recording until now; null: none. */
export interface LateCompanion {
  row: WatchedFile;
  recording: WatchedFile;
  before: WatchedFile['described'];
}

/** The full path of a file. */
export function fullPathOf({ root }: Pick<FolderRecord, 'root'>, { path }: Pick<WatchedFile, 'path'>): string {
  return join(root, ...path.split('/'));
}
