/** Why a name in an added or watched folder is never uploaded, whatever the rules are. */
export type IgnoreReason =
  /** A program is still writing it, and renames it when it is complete. */
  | 'partial'
  /** A program's working copy or lock. */
  | 'temporary'
  /** Created by the operating system or a file manager. */
  | 'system'
  /** Begins with a dot. */
  | 'hidden'
  /** A folder in which a program unpacks, downloads or synchronizes. */
  | 'work-folder'
  /** A folder of deleted files, snapshots or thumbnails. */
  | 'system-folder'
  /** A folder that macOS shows as one file. */
  | 'package';

/** Why a path is ignored, and the name in it that is the cause. */
export interface Ignored {
  reason: IgnoreReason;
  name: string;
}

interface NameRule {
  reason: IgnoreReason;
  /** Parts of a name in lower case; a missing one matches every name. */
  is?: string;
  startsWith?: string;
  endsWith?: string;
  /** The program that creates such names. */
  of: string;
}

/** Names of files. The first matching rule gives the reason. */
const FILES: readonly NameRule[] = [
  { reason: 'partial', endsWith: '.part', of: 'Firefox, curl, many others' },
  { reason: 'partial', endsWith: '.partial', of: 'wget, Internet Explorer, rclone' },
  { reason: 'partial', endsWith: '.crdownload', of: 'Chrome' },
  { reason: 'partial', endsWith: '.download', of: 'Safari' },
  { reason: 'partial', endsWith: '.opdownload', of: 'Opera' },
  { reason: 'partial', endsWith: '.filepart', of: 'WinSCP' },
  { reason: 'partial', endsWith: '.!ut', of: 'µTorrent' },
  { reason: 'partial', endsWith: '.!qb', of: 'qBittorrent' },
  { reason: 'partial', endsWith: '.aria2', of: 'aria2' },
  { reason: 'partial', endsWith: '.incomplete', of: 'Transmission, JDownloader' },
  { reason: 'partial', endsWith: '.unfinished', of: 'recorders' },
  { reason: 'partial', endsWith: '.inprogress', of: 'recorders' },
  { reason: 'partial', endsWith: '.recording', of: 'recorders' },
  { reason: 'partial', endsWith: '.uploading', of: 'FTP servers' },
  { reason: 'partial', endsWith: '.filezilla', of: 'FileZilla' },
  { reason: 'partial', endsWith: '.aspera-inprogress', of: 'Aspera' },
  { reason: 'partial', startsWith: '.syncthing.', of: 'Syncthing' },
  { reason: 'partial', startsWith: '~syncthing~', of: 'Syncthing on Windows' },
  { reason: 'partial', startsWith: '.pureftpd-upload.', of: 'Pure-FTPd' },
  { reason: 'partial', startsWith: '.in.', of: 'ProFTPD HiddenStores' },
  { reason: 'partial', endsWith: '.icloud', of: 'iCloud Drive, not downloaded yet' },
  { reason: 'temporary', endsWith: '.tmp', of: 'many programs' },
  { reason: 'temporary', endsWith: '.temp', of: 'many programs' },
  { reason: 'temporary', startsWith: '~$', of: 'Microsoft Office' },
  { reason: 'temporary', startsWith: '.~lock.', of: 'LibreOffice' },
  { reason: 'temporary', startsWith: '.~', of: 'OneDrive, WPS' },
  { reason: 'temporary', startsWith: '.fuse_hidden', of: 'FUSE' },
  { reason: 'temporary', startsWith: '.nfs', of: 'NFS, deleted but still open' },
  { reason: 'temporary', startsWith: '.smbdelete', of: 'SMB, deleted but still open' },
  { reason: 'temporary', endsWith: '~', of: 'editors' },
  { reason: 'temporary', endsWith: '.swp', of: 'Vim' },
  { reason: 'temporary', endsWith: '.lock', of: 'many programs' },
  { reason: 'temporary', endsWith: '.lck', of: 'many programs' },
  { reason: 'system', is: 'thumbs.db', of: 'Windows' },
  { reason: 'system', is: 'ehthumbs.db', of: 'Windows' },
  { reason: 'system', is: 'desktop.ini', of: 'Windows' },
  { reason: 'system', is: 'autorun.inf', of: 'Windows' },
  { reason: 'system', is: '.ds_store', of: 'macOS' },
  { reason: 'system', startsWith: '._', of: 'macOS' },
  { reason: 'system', is: 'icon\r', of: 'macOS' },
  { reason: 'system', is: '.directory', of: 'KDE' },
];

/** Names of folders; all files below are ignored. */
const FOLDERS: readonly NameRule[] = [
  { reason: 'system-folder', startsWith: '.trash', of: 'trash of Linux and macOS' },
  { reason: 'system-folder', is: '$recycle.bin', of: 'trash of Windows' },
  { reason: 'system-folder', is: 'recycler', of: 'trash of old Windows' },
  { reason: 'system-folder', is: '#recycle', of: 'trash of Synology' },
  { reason: 'system-folder', is: '@recycle', of: 'trash of QNAP' },
  { reason: 'system-folder', is: 'system volume information', of: 'Windows' },
  { reason: 'system-folder', is: 'lost+found', of: 'file systems of Linux' },
  { reason: 'system-folder', is: '@eadir', of: 'thumbnails of Synology' },
  { reason: 'system-folder', is: '@tmp', of: 'Synology' },
  { reason: 'system-folder', is: '.@__thumb', of: 'thumbnails of QNAP' },
  { reason: 'system-folder', is: '#snapshot', of: 'snapshots of Synology' },
  { reason: 'system-folder', is: '@recently-snapshot', of: 'snapshots of QNAP' },
  { reason: 'system-folder', is: '~snapshot', of: 'snapshots of NetApp' },
  { reason: 'system-folder', startsWith: '.snapshot', of: 'snapshots of NetApp and Btrfs' },
  { reason: 'system-folder', is: '.zfs', of: 'snapshots of ZFS' },
  { reason: 'system-folder', is: '.spotlight-v100', of: 'macOS' },
  { reason: 'system-folder', is: '.fseventsd', of: 'macOS' },
  { reason: 'system-folder', is: '.temporaryitems', of: 'macOS' },
  { reason: 'system-folder', is: '.documentrevisions-v100', of: 'macOS' },
  { reason: 'system-folder', is: '__macosx', of: 'archives of macOS' },
  { reason: 'work-folder', startsWith: '_unpack_', of: 'SABnzbd and NZBGet, unpacking' },
  { reason: 'work-folder', startsWith: '_failed_', of: 'SABnzbd and NZBGet, not unpacked' },
  { reason: 'work-folder', is: '.rsync-partial', of: 'rsync' },
  { reason: 'work-folder', is: '.~tmp~', of: 'rsync with delayed updates' },
  { reason: 'work-folder', startsWith: '.st', of: 'Syncthing' },
  { reason: 'work-folder', startsWith: '.dropbox', of: 'Dropbox' },
  { reason: 'work-folder', startsWith: '.tmp.drive', of: 'Google Drive' },
  { reason: 'work-folder', startsWith: '.owncloudsync', of: 'ownCloud' },
  { reason: 'work-folder', startsWith: '.sync', of: 'Resilio Sync, Nextcloud' },
  { reason: 'work-folder', is: '.adobetemp', of: 'Adobe installers' },
];

/**
 * Folders that macOS shows as one file: their contents are parts of a program, a library or a document. They are recognized on every
 * system, because they also lie on shares and drives.
 */
const PACKAGES: readonly NameRule[] = [
  { reason: 'package', endsWith: '.app', of: 'programs' },
  { reason: 'package', endsWith: '.bundle', of: 'parts of programs' },
  { reason: 'package', endsWith: '.framework', of: 'parts of programs' },
  { reason: 'package', endsWith: '.plugin', of: 'parts of programs' },
  { reason: 'package', endsWith: '.component', of: 'audio units' },
  { reason: 'package', endsWith: '.vst3', of: 'audio plug-ins' },
  { reason: 'package', endsWith: '.kext', of: 'parts of the system' },
  { reason: 'package', endsWith: '.fcpbundle', of: 'Final Cut Pro' },
  { reason: 'package', endsWith: '.fcpcache', of: 'Final Cut Pro' },
  { reason: 'package', endsWith: '.imovielibrary', of: 'iMovie' },
  { reason: 'package', endsWith: '.theater', of: 'iMovie' },
  { reason: 'package', endsWith: '.photoslibrary', of: 'Photos' },
  { reason: 'package', endsWith: '.aplibrary', of: 'Aperture' },
  { reason: 'package', endsWith: '.musiclibrary', of: 'Music' },
  { reason: 'package', endsWith: '.tvlibrary', of: 'TV' },
  { reason: 'package', endsWith: '.logicx', of: 'Logic Pro' },
  { reason: 'package', endsWith: '.band', of: 'GarageBand' },
  { reason: 'package', endsWith: '.pages', of: 'Pages' },
  { reason: 'package', endsWith: '.key', of: 'Keynote' },
  { reason: 'package', endsWith: '.numbers', of: 'Numbers' },
  { reason: 'package', endsWith: '.rtfd', of: 'TextEdit' },
  { reason: 'package', endsWith: '.sparsebundle', of: 'disk images' },
];

/** Returns whether a folder of this name is one thing for its user. */
export function isPackageName(name: string): boolean {
  const lower = name.toLowerCase();
  return PACKAGES.some((rule) => fits(rule, lower));
}

/**
 * Whole names of system folders, in lower case. A sweep does not list them, because the snapshots and trash folders of a file
 * server can contain millions of files. It does not list folders whose name begins with a dot either.
 */
export const SYSTEM_FOLDER_NAMES: readonly string[] = FOLDERS.flatMap(({ reason, is }) =>
  reason === 'system-folder' && is !== undefined ? [is] : [],
);

/** A folder with such a name is one download in parts, such as Safari creates. */
const FOLDERS_IN_PARTS: readonly NameRule[] = FILES.filter(({ reason, endsWith }) => {
  return reason === 'partial' && endsWith !== undefined;
});

/** rsync writes `name` as `.name.` and six characters. */
const RSYNC_PARTIAL = /^\..+\.[a-z0-9]{6}$/;

/** Returns why a file of this relative path is ignored; null when the rules of the folder decide about it. */
export function ignoredPart(path: string): Ignored | null {
  const names = path.split('/');
  const fileName = names.pop() ?? '';
  for (const name of names) {
    const reason = ignoredFolder(name);
    if (reason !== null) return { reason, name };
  }
  const reason = ignoredFile(fileName);
  return reason === null ? null : { reason, name: fileName };
}

/**
 * Returns why all files below a folder of this name are ignored; null when the name is no reason. A sweep itself omits only names
 * with a dot at the start and `SYSTEM_FOLDER_NAMES`.
 */
export function ignoredFolder(name: string): IgnoreReason | null {
  const lower = name.toLowerCase();
  const found = [...FOLDERS, ...FOLDERS_IN_PARTS, ...PACKAGES].find((rule) => fits(rule, lower));
  if (found?.reason === 'partial') return 'work-folder';
  return found?.reason ?? (lower.startsWith('.') ? 'hidden' : null);
}

/** Returns why a file of this name is ignored; null when the name is no reason. */
export function ignoredFile(name: string): IgnoreReason | null {
  const lower = name.toLowerCase();
  const found = FILES.find((rule) => fits(rule, lower));
  if (found !== undefined) return found.reason;
  if (RSYNC_PARTIAL.test(lower)) return 'partial';
  return lower.startsWith('.') ? 'hidden' : null;
}

function fits({ is, startsWith, endsWith }: NameRule, name: string): boolean {
  if (is !== undefined && name !== is) return false;
  if (startsWith !== undefined && !name.startsWith(startsWith)) return false;
  return endsWith === undefined || name.endsWith(endsWith);
}
