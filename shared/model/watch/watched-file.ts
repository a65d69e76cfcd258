import type { FileContents } from '../recipes/content-tokens.ts';

/**
 * What the rules know about one file of a watched folder. The settle lane and the preview build it from the same sweep, so
 * that both decide alike. All times are epoch milliseconds.
 */
export interface FileFacts {
  /** Relative to the watched folder, with `/` between the names on every system. */
  path: string;
  /** `other`: a pipe, socket or device. */
  kind: 'file' | 'other';
  sizeBytes: number;
  /** As the file system reports it; a share may have another clock. Only used for dates in titles. */
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
  /** The recording that the file belongs to, such as captions (see `withRecordings`); null for all others. */
  recording: FileFacts | null;
  /** Recordings that the file may belong to, where its name does not decide; absent or empty for all others. */
  candidates?: readonly FileFacts[];
  /** What titles can use from inside the file. Absent: not read; null: it can't be read. */
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
