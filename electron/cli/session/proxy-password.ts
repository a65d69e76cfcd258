import { readFileSync } from 'node:fs';
import { UsageError } from '../arguments/usage-error.ts';

/** Where the password at the proxy comes from. It is never an argument, because every user of the computer can read those. */
export type ProxyPasswordSource = { kind: 'ask' } | { kind: 'file'; path: string } | { kind: 'forget' };

/** Returns the password; null: the stored one is to be deleted. `ask`: null without a terminal. Throws `UsageError`. */
export async function readProxyPassword(
  source: ProxyPasswordSource,
  ask: ((question: string) => Promise<string>) | null,
): Promise<string | null> {
  if (source.kind === 'forget') return null;
  const password = source.kind === 'file' ? readFile(source.path) : await typed(ask);
  if (password === '') throw new UsageError('The password is empty.', null);
  return password;
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new UsageError(`Can’t read the password file: ${(error as Error).message}.`, null);
  }
}

function typed(ask: ((question: string) => Promise<string>) | null): Promise<string> {
  if (ask !== null) return ask('Password at the proxy: ');
  throw new UsageError('Use --proxy-password-file FILE, or run the command in a terminal.', null);
}
