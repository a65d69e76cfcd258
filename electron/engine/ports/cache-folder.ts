/** A file of a cache. Its group is a folder, such as one for each account. */
export interface CacheFile {
  group: string;
  name: string;
}

export interface CacheFileFacts extends CacheFile {
  bytes: number;
  /** Epoch milliseconds of `write`. */
  writtenAt: number;
  /** Epoch milliseconds of the last `read`, or of `write`. */
  usedAt: number;
}

/** A folder of files that only this program uses, readable by this user only. Groups and names must be plain file names. */
export interface CacheFolder {
  /** Lists all files. Removes files that an interrupted `write` left. */
  list(): Promise<CacheFileFacts[]>;
  /** Returns null when the file is missing. `usedAt` becomes `now`. */
  read(file: CacheFile, now: number): Promise<Buffer | null>;
  /** Replaces a file completely or not at all. */
  write(file: CacheFile, bytes: Uint8Array, now: number): Promise<void>;
  /** Removes a file; does nothing when it is missing. */
  remove(file: CacheFile): Promise<void>;
  groups(): Promise<string[]>;
  removeGroup(group: string): Promise<void>;
}
