import type { OptionSpec, OptionValues } from './options.ts';
import { UsageError } from './usage-error.ts';

/** The options of every command. */
export const GLOBAL_OPTIONS = {
  profile: { value: 'DIR', help: 'Folder with the queue and settings. Default: that of the Mediadesk window.' },
  keychain: {
    value: 'KIND',
    values: ['system', 'file', 'memory'],
    help: 'Where your sign-in is stored: system (default), file, or memory (this run only).',
  },
  'passphrase-file': {
    value: 'FILE',
    help: 'Read the passphrase for --keychain file from a file, or from standard input (“-”).',
  },
  'passphrase-fd': { value: 'N', help: 'Read the passphrase for --keychain file from file descriptor N.' },
  site: { value: 'SITE', help: 'Library to use, by address, host name or ID. Required if there are several.' },
  account: { value: 'NAME', help: 'Account to use, by name or number. Required if there are several.' },
  json: { value: null, help: 'Print one JSON object per line instead of text.' },
  verbose: { value: null, help: 'Print each step to standard error.' },
  quiet: { value: null, short: 'q', help: 'Print only results, warnings and errors: no notes, no progress.' },
  help: { value: null, short: 'h', help: 'Show help, or the help of a command.' },
  version: { value: null, short: 'V', help: 'Show the version.' },
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

/**
 * Returns the values with the defaults of options that are not given. A default for the passphrase applies only to a keychain file,
 * and not beside another source of the passphrase.
 */
function withDefaults(values: OptionValues, defaults: OptionValues): OptionValues {
  const merged = { ...defaults, ...values };
  const isReplaced = merged.keychain !== 'file' || values['passphrase-fd'] !== undefined;
  if (isReplaced && values['passphrase-file'] === undefined) delete merged['passphrase-file'];
  return merged;
}

/** Reads the options of every command. `defaults`: of the environment and the configuration. Throws `UsageError` with the topic. */
export function readGlobals(given: OptionValues, topic: string | null, defaults: OptionValues = {}): GlobalOptions {
  const values = withDefaults(given, defaults);
  const keychain = values.keychain ?? 'system';
  if (keychain !== 'system' && keychain !== 'memory' && keychain !== 'file') {
    throw new UsageError(`Invalid value for --keychain: ${keychain}. Use system, file or memory.`, topic);
  }
  const fd = values['passphrase-fd'];
  if (typeof fd === 'string' && !/^\d{1,4}$/.test(fd)) {
    throw new UsageError('--passphrase-fd requires the number of an open file descriptor.', topic);
  }
  const file = values['passphrase-file'];
  if ((fd !== undefined || file !== undefined) && keychain !== 'file') {
    throw new UsageError('--passphrase-file and --passphrase-fd require --keychain file.', topic);
  }
  if (fd !== undefined && file !== undefined) {
    throw new UsageError('Use either --passphrase-file or --passphrase-fd.', topic);
  }
  if (file === '') throw new UsageError('--passphrase-file requires the path of a file, or “-”.', topic);
  const textOf = (name: string) => (typeof values[name] === 'string' && values[name] !== '' ? values[name] : null);
  return {
    profileDir: textOf('profile'),
    keychain,
    passphraseFd: file === '-' ? 0 : fd === undefined ? null : Number(fd),
    passphraseFile: file === '-' ? null : textOf('passphrase-file'),
    site: textOf('site'),
    account: textOf('account'),
    json: values.json === true,
    verbose: values.verbose === true,
  };
}
