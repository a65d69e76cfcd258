import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join, win32 } from 'node:path';
import type { Volume, Volumes } from '../volumes.ts';

/** One line of Linux's table of mounts. */
interface MountLine {
  /** As `stat` reports it for the files of most file systems; see `ONE_DEVICE`. */
  device: string;
  /** The mounted folder of the volume; `/` unless only a part of it is mounted. */
  part: string;
  mountPoint: string;
  type: string;
  /** A device, a share, or a name without a meaning. */
  source: string;
}

/** File systems whose files other computers may change. */
const NETWORK_TYPES =
  /^(nfs4?|cifs|smb3?|smbfs|afs|9p|ceph|glusterfs|lustre|beegfs|ncpfs|davfs|virtiofs|fuse\.(sshfs|rclone|s3fs|glusterfs|davfs2?|gvfsd-fuse|smbnetfs|ceph))$/;

/** The volumes of this computer. `uuids`: the folder with a link for each identifier of a block device. */
export function createNodeVolumes(
  platform: string,
  {
    mounts = () => readFileSync('/proc/self/mountinfo', 'utf8'),
    uuids = '/dev/disk/by-uuid',
  }: { mounts?(): string; uuids?: string } = {},
): Volumes {
  if (platform === 'win32') return { of: windowsVolume, mountPoints: windowsMountPoints };
  if (platform !== 'linux') return { of: macVolume, mountPoints: macMountPoints };
  const table = () => readMounts(mounts());
  return {
    of(path, device = '') {
      const mount = mountOf(path, table());
      // Between the facts of a file and this call, its drive can be pulled: then the path belongs to the volume below.
      const isElsewhere = device !== '' && device !== mount.device && !mayHaveDevice(mount.type, device);
      const volume = volumeOf(mount, uuids, device);
      return isElsewhere ? { ...volume, key: '', isCertain: false } : volume;
    },
    mountPoints: (key) =>
      table()
        .filter((mount) => withoutDevice(volumeOf(mount, uuids, '').key) === withoutDevice(key))
        .map(({ mountPoint }) => mountPoint),
  };
}

/** Reads `/proc/self/mountinfo`. */
function readMounts(text: string): MountLine[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.split(' ');
    const dash = fields.indexOf('-');
    const [numbers, part, mountPoint] = [fields[2] ?? '', fields[3], fields[4]];
    const [type, source] = [fields[dash + 1], fields[dash + 2]];
    if (dash < 6 || part === undefined || mountPoint === undefined || type === undefined) return [];
    const device = deviceNumber(numbers);
    return [{ device, part: plain(part), mountPoint: plain(mountPoint), type, source: plain(source ?? '') }];
  });
}

/** Returns the device number of `8:17` as `stat` reports it: Linux spreads both halves over 64 bits. */
function deviceNumber(text: string): string {
  const [major = 0n, minor = 0n] = text.split(':').map((half) => (/^\d+$/.test(half) ? BigInt(half) : 0n));
  const low = (minor & 0xffn) | ((major & 0xfffn) << 8n);
  return String(low | ((minor & ~0xffn) << 12n) | ((major & ~0xfffn) << 32n));
}

/** Decodes a path of the table, in which blanks and some other characters are octal codes such as `\040`. */
function plain(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

const ROOT: MountLine = { device: '', part: '/', mountPoint: '/', type: 'unknown', source: 'unknown' };

/** Returns the mount with the longest folder that contains the path; of those mounted over each other, the last one. */
function mountOf(path: string, mounts: readonly MountLine[]): MountLine {
  let longest = ROOT;
  for (const mount of mounts) {
    const { mountPoint } = mount;
    const isInside = path === mountPoint || path.startsWith(mountPoint === '/' ? '/' : `${mountPoint}/`);
    if (isInside && mountPoint.length >= longest.mountPoint.length) longest = mount;
  }
  return longest;
}

/** File systems whose files all have the device of their mount. The parts of others, such as btrfs and overlays, have their own. */
const ONE_DEVICE =
  /^(ext[234]|xfs|f2fs|jfs|reiserfs|tmpfs|vfat|msdos|exfat|ntfs3?|fuseblk|hfs|hfsplus|iso9660|udf|nfs4?|cifs|smb3)$/;

/** File systems whose parts have devices of their own, which are never that of a drive. */
const NO_DRIVE = /^(btrfs|zfs)$/;

/** Returns whether a file of a file system can have another device than its mount. */
function mayHaveDevice(type: string, device: string): boolean {
  return NO_DRIVE.test(type) ? majorOf(device) === 0n : !ONE_DEVICE.test(type);
}

/** Returns the first half of a device number as `stat` reports it: 0 is none of a drive. */
function majorOf(device: string): bigint {
  const number = /^\d+$/.test(device) ? BigInt(device) : 0n;
  return ((number >> 8n) & 0xfffn) | ((number >> 32n) & ~0xfffn);
}

/** File systems that assign numbers to files anew at each mount, or have none. */
const NO_NUMBERS = /^(vfat|msdos|exfat|iso9660|udf|fuse.*|9p|cifs|smb3?|smbfs)$/;

function volumeOf({ part, mountPoint, type, source }: MountLine, uuids: string, device: string): Volume {
  const isNetwork = NETWORK_TYPES.test(type);
  const below = part === '/' ? '' : `:${part}`;
  const own = { mountPoint, isNetwork, isCertain: true, hasFileNumbers: !NO_NUMBERS.test(type) };
  if (isNetwork) return { ...own, key: `share:${source}${below}`, name: source };
  const name = mountPoint === '/' ? 'this computer' : basename(mountPoint);
  if (!source.startsWith('/dev/')) return { ...own, key: `${type}:${source}:${mountPoint}`, name };
  const uuid = uuidOf(source, uuids);
  if (uuid !== null || mountPoint === '/') return { ...own, key: `${uuid ?? source}${below}`, name };
  // The next drive that is connected gets the same name.
  const nameKey = `${source}${below}`;
  return { ...own, isCertain: false, key: withDevice(nameKey, device), nameKey, name };
}

/** Returns the key of a drive that is known only by a name that other drives get, too. */
function withDevice(name: string, device: string): string {
  return device === '' ? name : `${name}${DEVICE_MARK}${device}`;
}

function withoutDevice(key: string): string {
  return key.split(DEVICE_MARK, 1)[0] ?? key;
}

const DEVICE_MARK = ' device ';

/** Returns the identifier of the file system on a device; null when the system does not list one, as in containers. */
function uuidOf(device: string, folder: string): string | null {
  try {
    const wanted = realpathSync(device);
    const uuid = readdirSync(folder).find((name) => realpathSync(join(folder, name)) === wanted);
    return uuid === undefined ? null : `uuid:${uuid}`;
  } catch {
    return null;
  }
}

/**
 * Returns the volume of a path on Windows. The device of a file is the serial number of its volume there, which another stick with
 * the same letter does not have. Without `device` a local drive is known by its letter only.
 */
function windowsVolume(path: string, device = ''): Volume {
  const { root } = win32.parse(path);
  const isNetwork = root.startsWith('\\\\');
  const nameKey = `root:${root.toLowerCase()}`;
  const isKnown = isNetwork || (device !== '' && device !== '0');
  return {
    ...(isKnown && !isNetwork ? { key: `serial:${device}`, nameKey } : { key: nameKey }),
    name: root,
    mountPoint: root,
    isNetwork,
    isCertain: isKnown,
    hasFileNumbers: false,
  };
}

/** Returns the folders where a volume may be mounted: Node does not report which letter a serial number has. */
function windowsMountPoints(key: string): string[] {
  if (!key.startsWith('serial:')) return [key.slice('root:'.length)];
  return Array.from('DEFGHIJKLMNOPQRSTUVWXYZABC', (letter) => `${letter}:\\`);
}

/** Returns the volume of a path on macOS, where a drive is known by its name, `/Volumes/Name`, and the device it has now. */
function macVolume(path: string, device = ''): Volume {
  const [mountPoint, name] = /^\/Volumes\/([^/]+)/.exec(path) ?? [];
  const own = { isNetwork: false, hasFileNumbers: true };
  if (mountPoint === undefined || name === undefined) {
    return { ...own, key: 'root:/', name: 'this computer', mountPoint: '/', isCertain: true };
  }
  const nameKey = `volume:${name}`;
  return { ...own, key: withDevice(nameKey, device), nameKey, name, mountPoint, isCertain: false };
}

function macMountPoints(key: string): string[] {
  return [key.startsWith('volume:') ? `/Volumes/${withoutDevice(key).slice('volume:'.length)}` : '/'];
}
