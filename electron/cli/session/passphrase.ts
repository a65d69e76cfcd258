import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import { UsageError } from '../arguments/usage-error.ts';

export interface PassphraseSources {
  /** `--passphrase-fd`. */
  fd: number | null;
  /** `--passphrase-file`. */
  file: string | null;
  /** The variable is deleted from it, so that child processes do not inherit it. */
  env: NodeJS.ProcessEnv;
  /** Asks for a line on the terminal without showing it; null without a terminal. */
  ask: ((question: string) => Promise<string>) | null;
}

/**
 * Reads the passphrase of the sign-in file: from a file descriptor, from a file, from `MEDIADESK_PASSPHRASE`, or typed on
 * the terminal. Never from the argument list, which every user of the machine can read.
 */
export async function readPassphrase({ fd, file, env, ask }: PassphraseSources): Promise<string> {
  const fromEnv = env.MEDIADESK_PASSPHRASE;
  delete env.MEDIADESK_PASSPHRASE;
  if (fd !== null) return nonEmpty(readDescriptor(fd));
  if (file !== null) return nonEmpty(readFile(file));
  if (fromEnv !== undefined) return nonEmpty(fromEnv);
  if (ask === null) {
    throw new UsageError(
      'The sign-in file requires a passphrase. Use --passphrase-file FILE, --passphrase-fd N or MEDIADESK_PASSPHRASE, or run the command in a terminal.',
      null,
    );
  }
  return nonEmpty(await ask('Passphrase for the sign-in file: '));
}

function nonEmpty(passphrase: string): string {
  if (passphrase === '') throw new UsageError('The passphrase is empty.', null);
  return passphrase;
}

/** Reads the descriptor to its end, without the last line break. */
function readDescriptor(fd: number): string {
  try {
    return withoutLineBreak(readFileSync(fd, 'utf8'));
  } catch (error) {
    // The number is then free, or this process itself uses it.
    const hint = fd > 2 ? ' “npm run” doesn’t pass on descriptors above 2: use --passphrase-file.' : '';
    throw new UsageError(`Can’t read file descriptor ${fd}: ${(error as Error).message}.${hint}`, null);
  }
}

function readFile(path: string): string {
  try {
    return withoutLineBreak(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`Can’t read the passphrase file: ${(error as Error).message}.`, null);
  }
}

/** Bits of a mode by which other users than the owner can read or change a file. */
const OTHERS = 0o077;

/**
 * Returns the problem of a passphrase file that other users can read; null when they can't, or the system has no such modes. A
 * credential of systemd has the bits of a group for its access list, in a folder that only the service can read.
 */
export function passphraseFileProblem(
  path: string,
  { env, platform }: { env: NodeJS.ProcessEnv; platform: string },
): AppError | null {
  if (platform === 'win32') return null;
  const credentials = env.CREDENTIALS_DIRECTORY;
  if (credentials && dirname(resolve(path)) === resolve(credentials)) return null;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & OTHERS) === 0 ? null : appError('keychain.passphrase-exposed', { details: { path } });
}

function withoutLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}
