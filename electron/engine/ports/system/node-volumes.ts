import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join, parse, sep } from 'node:path';
import type { Volume, Volumes } from '../volumes.ts';

/** One line of Linux's table of mounts. */
interface MountLine {
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
  if (platform !== 'linux') return { of: otherVolume, mountPoints: (key) => [otherVolumeOfKey(key)].flat() };
  const table = () => readMounts(mounts());
  return {
    of(path) {
      const mount = mountOf(path, table());
      return volumeOf(mount, uuids);
    },
    mountPoints: (key) =>
      table()
        .filter((mount) => volumeOf(mount, uuids).key === key)
        .map(({ mountPoint }) => mountPoint),
  };
}

/** Reads `/proc/self/mountinfo`. */
function readMounts(text: string): MountLine[] {
  return text.split('\n').flatMap((line) => {
    const fields = line.split(' ');
    const dash = fields.indexOf('-');
    const [part, mountPoint] = [fields[3], fields[4]];
    const [type, source] = [fields[dash + 1], fields[dash + 2]];
    if (dash < 6 || part === undefined || mountPoint === undefined || type === undefined) return [];
    return [{ part: plain(part), mountPoint: plain(mountPoint), type, source: plain(source ?? '') }];
  });
}

/** Decodes a path of the table, in which blanks and some other characters are octal codes such as `\040`. */
function plain(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

const ROOT: MountLine = { part: '/', mountPoint: '/', type: 'unknown', source: 'unknown' };

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

function volumeOf({ part, mountPoint, type, source }: MountLine, uuids: string): Volume {
  const isNetwork = NETWORK_TYPES.test(type);
  const below = part === '/' ? '' : `:${part}`;
  if (isNetwork) return { key: `share:${source}${below}`, name: source, mountPoint, isNetwork };
  const name = mountPoint === '/' ? 'this computer' : basename(mountPoint);
  if (!source.startsWith('/dev/')) return { key: `${type}:${source}:${mountPoint}`, name, mountPoint, isNetwork };
  return { key: `${uuidOf(source, uuids) ?? source}${below}`, name, mountPoint, isNetwork };
}

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

/** Returns the volume of a path on macOS or Windows, which is known by its name: `/Volumes/Name`, a drive letter, or a share. */
function otherVolume(path: string): Volume {
  const mac = /^\/Volumes\/([^/]+)/.exec(path);
  if (mac) return { key: `volume:${mac[1]}`, name: mac[1] ?? '', mountPoint: mac[0], isNetwork: false };
  const { root } = parse(path);
  const isNetwork = root.startsWith('\\\\');
  return {
    key: `root:${root.toLowerCase()}`,
    name: root === sep ? 'this computer' : root,
    mountPoint: root,
    isNetwork,
  };
}

function otherVolumeOfKey(key: string): string {
  return key.startsWith('volume:') ? `/Volumes/${key.slice('volume:'.length)}` : key.slice('root:'.length);
}
