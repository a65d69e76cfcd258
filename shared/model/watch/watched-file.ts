import type { FileContents } from '../recipes/content-tokens.ts';

/**
 * The facts of one file of a watched folder for the rules. The settle lane and the preview build them from the same sweep, so
 * that both decide alike. All times are epoch milliseconds.
 */
export interface WatchedFileFacts {
  /** Relative to the watched folder, with `/` between the names on every system. */
  path: string;
  /** `other`: a pipe, socket or device. */
  kind: 'file' | 'other';
  sizeBytes: number;
  /** The time that the file system reports; a share may have another clock. Only used for dates in titles. */
  mtimeMs: number;
  /** When a sweep first found the file, by the clock of this computer. */
  firstSeenMs: number;
  /** When Mediadesk first saw the present size and mtime, by the clock of this computer. */
  unchangedSinceMs: number;
  /** 1 for the first file that was ever found in this folder. Stored with the file and never used again. */
  number: number;
  /** The file was in the folder when the folder was added. */
  isExisting: boolean;
  /** The content was uploaded from this folder before. */
  isHandled: boolean;
  /** The recording to which the file belongs, such as for captions (see `withRecordings`); null for all others. */
  recording: WatchedFileFacts | null;
  /** Recordings to which the file may belong, if its name does not decide; absent or empty for all others. */
  candidates?: readonly WatchedFileFacts[];
  /** The facts inside the file that titles can use. Absent: not read; null: it can't be read. */
  contents?: FileContents | null;
}

/** Returns the last name of a relative path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the names of the folders on a relative path, outermost first; empty for a file directly in the watched folder. */
export function foldersOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}
