/** A file as its path and its number (`FileFacts.identity`) name it: it may be open by another path. */
export interface AskedFile {
  path: string;
  identity: string;
}

/** Detects which files other programs have open. */
export interface OpenFiles {
  /**
   * Returns whether another program has the file open for writing. Null: no such program was found, but this system does not show
   * all programs, or shows none. The answer may be a second old. Never rejects.
   */
  isOpenForWriting(file: AskedFile): Promise<boolean | null>;
}
