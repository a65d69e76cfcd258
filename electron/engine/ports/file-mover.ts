/**
 * Changes the user's files. No method replaces a file that has contents, or truncates one.
 *
 * Methods throw `AppError`: `file.missing`, `file.unreadable`, `file.disk-hangs` and the other errors of `Files`,
 * `source.is-link`, `file.is-link`, `source.folder-missing`, `source.folder-unwritable`, `source.no-space`, `source.in-use`,
 * `trash.unavailable`.
 */
export interface FileMover {
  /** Returns the SHA-256 of all bytes in lower-case hex. */
  hash(path: string, signal: AbortSignal): Promise<string>;
  /**
   * Renames a file on its disk; durable when it resolves. `taken`: the name exists. `other-disk`: the file can only be copied.
   * `replacesEmpty`: an empty file at `to`, left by an earlier attempt, may be replaced.
   */
  rename(from: string, to: string, options?: { replacesEmpty?: boolean }): Promise<'done' | 'taken' | 'other-disk'>;
  /**
   * Copies bytes and times to a path that is free or contains an earlier attempt of this copy; durable when it
   * resolves.
   */
  copy(from: string, to: string, signal: AbortSignal): Promise<void>;
  /** Deletes a file. Returns false when it did not exist. */
  remove(path: string): Promise<boolean>;
  /** Moves a file to the system's trash. */
  trash(path: string): Promise<void>;
  /**
   * Returns the same mover for files of the user below `root`, see `Files.within`: it reads, renames, copies, removes and trashes no
   * file on whose way is a link (`file.is-link`). Targets are not below it.
   */
  within(root: string): FileMover;
}
