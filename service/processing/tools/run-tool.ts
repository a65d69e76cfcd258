import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';
import { promisify } from 'node:util';

/** What one run of a tool may take. The system enforces all but the first where it can; the first is always enforced. */
export interface ToolLimits {
  /** Of the clock, and of the processor for one thread. */
  seconds: number;
  memoryBytes: number;
  /** Of each file that it writes. */
  outputBytes: number;
}

/** What is read of a tool's output at most; one that writes more is ended. */
const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_REASON_CHARS = 500;
/** Below uploads and answers: they must not wait for it. */
const NICE = 15;

/** The only variables that a tool sees: the service's own may hold secrets, or make it write a report somewhere. */
const VARIABLES = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR'];

/**
 * Runs a program on an uploaded file: at low priority, without network where the system allows, with the limits. Resolves
 * with what it writes to standard output. Rejects with the signal's reason when that is aborted, else with the limit that
 * it exceeded or the end of its own messages; it no longer runs then.
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
      else reject(new Error(reasonOf(error, stderr, limits)));
    });
    if (child.pid === undefined) return;
    try {
      setPriority(child.pid, NICE);
    } catch {
      // It has ended already, or the system does not let us.
    }
  });
}

function reasonOf(
  error: Error & { killed?: boolean; code?: unknown; signal?: unknown },
  stderr: string,
  limits: ToolLimits,
): string {
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

/** A shell sets the limits and then becomes the tool. Windows has no such shell; the time limit applies there alone. */
function limitedBy({ seconds, memoryBytes, outputBytes }: ToolLimits): string[] {
  if (process.platform === 'win32') return [];
  const limits = [
    ...['ulimit -c 0', `ulimit -t ${seconds}`, `ulimit -f ${Math.ceil(outputBytes / 512)}`],
    // macOS does not know this one.
    `ulimit -v ${Math.ceil(memoryBytes / 1024)} 2>/dev/null || :`,
  ];
  return ['/bin/sh', '-c', `${limits.join('; ')}; exec "$@"`, 'sh'];
}

const NO_NETWORK = [
  ['unshare', '--net'],
  // For those who are not root, where the system lets them.
  ['unshare', '--map-root-user', '--net'],
];
/** A service that is killed does not leave its tools running. */
const ENDS_WITH_SERVICE = ['setpriv', '--pdeathsig', 'KILL'];

let found: Promise<readonly string[]> | undefined;

/** The programs that a tool is started through here, so that it has no network and ends with the service. */
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
