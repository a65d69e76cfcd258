import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate file system in memory. */
export interface SmallDisk {
  /** Its mount point. */
  readonly path: string;
  /** Detaches it at once, even while files are open. */
  pull(): void;
  /** Unmounts it when it is not in use; throws otherwise. */
  unmount(): void;
  /** Mounts another, empty one in its place. */
  mountAnew(): void;
  remove(): void;
}

/** Mounts a small disk. Throws when that is not permitted: call `mayMount` first. */
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

/** Returns whether this process can mount a disk; it tries it. */
export function mayMount(): boolean {
  try {
    mountSmallDisk(1).remove();
    return true;
  } catch {
    return false;
  }
}
