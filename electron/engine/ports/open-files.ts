/** Detects which files other programs have open. */
export interface OpenFiles {
  /**
   * Returns whether another program has the file open for writing. Null: no such program was found, but this system does not show
   * all programs, or shows none. Never rejects.
   */
  isOpenForWriting(path: string): Promise<boolean | null>;
}
