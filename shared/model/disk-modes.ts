/** How files on the same disk are read: see `Settings.diskMode`. */
export const DISK_MODES = ['auto', 'serial', 'parallel'] as const;
export type DiskMode = (typeof DISK_MODES)[number];
