import { readFileSync } from 'node:fs';
import { dirname, win32 } from 'node:path';
import type { Clock } from '../clock.ts';

/** How long the cached list of mounts is valid. */
const LASTS_MS = 2000;

interface Mount {
  id: string;
  point: string;
}

/**
 * Returns the name of the disk or share of a path without accessing it: if one call hangs, all paths with this name
 * count as hanging. On the system disk only the folder is the name, so that one bad path there does not block
 * everything.
 */
export function createDiskOf(platform: string, clock: Clock): (path: string) => string {
  let known: { readAt: number; mounts: Mount[] } | null = null;
  const mounts = () => {
    const now = clock.monotonic();
    if (known === null || now - known.readAt > LASTS_MS) known = { readAt: now, mounts: linuxMounts() };
    return known.mounts;
  };
  return (path) => {
    if (platform === 'linux') {
      const mount = longestMount(path, mounts());
      return mount === null || mount.point === '/' ? dirname(path) : `${mount.id} ${mount.point}`;
    }
    if (platform === 'win32') {
      const { root, dir } = win32.parse(path);
      return root.startsWith('\\\\') || !/^c:/i.test(root) ? root : dir;
    }
    return /^\/Volumes\/[^/]+/.exec(path)?.[0] ?? dirname(path);
  };
}

/** Returns the mount with the longest folder that contains the path; of several mounts on the same folder, the last one. */
export function longestMount(path: string, mounts: readonly Mount[]): Mount | null {
  let longest: Mount | null = null;
  for (const mount of mounts) {
    const isInside =
      path === mount.point || path.startsWith(mount.point.endsWith('/') ? mount.point : `${mount.point}/`);
    if (isInside && (longest === null || mount.point.length >= longest.point.length)) longest = mount;
  }
  return longest;
}

/** Reads Linux's mount table. A line contains number, parent, device, root, folder, and more; blanks are escaped as `\040`. */
export function readMountTable(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [id, , , , point] = line.split(' ');
    if (id === undefined || point === undefined) return [];
    return [
      { id, point: point.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))) },
    ];
  });
}

/** The kernel answers from memory, without waiting for a disk. */
function linuxMounts(): Mount[] {
  return readMountTable(readFileSync('/proc/self/mountinfo', 'utf8'));
}
