/** A file that is being written under a temporary name. */
interface PartFile {
  /** Appends bytes. Throws `download.no-space` and `download.not-saved`. */
  write(chunk: Uint8Array): Promise<void>;
  /** Writes everything to the disk and closes the file. */
  finish(): Promise<void>;
  /** Closes the file; its bytes stay. Idempotent. */
  close(): Promise<void>;
}

/** The files of downloads that aren't complete. No method follows a link or waits for the other end of a pipe. */
export interface PartFiles {
  /**
   * Returns the size of a part in bytes; null when there is none, or when another file has its name: a link, a pipe, a file with
   * a second name or of another user. Throws `download.not-saved` for a folder that does not exist.
   */
  sizeOf(path: string): Promise<number | null>;
  /**
   * Opens a part for appending after its first `keepBytes` bytes. 0 creates the file, and fails when the name is taken. Throws
   * `download.not-saved`.
   */
  open(path: string, keepBytes: number): Promise<PartFile>;
  /** Deletes a part, if it exists. */
  remove(path: string): Promise<void>;
}
