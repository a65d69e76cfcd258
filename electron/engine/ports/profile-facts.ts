/** The properties of a profile folder. */
export interface ProfileFacts {
  /** True when other users of this computer can read the folder; null when the system has no such permissions. */
  isOpenToOthers(folder: string): Promise<boolean | null>;
  isWritable(folder: string): Promise<boolean>;
  /** Returns the free bytes for this user on the folder's disk. */
  freeBytes(folder: string): Promise<number>;
}
