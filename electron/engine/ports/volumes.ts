/** The drive or share that a path lies on. */
export interface Volume {
  /** The same wherever and whenever the volume is mounted, as far as the system has a name for it. */
  key: string;
  /** For people: the name of the drive or share. */
  name: string;
  /** Where it is mounted; the path of the drive itself on Windows. */
  mountPoint: string;
  /** Changes by other computers are not reported by the system. */
  isNetwork: boolean;
}

/** Which volumes are mounted. Answers from the memory of the system: no question waits for a drive. */
export interface Volumes {
  /** The volume that a path lies on, whether or not the path exists. */
  of(path: string): Volume;
  /** Where the volume with this key is mounted now; empty when it is not connected. */
  mountPoints(key: string): string[];
}
