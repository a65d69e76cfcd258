/** Smaller files can have no space of their own: NTFS and APFS store them beside their names. */
const LEAST_BYTES = 64 * 1024;

/**
 * Returns whether the bytes of a file are probably not on this computer, because OneDrive, iCloud Drive or a similar program keeps them
 * elsewhere: reading any of them downloads the file. Node does not report the attribute of such a file; its size without any space on
 * the disk shows it. On Linux this is a sparse file. `blocks`: the space on the disk.
 */
export function isOnlyInCloud({ sizeBytes, blocks }: { sizeBytes: number; blocks: number }, platform: string): boolean {
  return (platform === 'win32' || platform === 'darwin') && blocks === 0 && sizeBytes >= LEAST_BYTES;
}
