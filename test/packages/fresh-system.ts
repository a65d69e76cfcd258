// A fresh Debian 12 in mount namespaces of its own. What a test installs there is gone when its process ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { run, runOrThrow } from '../../build/processes.ts';

/** Makes the root of a process out of an overlay, as a machine has it: in a chroot, the kernel gives no user namespaces. */
const ENTER = `
set -e
cd "$1"
mkdir -p up work root
mount -t tmpfs tmpfs up
mkdir up/up up/work
mount -t overlay overlay -o "lowerdir=$2,upperdir=up/up,workdir=up/work" root
mount -t proc proc root/proc
mount --rbind /dev root/dev
cp /etc/resolv.conf root/etc/resolv.conf
printf '#!/bin/sh\\nexit 101\\n' > root/usr/sbin/policy-rc.d
chmod 755 root/usr/sbin/policy-rc.d
cd root
mkdir old
pivot_root . old
exec chroot . sh -c 'umount -l /old && rmdir /old && echo ready && exec sleep infinity'
`;

export interface FreshSystem {
  /** The path of a file of that system for programs outside of it. */
  outside(path: string): string;
  /** Runs a shell script there as root; throws when it fails. Returns what it printed. */
  asRoot(script: string): Promise<string>;
  /** The same as an ordinary user, with a home. */
  asUser(script: string): Promise<string>;
  /** Starts a shell script as the user, which ends with the system at the latest. */
  start(script: string): ChildProcess;
  stop(): Promise<void>;
}

/** Downloads the system once. */
async function baseIn(folder: string): Promise<string> {
  const base = join(folder, 'debian-12');
  if (existsSync(base)) return base;
  const made = join(folder, `new-${process.pid}`);
  await mkdir(folder, { recursive: true });
  await runOrThrow('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', made]);
  await rename(made, base);
  return base;
}

/** Starts a fresh system with the user `user`. `folder`: keeps the downloaded system. */
export async function startFreshSystem(folder: string): Promise<FreshSystem> {
  const base = await baseIn(folder);
  const place = join(folder, `run-${process.pid}`);
  await mkdir(place, { recursive: true });
  const holder = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', ENTER, 'enter', place, base],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise<void>((resolve) => holder.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    holder.stdout.once('data', () => resolve());
    holder.once('exit', (code) => reject(new Error(`The fresh system did not start: ${code}`)));
  });
  const children = await runOrThrow('ps', ['--ppid', String(holder.pid), '-o', 'pid=']);
  const pid = children.trim();
  const inside = (script: string) => [
    ...['--target', pid, '--mount', '--pid', '--', 'env', '-i', 'LC_ALL=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive'],
    ...['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'sh', '-ec', script],
  ];
  const user = (script: string) => `exec su - user -c '${script.replaceAll("'", "'\\''")}'`;
  const system: FreshSystem = {
    outside: (path) => `/proc/${pid}/root${path}`,
    asRoot: (script) => runOrThrow('nsenter', inside(script)),
    asUser: (script) => runOrThrow('nsenter', inside(user(`set -e\n${script}`))),
    start: (script) => spawn('nsenter', inside(user(script)), { stdio: 'ignore' }),
    async stop() {
      holder.kill('SIGKILL');
      await ended;
      await rm(place, { recursive: true, force: true });
    },
  };
  await system.asRoot('useradd --create-home --shell /bin/bash user');
  return system;
}

/** Returns the programs of a list that this computer does not have. */
export async function missingPrograms(names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => run('sh', ['-c', `command -v ${name}`])));
  return names.filter((_, at) => found[at]?.code !== 0);
}
