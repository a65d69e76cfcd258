import { readFileSync } from 'node:fs';
import { dirname, parse, sep } from 'node:path';
import type { Clock } from './clock.ts';

/** How long the list of mounts is believed. */
const LASTS_MS = 2000;

interface Mount {
  id: string;
  point: string;
}

/**
 * Names the disk or share that a path lies on, without touching it: what hangs once hangs for all that has this name. On
 * the disk of the system itself only the folder counts, so that one bad path there does not stand for everything.
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
      const { root } = parse(path);
      return root.startsWith('\\\\') || !/^c:/i.test(root) ? root : dirname(path);
    }
    return /^\/Volumes\/[^/]+/.exec(path)?.[0] ?? dirname(path);
  };
}

/** The mount with the longest folder that the path lies in; of those mounted over each other, the last. */
export function longestMount(path: string, mounts: readonly Mount[]): Mount | null {
  let longest: Mount | null = null;
  for (const mount of mounts) {
    const isInside =
      path === mount.point || path.startsWith(mount.point.endsWith(sep) ? mount.point : mount.point + sep);
    if (isInside && (longest === null || mount.point.length >= longest.point.length)) longest = mount;
  }
  return longest;
}

/** Lines of Linux's table of mounts: number, parent, device, root, folder, and more. Blanks are written as `\040`. */
export function readMountTable(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const [id, , , , point] = line.split(' ');
    if (id === undefined || point === undefined) return [];
    return [
      { id, point: point.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))) },
    ];
  });
}

/** Answered by the kernel from memory: it never waits for a disk. */
function linuxMounts(): Mount[] {
  return readMountTable(readFileSync('/proc/self/mountinfo', 'utf8'));
}
