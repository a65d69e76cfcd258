/**
 * What may be done to a person's files. Nothing here replaces a file that has contents, or shortens one.
 *
 * Methods throw `AppError`: `file.missing`, `file.unreadable`, `file.disk-hangs` and whatever else `Files` throws, `source.is-link`, `source.folder-missing`,
 * `source.folder-unwritable`, `source.no-space`, `trash.unavailable`.
 */
export interface FileMover {
  /** SHA-256 of all bytes, lower-case hex. */
  hash(path: string, signal: AbortSignal): Promise<string>;
  /**
   * Gives a file another name on its own disk; on the disk when it resolves. `taken`: there is something of that name.
   * `other-disk`: it can only be copied. `replacesEmpty`: an empty file of that name is one of our own that was left.
   */
  rename(from: string, to: string, options?: { replacesEmpty?: boolean }): Promise<'done' | 'taken' | 'other-disk'>;
  /** Copies bytes and times to a path where at most an earlier try of this very copy lies; on the disk when it resolves. */
  copy(from: string, to: string, signal: AbortSignal): Promise<void>;
  /** Deletes a file. Returns false when it was not there. */
  remove(path: string): Promise<boolean>;
  /** Puts a file where a person finds it again. */
  trash(path: string): Promise<void>;
}
