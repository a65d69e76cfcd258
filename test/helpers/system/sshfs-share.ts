import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const SERVER = '/usr/lib/openssh/sftp-server';

/** Whether this computer has the parts of a network drive, and permits to mount one. */
export function mayMountShare(): boolean {
  return existsSync('/dev/fuse') && existsSync(SERVER) && spawnSync('sshfs', ['--version']).status === 0;
}

/**
 * Mounts `folder` at `mountPoint` through sshfs and a server of this computer: without a network, but with the file system
 * that network drives have. Returns the function that disconnects it.
 */
export async function mountShare(folder: string, mountPoint: string): Promise<() => Promise<void>> {
  const server = spawn(SERVER, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const mount = spawn('sshfs', ['-f', '-o', 'passive', `:${folder}`, mountPoint], {
    stdio: [server.stdout, server.stdin, 'inherit'],
  });
  const isMounted = () => readFileSync('/proc/self/mountinfo', 'utf8').includes(` ${mountPoint} `);
  while (!isMounted()) {
    if (mount.exitCode !== null) throw new Error(`sshfs ended with ${mount.exitCode}`);
    await pause(20);
  }
  return async () => {
    spawnSync('umount', ['-l', mountPoint]);
    await Promise.all([ended(mount), ended(server)]);
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
