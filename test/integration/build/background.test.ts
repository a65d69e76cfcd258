import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { putInBackground } from '../../../build/background.ts';

const MODULE = resolve(import.meta.dirname, '../../../build/background.ts');
const FOREVER = 'setInterval(() => {}, 1000)';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a process in the background', () => {
  it('has the lowest priority, and so has its group where the system has groups', async () => {
    const child = spawn(process.execPath, ['-e', FOREVER], { detached: true, stdio: 'ignore' });
    const pid = child.pid as number;
    try {
      putInBackground(child);
      expect(getPriority(pid)).toBe(19);
      const group = `/proc/${pid}/autogroup`;
      if (existsSync(group)) expect(readFileSync(group, 'utf8')).toContain('nice 19');
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  it('is ended, with the processes that it started, when the process that started it is interrupted', async () => {
    const inner = `const c = require('node:child_process').spawn(process.execPath, ['-e', '${FOREVER}']); console.log(c.pid); ${FOREVER}`;
    const outer = `
      import { spawn } from 'node:child_process';
      import { putInBackground } from ${JSON.stringify(MODULE)};
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
      putInBackground(child);
      console.log(child.pid);`;
    const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', outer], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pids: number[] = [];
    for await (const line of createInterface({ input: parent.stdout })) {
      pids.push(Number(line));
      if (pids.length === 2) break;
    }
    parent.kill('SIGTERM');
    const [, signal] = await once(parent, 'exit');
    expect(signal).toBe('SIGTERM');
    await expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
  });
});
