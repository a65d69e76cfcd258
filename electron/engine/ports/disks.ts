/** What is known of the disks that files lie on. A device is the first half of `FileFacts.identity`. */
export interface Disks {
  /** Whether reading two files at once makes its heads jump; null when that is not known. */
  isRotating(device: string): boolean | null;
}
