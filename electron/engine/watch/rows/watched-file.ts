import type { AppErrorData } from '../../../../shared/contract/app-error.ts';
import type { ItemFields } from '../../../../shared/item/fields.ts';
import type { RuleOutcome } from '../../../../shared/model/watch/apply-rules.ts';
import type { WatchedState } from '../../../../shared/model/watch/watched-states.ts';
import type { FolderEntry } from '../../ports/folder-walker.ts';

/** The properties of a file in the file system. Equal values count as the same contents; no byte is read. */
export interface Fingerprint {
  fileId: string;
  sizeBytes: number;
  mtimeMs: number;
}

/** A stored file of a watched folder. `…At` are epoch milliseconds; `dueAt` is on the monotonic clock. */
export interface WatchedFile extends Fingerprint {
  seq: number;
  folderId: string;
  /** Relative to the root. */
  path: string;
  kind: FolderEntry['kind'];
  /** The `ctime` of the file when its contents were known last; null: not known, as in rows of earlier versions. */
  ctimeMs: number | null;
  /** Its number in the folder, for titles. */
  number: number;
  /** Whether the file existed when the folder was added. */
  isExisting: boolean;
  /** Whether the user wants to upload the file regardless of the rules and its contents. */
  isForced: boolean;
  state: WatchedState;
  /** JSON of the observations that decide when it is ready. */
  history: string | null;
  /** When it is polled next, on the monotonic clock of this process; null: only after a change. */
  dueAt: number | null;
  /** When it will be ready if it does not change, for display. */
  readyAt: number | null;
  firstSeenAt: number;
  unchangedSince: number;
  /** SHA-256 of both ends, if it was computed for the present contents. */
  edgeHash: string | null;
  /** Why it is in its state. */
  reason: AppErrorData | null;
  /**
   * The decision of the rules. `title`: the title that they give to the upload, unless only the contents of the file give it and
   * these were not read. The file may be moved later, and the rules may change.
   */
  outcome: (Omit<RuleOutcome, 'plan'> & { title?: string }) | null;
  /** For a file that describes a recording: the fields that it gave to the recording last, or will give. */
  described: Partial<ItemFields> | null;
  uploadId: string | null;
  /** When it was queued, or its contents were recognized as known. */
  handledAt: number | null;
  /** When a complete sweep did not find it. */
  goneAt: number | null;
}

/** A file without a row. */
export type NewWatchedFile = Omit<WatchedFile, 'seq'>;

/** Contents that need not be uploaded again. */
export interface HandledContents extends Fingerprint {
  folderId: string;
  path: string;
  edgeHash: string | null;
  /** Null for files that existed before the folder was watched. */
  uploadId: string | null;
  at: number;
}

export function sameFingerprint(a: Fingerprint, b: Fingerprint): boolean {
  return a.fileId === b.fileId && a.sizeBytes === b.sizeBytes && a.mtimeMs === b.mtimeMs;
}

/** Returns whether a listing gives no reason to read a file again whose fingerprint is unchanged. */
export function sameChangeTime(row: Pick<WatchedFile, 'ctimeMs'>, { ctimeMs }: Pick<FolderEntry, 'ctimeMs'>): boolean {
  return ctimeMs === null || row.ctimeMs === ctimeMs;
}
