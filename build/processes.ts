// Child processes for the build tools: run one to its end, or fail with all of its output.
import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** The result of a finished process. `code` is null when a signal ended it. */
export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Written to the process's stdin, which is closed either way. */
  input?: string;
  /** The process is killed after this time. */
  timeoutMs?: number;
  /** Prints the output while the process runs, in addition to storing it. */
  echo?: boolean;
}

/** Thrown by `runOrThrow`; the message contains the command, the exit code and the last lines of its output. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
  readonly finished: Finished;
  constructor(command: string, finished: Finished) {
    const tail = `${finished.stdout}\n${finished.stderr}`.trim().split('\n').slice(-12).join('\n');
    const how = finished.signal ? `was ended by ${finished.signal}` : `exited with ${finished.code}`;
    super(`${command} ${how}${tail ? `:\n${tail}` : ''}`);
    this.finished = finished;
  }
}

/** Runs a program to its end. Rejects only when it can't be started at all. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (options.echo) process.stdout.write(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (options.echo) process.stderr.write(text);
    });
    // A program that exits before reading its input closes the pipe; its exit code is the real answer.
    child.stdin.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') reject(error);
    });
    child.stdin.end(options.input ?? '');
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Like `run`, but anything except exit code 0 is an error. Returns stdout. */
export async function runOrThrow(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const finished = await run(command, args, options);
  if (finished.code !== 0) throw new CommandFailed([command, ...args].join(' '), finished);
  return finished.stdout;
}

/** The full path of a program on the PATH, or undefined. */
export async function findProgram(name: string, path = process.env.PATH ?? ''): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const candidate = join(folder, name);
    try {
      await access(candidate, constants.X_OK);
      return candidate;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== 'ENOENT' && code !== 'EACCES' && code !== 'ENOTDIR') throw error;
    }
  }
  return undefined;
}
