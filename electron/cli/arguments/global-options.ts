import type { OptionSpec, OptionValues } from './options.ts';
import { UsageError } from './usage-error.ts';

/** The options of every command. */
export const GLOBAL_OPTIONS = {
  profile: { value: 'DIR', help: 'Folder of the queue and settings; the window app’s own unless given.' },
  keychain: { value: 'KIND', help: 'Where the sign-in is kept: system (default), file, or memory (this run only).' },
  'passphrase-file': {
    value: 'FILE',
    help: 'Read the passphrase of --keychain file from a file; “-” is standard input.',
  },
  'passphrase-fd': { value: 'N', help: 'Read the passphrase of --keychain file from file descriptor N.' },
  site: { value: 'SITE', help: 'Which library, by address, host name or id; needed when there are several.' },
  account: { value: 'NAME', help: 'Whose account at that library, by name or number; needed when there are several.' },
  json: { value: null, help: 'One JSON object a line instead of text.' },
  verbose: { value: null, help: 'Say on standard error what is being done.' },
  help: { value: null, help: 'Show help; after a command, the help of that command.' },
  version: { value: null, help: 'Show the version.' },
} as const satisfies Record<string, OptionSpec>;

/** The values of the options of every command. */
export interface GlobalOptions {
  /** null: the folder of the window app. */
  profileDir: string | null;
  keychain: 'system' | 'memory' | 'file';
  /** File descriptor to read the passphrase of the keychain file from. */
  passphraseFd: number | null;
  /** File to read the passphrase from. */
  passphraseFile: string | null;
  /** The library: its id, address or host name. null: the only one. */
  site: string | null;
  /** The account at that library, by name or number. null: the only one. */
  account: string | null;
  json: boolean;
  verbose: boolean;
}

/** Reads the options of every command. Throws `UsageError` with the topic. */
export function readGlobals(values: OptionValues, topic: string | null): GlobalOptions {
  const keychain = values.keychain ?? 'system';
  if (keychain !== 'system' && keychain !== 'memory' && keychain !== 'file') {
    throw new UsageError(`--keychain takes system, file or memory; not “${keychain}”.`, topic);
  }
  const fd = values['passphrase-fd'];
  if (typeof fd === 'string' && !/^\d{1,4}$/.test(fd)) {
    throw new UsageError('--passphrase-fd takes the number of an open file descriptor.', topic);
  }
  const file = values['passphrase-file'];
  if ((fd !== undefined || file !== undefined) && keychain !== 'file') {
    throw new UsageError('--passphrase-file and --passphrase-fd go with --keychain file.', topic);
  }
  if (fd !== undefined && file !== undefined) {
    throw new UsageError('Give --passphrase-file or --passphrase-fd, not both.', topic);
  }
  if (file === '') throw new UsageError('--passphrase-file takes the path of a file, or “-”.', topic);
  const given = (name: string) => (typeof values[name] === 'string' && values[name] !== '' ? values[name] : null);
  return {
    profileDir: given('profile'),
    keychain,
    passphraseFd: file === '-' ? 0 : fd === undefined ? null : Number(fd),
    passphraseFile: file === '-' ? null : given('passphrase-file'),
    site: given('site'),
    account: given('account'),
    json: values.json === true,
    verbose: values.verbose === true,
  };
}
