// Tools outside of Node: a sink, and a measurement of the CPU time of a command. In C, or in Python where there is no compiler.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Measured {
  stdout: string;
  cpuSeconds: number;
  peakBytes: number;
}

export interface NativeTools {
  /** The language of the tools, for the report. */
  language: 'C' | 'Python';
  /**
   * Starts a sink and returns its address. `drain`: a sink that does not copy what it drops, so that it takes less CPU
   * from the sender beside it.
   */
  startSink(kind?: 'sink' | 'drain'): Promise<URL>;
  /** Runs a command to its end. Throws when it fails. */
  measure(command: readonly string[]): Promise<Measured>;
  close(): void;
}

export function openNativeTools(): NativeTools {
  const folder = mkdtempSync(join(tmpdir(), 'mediadesk-bench-'));
  const binary = join(folder, 'native-tools');
  const source = join(import.meta.dirname, 'native-tools.c');
  const isCompiled = spawnSync('cc', ['-O2', '-pthread', '-o', binary, source]).status === 0;
  const base = isCompiled ? [binary] : ['python3', join(import.meta.dirname, 'native-tools.py')];
  const children: ChildProcess[] = [];
  return {
    language: isCompiled ? 'C' : 'Python',
    async startSink(kind = 'sink') {
      const [command = '', ...args] = [...base, kind];
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      const [port] = (await once(child.stdout, 'data')) as [Buffer];
      return new URL(`http://127.0.0.1:${port.toString().trim()}/drop`);
    },
    measure(wanted) {
      const [command = '', ...args] = [...base, 'measure', ...wanted];
      return new Promise((resolve, reject) => {
        execFile(command, args, { maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
          if (error) {
            reject(new Error(`${wanted.join(' ')} failed: ${stderr}`, { cause: error }));
            return;
          }
          const facts = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { cpuSeconds: number; peakKib: number };
          resolve({ stdout, cpuSeconds: facts.cpuSeconds, peakBytes: facts.peakKib * 1024 });
        });
      });
    },
    close() {
      for (const child of children) child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
