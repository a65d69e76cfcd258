// The command line as a separate process, for end-to-end tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { KEYCHAIN_FILE } from '../../../electron/cli/session/session.ts';
import { createFileKeychain } from '../../../electron/engine/ports/system/keychain-file.ts';
import { nodeRandom } from '../../../electron/engine/ports/system/node-random.ts';
import { FormBrowser } from '../service/service-sign-in.ts';
import { programPath } from '../system/programs.ts';

const PROGRAM = new URL('../../../electron/cli/mediadesk.ts', import.meta.url);

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The lines of standard output that are JSON objects. */
  records: Record<string, unknown>[];
}

export interface CliRun {
  child: ChildProcess;
  /** Resolves with the first record (printed already or later) that has this property. */
  record<T = Record<string, unknown>>(name: string, fits?: (value: T) => boolean): Promise<T>;
  ended: Promise<CliResult>;
}

export interface CliOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** `pipe`: the test writes to standard input; it is empty unless given. */
  stdin?: 'pipe';
}

/** Starts `mediadesk ARGS`. */
export function startCli(args: readonly string[], options: CliOptions = {}): CliRun {
  const child = spawn(process.execPath, [programPath(PROGRAM), ...args], {
    stdio: 'pipe',
    env: { ...process.env, ...options.env },
    cwd: options.cwd,
  });
  if (options.stdin === undefined) child.stdin.end();
  const records: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  let stdout = '';
  let stderr = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) {
      try {
        records.push(JSON.parse(line));
      } catch {
        // A line of an indented document, not a record.
      }
    }
    for (const look of [...waiting]) look();
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<CliResult>((done) => {
    child.once('close', (code) => done({ code, stdout, stderr, records }));
  });
  return {
    child,
    ended,
    record: <T>(name: string, fits: (value: T) => boolean = () => true) =>
      new Promise<T>((done, fail) => {
        const look = () => {
          const found = records.find((record) => name in record && fits(record[name] as T));
          if (!found) return;
          waiting.delete(look);
          done(found[name] as T);
        };
        waiting.add(look);
        void ended.then(() => fail(new Error(`No “${name}” came:\n${stdout}\n${stderr}`)));
        look();
      }),
  };
}

/** Runs `mediadesk ARGS` to its end. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, options).ended;
}

/**
 * Creates an empty sign-in file of `profile` at scrypt's lowest cost. The cost is read from the file, so every command
 * on this profile opens it in milliseconds instead of half a second of CPU time.
 */
export async function sealAtLowCost(profile: string, passphrase: string): Promise<void> {
  const path = join(profile, KEYCHAIN_FILE);
  const keychain = createFileKeychain({ path, passphrase, random: nodeRandom, costLog2: 10 });
  await keychain.set('placeholder', '');
  await keychain.delete('placeholder');
}

/** Signs in on the command line, as a user on a computer without a screen would. */
export async function signInCli(
  target: { baseUrl: string; clientId: string; admin: { email_address: string; password: string } },
  args: readonly string[],
  decision: 'approve' | 'deny' = 'approve',
  options: CliOptions = {},
): Promise<CliResult> {
  const site = ['--site', target.baseUrl, '--client-id', target.clientId];
  const run = startCli(['sign-in', ...site, '--browser', 'none', '--json', ...args], options);
  const browser = new FormBrowser();
  let page = await browser.open(await run.record<string>('open'));
  page = await browser.submit(page, 'email_address', { ...target.admin });
  page = await browser.submit(page, 'decision', { decision });
  await visit(page.response.headers.get('location') ?? '');
  return run.ended;
}

/** Opens a page as a browser does; with `fetch` the service would detect a script. */
function visit(url: string): Promise<void> {
  return new Promise((done, fail) => {
    get(url, (answer) => answer.resume().once('end', done)).once('error', fail);
  });
}
