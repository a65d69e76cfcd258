// The private desktop that end-to-end tests and the unattended demo run in.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDesktopSession } from '../../../build/desktop-session.ts';
import { run } from '../../../build/processes.ts';

const script = join(import.meta.dirname, '..', '..', '..', 'build', 'desktop-session.ts');

/** Runs a shell line inside a fresh desktop. */
function inDesktop(line: string, ...options: string[]) {
  return run(process.execPath, [script, ...options, '--', 'sh', '-c', line]);
}

function isAlive(pid: number): boolean {
  try {
    // A process that has ended and was not collected is a zombie, which does not run.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

describe('a private desktop', () => {
  it('gives a command a screen, a bus and folders that are not the caller’s', async () => {
    const { code, stdout } = await inDesktop('env');
    expect(code).toBe(0);
    const env = Object.fromEntries(stdout.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(env.DISPLAY).toMatch(/^:\d+$/);
    for (const name of ['DISPLAY', 'DBUS_SESSION_BUS_ADDRESS', 'HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR']) {
      expect(env[name], name).toBeTruthy();
      expect(env[name], name).not.toBe(process.env[name]);
    }
    expect(existsSync(env.HOME ?? '')).toBe(false);
  });

  it('has an unlocked keychain that stores a secret without a question', async () => {
    const keytar = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'keytar');
    const code = `
      const keytar = require(${JSON.stringify(keytar)});
      keytar.setPassword('s', 'a', 'word').then(() => keytar.getPassword('s', 'a')).then(console.log);`;
    const session = await startDesktopSession();
    try {
      const { stdout } = await run(process.execPath, ['-e', code], { env: session.env });
      expect(stdout.trim()).toBe('word');
    } finally {
      await session.stop();
    }
  });

  it.each([0, 1, 7])('ends with the exit code of the command: %i', async (code) => {
    expect((await inDesktop(`exit ${code}`)).code).toBe(code);
  });

  it('reports that a command does not exist', async () => {
    const { code, stderr } = await run(process.execPath, [script, '--', 'no-such-program']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('no-such-program');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'forwards %s to the command, and leaves no process and no folder behind',
    async (signal) => {
      const child = spawn(process.execPath, [script, '--', 'sh', '-c', 'echo $$ $HOME; exec sleep 600'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const line = await new Promise<string>((resolve) => {
        child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim()));
      });
      const [pid, home] = line.split(' ');
      const servers = childrenOf(child.pid ?? 0);
      expect(servers.length).toBeGreaterThanOrEqual(4);
      child.kill(signal);
      const code = await new Promise((resolve) => child.once('exit', resolve));
      expect(code).toBe(signal === 'SIGTERM' ? 143 : 130);
      expect([...servers, Number(pid)].filter(isAlive)).toEqual([]);
      expect(existsSync(home ?? '')).toBe(false);
    },
  );

  it('ends its servers even when it is killed', async () => {
    const child = spawn(process.execPath, [script, '--', 'sh', '-c', 'echo $$; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const servers = childrenOf(child.pid ?? 0);
    child.kill('SIGKILL');
    await expect.poll(() => servers.filter(isAlive)).toEqual([]);
  });
});

/** Returns the direct children of a process, as the kernel lists them. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}
