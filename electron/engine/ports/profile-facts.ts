/** What a computer knows about the folder of a profile. */
export interface ProfileFacts {
  /** True when others on this computer can look into it; null where the system has no such rights. */
  isOpenToOthers(folder: string): Promise<boolean | null>;
  isWritable(folder: string): Promise<boolean>;
  /** Bytes that this user may still write on its disk. */
  freeBytes(folder: string): Promise<number>;
}
