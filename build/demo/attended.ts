// The window for a person: opened, and waited for until they close it.
import { spawn } from 'node:child_process';
import type { ElectronRuntime } from '../electron-runtime.ts';
import { appCommand } from './app-window.ts';

/** Resolves when the person has closed Mediadesk, or when the signal asks to end. */
export async function openForPerson(
  runtime: ElectronRuntime,
  profileDir: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<void> {
  const { ELECTRON_RUN_AS_NODE: _node, ...appEnv } = env;
  const { executablePath, args } = await appCommand(runtime, profileDir);
  const child = spawn(executablePath, args, { env: appEnv, stdio: ['ignore', 'ignore', 'inherit'] });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => resolve());
    });
  } finally {
    signal.removeEventListener('abort', end);
  }
}
