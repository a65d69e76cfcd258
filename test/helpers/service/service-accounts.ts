// Steps on the account pages of the service, as a browser without scripts makes them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { FormBrowser, type SignInTarget } from './service-sign-in.ts';
import { databaseOptions } from './test-database.ts';

const MAIN = fileURLToPath(new URL('../../../service/main.ts', import.meta.url));

export const PASSWORD = 'correct horse battery';

/** Sets a password at a one-time link; returns the page that follows. */
export async function setPassword(link: string, password = PASSWORD, browser = new FormBrowser()) {
  const page = await browser.open(link);
  return browser.submit(page, 'password', { password, again: password });
}

/** Runs a command about the library in a data directory. */
export const runFor = async (dataDir: string, verb: string, ...args: string[]) =>
  runProgram(verb, '--data', dataDir, ...(await databaseOptions(dataDir)), ...args);

/** Runs a command of the service's program. */
export async function runProgram(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}

/** Makes a reset link by the command of operators. */
export async function resetLinkFor(dataDir: string, email: string): Promise<string> {
  const { code, stdout, stderr } = await runFor(dataDir, 'reset-link', email);
  if (code !== 0) throw new Error(`No link was made (${code}): ${stderr}`);
  return stdout.trim();
}

/** Returns the target of a sign-in with another account. */
export function accountOf(service: SignInTarget, email_address: string, password = PASSWORD): SignInTarget {
  return { baseUrl: service.baseUrl, clientId: service.clientId, admin: { email_address, password } };
}
