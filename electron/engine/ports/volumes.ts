/** The drive or share of a path. */
export interface Volume {
  /**
   * Stays the same at every mount of the volume, as far as the system has a name for it. Empty: the volume of the asked device is not
   * mounted there any more.
   */
  key: string;
  /**
   * Whether the same key proves the same volume: it is an identifier of the file system, the system disk or the address of a share.
   * Otherwise another drive may get the same key.
   */
  isCertain: boolean;
  /** Whether a file keeps its number at every mount. */
  hasFileNumbers: boolean;
  /** The name or letter alone, if the key also distinguishes drives of one name. Earlier versions stored it as the key. */
  nameKey?: string;
  /** For people: the name of the drive or share. */
  name: string;
  /** The folder where it is mounted; on Windows the path of the drive. */
  mountPoint: string;
  /** Whether it is a network share, where the system does not report changes by other computers. */
  isNetwork: boolean;
}

/** The mounted volumes. Answers from the memory of the system, so no call waits for a drive. */
export interface Volumes {
  /**
   * Returns the volume of a path, whether or not the path exists. `device`: the device of the path or the nearest folder above it,
   * the first half of `FileFacts.identity`; Windows has no other name for a drive.
   */
  of(path: string, device?: string): Volume;
  /**
   * Returns the folders where the volume with this key may be mounted now; empty when it is not connected. `of` shows which of them
   * is its folder.
   */
  mountPoints(key: string): string[];
}
