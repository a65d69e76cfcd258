/** The known properties of disks. A device is the first half of `FileFacts.identity`. */
export interface Disks {
  /** Whether reading two files in parallel is slow, because the disk rotates; null when that is unknown. */
  isRotating(device: string): boolean | null;
}
