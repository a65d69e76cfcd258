/** The drive or share of a path. */
export interface Volume {
  /** Stays the same at every mount of the volume, as far as the system has a name for it. */
  key: string;
  /** For people: the name of the drive or share. */
  name: string;
  /** The folder where it is mounted; on Windows the path of the drive. */
  mountPoint: string;
  /** Whether it is a network share, where the system does not report changes by other computers. */
  isNetwork: boolean;
}

/** The mounted volumes. Answers from the memory of the system, so no call waits for a drive. */
export interface Volumes {
  /** Returns the volume of a path, whether or not the path exists. */
  of(path: string): Volume;
  /** Returns the folders where the volume with this key is mounted now; empty when it is not connected. */
  mountPoints(key: string): string[];
}
