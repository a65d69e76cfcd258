/** Which files other programs have open. */
export interface OpenFiles {
  /**
   * Whether another program has the file open for writing. Null: not found, but this system does not show all programs, or shows
   * none. Never rejects.
   */
  isOpenForWriting(path: string): Promise<boolean | null>;
}
