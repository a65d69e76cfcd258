// Squid, the proxy of many institutions, as a process with Basic sign-in.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = '/usr/sbin/squid';
const PASSWORDS = '/usr/lib/squid/basic_ncsa_auth';

/** Whether Squid and the openssl command, which hashes its password, are here. */
export const hasSquid = existsSync(PROGRAM) && existsSync(PASSWORDS) && spawnSync('openssl', ['version']).status === 0;

export interface Squid {
  /** Host and port. */
  name: string;
  /** What it logged: one line for each request. */
  log(): string;
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts Squid for one user. For it, the host `name` is this computer. */
export async function startSquid(name: string, user: { name: string; password: string }): Promise<Squid> {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-squid-'));
  // Started by root, it runs as another user.
  chmodSync(folder, 0o777);
  const path = (file: string) => join(folder, file);
  const hash = execFileSync('openssl', ['passwd', '-apr1', user.password], { encoding: 'utf8' }).trim();
  writeFileSync(path('passwords'), `${user.name}:${hash}\n`);
  writeFileSync(path('hosts'), `127.0.0.1 ${name}\n`);
  const port = await freePort();
  writeFileSync(
    path('squid.conf'),
    [
      `http_port 127.0.0.1:${port}`,
      `hosts_file ${path('hosts')}`,
      `auth_param basic program ${PASSWORDS} ${path('passwords')}`,
      'auth_param basic children 1 startup=1',
      'auth_param basic realm institution',
      'acl signed_in proxy_auth REQUIRED',
      'http_access allow signed_in',
      'http_access deny all',
      'cache deny all',
      'cache_log /dev/null',
      `access_log stdio:${path('access.log')}`,
      `pid_filename ${path('squid.pid')}`,
      `coredump_dir ${folder}`,
      'pinger_enable off',
      'shutdown_lifetime 0 seconds',
      'visible_hostname proxy.test',
      '',
    ].join('\n'),
  );
  const child = spawn(PROGRAM, ['-N', '-f', path('squid.conf')], { stdio: 'pipe' });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`Squid ended with ${child.exitCode}: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    name: `127.0.0.1:${port}`,
    log: () => (existsSync(path('access.log')) ? readFileSync(path('access.log'), 'utf8') : ''),
    async close() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
