// Opens the window for the user and waits until it is closed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ElectronRuntime } from '../electron-runtime.ts';
import { run } from '../processes.ts';
import { appCommand } from './app-window.ts';
import { projectDir } from './project.ts';

/** Resolves when the user has closed Mediadesk, or when the signal aborts. */
export async function openForPerson(
  runtime: ElectronRuntime,
  profileDir: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const { ELECTRON_RUN_AS_NODE: _node, ...appEnv } = env;
  const { executablePath, args } = await appCommand(runtime, profileDir);
  const child = spawn(executablePath, args, { env: appEnv, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk.toString('utf8')}`.slice(-4_000);
  });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0 && !signal.aborted) throw new Error(`Mediadesk ended with ${code}. It said:\n${complaints}`);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Removes the sign-in of a profile that is about to be deleted from the user's keychain. */
export async function forgetSignIn(profileDir: string): Promise<void> {
  const program = join(projectDir, 'electron', 'cli', 'mediadesk.ts');
  // Without a sign-in, the command fails, which is no problem.
  await run(process.execPath, [program, 'sign-out', '--profile', profileDir], { timeoutMs: 30_000 });
}
