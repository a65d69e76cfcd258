import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own, in memory. */
export interface SmallDisk {
  /** Where it is mounted. */
  readonly path: string;
  /** Takes it away at once, also from those who have files of it open. */
  pull(): void;
  /** Unmounts it when it is not in use; throws otherwise. */
  unmount(): void;
  /** Another, empty one in its place. */
  mountAnew(): void;
  remove(): void;
}

/** Mounts a small disk. Throws where that is not permitted: ask `mayMount` first. */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'mediadesk-disk-'));
  let isMounted = false;
  const mount = () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'mediadesk-test', path], { stdio: 'pipe' });
    isMounted = true;
  };
  const unmount = (...options: string[]) => {
    execFileSync('umount', [...options, path], { stdio: 'pipe' });
    isMounted = false;
  };
  try {
    mount();
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  return {
    path,
    pull: () => unmount('--lazy'),
    unmount: () => unmount(),
    mountAnew: mount,
    remove() {
      if (isMounted) unmount('--lazy');
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Whether this process may mount at all: tried, not guessed. */
export function mayMount(): boolean {
  try {
    mountSmallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
}
