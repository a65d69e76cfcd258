import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PlaceFailed, placeFailureOf } from './place-failed.ts';
import { lowerPriority } from './tool-priority.ts';

/**
 * Limits for one run of a tool. The system enforces all but the first where it supports them; this module always enforces the
 * first.
 */
export interface ToolLimits {
  /** The maximum elapsed time, which is also the maximum processor time of one thread. */
  seconds: number;
  memoryBytes: number;
  /** The maximum size of each file that the tool writes. */
  outputBytes: number;
}

/** The maximum output that is read; a tool that writes more is killed. */
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_REASON_CHARS = 500;

/**
 * The only environment variables that a tool gets: the service's own variables may contain secrets, or make the tool write a
 * report.
 */
const VARIABLES = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];

/**
 * Runs a program on an uploaded file: at low priority, without network where the system permits, with limits. Resolves
 * with its standard output. Rejects with the signal's reason when aborted, with `PlaceFailed` when the tool can't be started or
 * another program killed it, otherwise with the exceeded limit or the end of the tool's own messages. By then, the tool has ended or
 * been killed.
 */
export async function runTool(
  program: string,
  args: readonly string[],
  limits: ToolLimits,
  signal: AbortSignal,
): Promise<string> {
  const [file = program, ...rest] = [...limitedBy(limits), ...(await isolation()), program, ...args];
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const options = {
      ...({ signal, killSignal: 'SIGKILL', timeout: limits.seconds * 1000, maxBuffer: MAX_OUTPUT_BYTES } as const),
      env: toolEnvironment(),
    };
    const child = execFile(file, rest, options, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else if (signal.aborted) reject(signal.reason);
      else reject(failureOf(error) ?? new Error(reasonOf(error, stderr, limits)));
    });
    lowerPriority(child.pid);
  });
}

type ToolError = Error & { killed?: boolean; code?: unknown; signal?: unknown };

/** What a shell answers when a program is not there, or can't be started. */
const NOT_STARTED: ReadonlySet<unknown> = new Set([126, 127, 'ENOENT']);

function failureOf(error: ToolError): PlaceFailed | undefined {
  if (NOT_STARTED.has(error.code)) return new PlaceFailed('A tool could not be started.');
  // This module kills a tool only for its limits; the system does so when it has no memory left.
  if (!error.killed && error.signal === 'SIGKILL') {
    return new PlaceFailed('The system killed a tool.', { isSuspect: true });
  }
  return placeFailureOf(error);
}

function reasonOf(error: ToolError, stderr: string, limits: ToolLimits): string {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'The tool wrote too much.';
  if (error.killed || error.signal === 'SIGXCPU') return `The tool took longer than ${limits.seconds} s.`;
  if (error.signal === 'SIGXFSZ') return `The tool wrote a file of more than ${limits.outputBytes} bytes.`;
  const said = stderr.trim().split('\n').slice(-3).join(' ').slice(-MAX_REASON_CHARS);
  return said || `The tool ended (${error.signal ?? error.code}).`;
}

function toolEnvironment(): NodeJS.ProcessEnv {
  const known = VARIABLES.map((name) => [name, process.env[name]] as const);
  return { ...Object.fromEntries(known.filter(([, value]) => value !== undefined)), LC_ALL: 'C' };
}

/** A shell sets the limits and then becomes the tool. Windows has no such shell; there, only the time limit applies. */
function limitedBy({ seconds, memoryBytes, outputBytes }: ToolLimits): string[] {
  if (process.platform === 'win32') return [];
  const limits = [
    ...['ulimit -c 0', `ulimit -f ${Math.ceil(outputBytes / 512)}`],
    // The soft limit first: its signal says which limit it was.
    ...[`ulimit -S -t ${seconds}`, `ulimit -H -t ${seconds + 1}`],
    // macOS does not support this limit.
    `ulimit -v ${Math.ceil(memoryBytes / 1024)} 2>/dev/null || :`,
  ];
  return ['/bin/sh', '-c', `${limits.join('; ')}; exec "$@"`, 'sh'];
}

const NO_NETWORK = [
  ['unshare', '--net'],
  // Works for users other than root, where the system permits it.
  ['unshare', '--map-root-user', '--net'],
];
/** Makes the system kill a tool when the service is killed. */
const ENDS_WITH_SERVICE = ['setpriv', '--pdeathsig', 'KILL'];

let found: Promise<readonly string[]> | undefined;

/**
 * Returns the command before that of a tool, so that the tool has no network and ends with the service, as far as this machine
 * permits; empty if it permits neither.
 */
export function isolation(): Promise<readonly string[]> {
  found ??= findIsolation();
  return found;
}

async function findIsolation(): Promise<readonly string[]> {
  if (process.platform !== 'linux') return [];
  const ending = (await works(ENDS_WITH_SERVICE)) ? ENDS_WITH_SERVICE : [];
  for (const alone of NO_NETWORK) if (await works([...alone, ...ending])) return [...alone, ...ending];
  return ending;
}

async function works([file = '', ...args]: readonly string[]): Promise<boolean> {
  try {
    await promisify(execFile)(file, [...args, 'true'], { timeout: 5000, env: toolEnvironment() });
    return true;
  } catch {
    return false;
  }
}
