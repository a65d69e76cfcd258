import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';

/** The limit of the user namespace of a process, and of everything that it starts. */
const LIMIT = '/proc/sys/user/max_inotify_watches';

/** Capabilities are kept so that a user other than root can set the limit in a namespace of its own. */
const UNSHARE = ['--user', '--map-current-user', '--keep-caps'];

/**
 * Writes a script to `path` that runs `program` with its own arguments and at most this number of inotify watches. The limit applies
 * to the program alone, not to other programs of this computer. Returns `path`.
 */
export function writeLimitedLauncher(path: string, program: string, watches: number): string {
  const inside = `echo ${watches} > ${LIMIT} && exec "$0" "$@"`;
  writeFileSync(path, `#!/bin/sh\nexec unshare ${UNSHARE.join(' ')} sh -c '${inside}' '${program}' "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Sets the limit of a running program that `writeLimitedLauncher` started. */
export function setInotifyLimit(pid: number, watches: number): void {
  const inside = ['sh', '-c', `echo ${watches} > ${LIMIT}`];
  execFileSync('nsenter', ['--target', String(pid), '--user', '--preserve-credentials', ...inside], { stdio: 'pipe' });
}

/** Returns whether this process can start programs with a limit of their own; it tries it. */
export function mayLimitInotify(): boolean {
  try {
    execFileSync('unshare', [...UNSHARE, 'sh', '-c', `echo 100 > ${LIMIT}`], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
