/** A file that is being written under a temporary name. */
interface PartFile {
  /** Appends bytes. Throws `download.no-space` and `download.not-saved`. */
  write(chunk: Uint8Array): Promise<void>;
  /** Writes everything to the disk and closes the file. */
  finish(): Promise<void>;
  /** Closes the file; its bytes stay. Idempotent. */
  close(): Promise<void>;
}

/** The files of downloads that aren't complete. */
export interface PartFiles {
  /** Returns the size of a part in bytes; 0 when there is none. Throws `download.not-saved` for a folder that does not exist. */
  sizeOf(path: string): Promise<number>;
  /** Opens a part for appending after its first `keepBytes` bytes; creates it. */
  open(path: string, keepBytes: number): Promise<PartFile>;
  /** Deletes a part, if it exists. */
  remove(path: string): Promise<void>;
}
