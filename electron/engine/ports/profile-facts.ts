/** The properties of a profile folder. */
export interface ProfileFacts {
  /** True when other users of this computer can read it; null when the system has no such permissions. */
  isOpenToOthers(folder: string): Promise<boolean | null>;
  isWritable(folder: string): Promise<boolean>;
  /** The free bytes for this user on its disk. */
  freeBytes(folder: string): Promise<number>;
}
