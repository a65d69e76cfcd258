import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type CommandLine, type GlobalOptions, UsageError } from './command.ts';
import type { CommandSpec, OptionSpec, OptionValues } from './command-spec.ts';
import { COMMANDS, GLOBAL_OPTIONS } from './command-table.ts';

type ParserOptions = NonNullable<ParseArgsConfig['options']>;

function parserOptions(specs: Record<string, OptionSpec>): ParserOptions {
  return Object.fromEntries(
    Object.entries(specs).map(([name, { value }]) => [name, { type: value === null ? 'boolean' : 'string' }]),
  );
}

const EVERY_OPTION = parserOptions(Object.assign({}, GLOBAL_OPTIONS, ...COMMANDS.map(({ options }) => options)));

/** The arguments without options, with their places, so that the words of the command can be taken out. */
function wordsOf(args: readonly string[]): { text: string; index: number }[] {
  const { tokens } = parseArgs({
    args: [...args],
    options: EVERY_OPTION,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  return tokens.flatMap((token) => (token.kind === 'positional' ? [{ text: token.value, index: token.index }] : []));
}

/** The command that the first words name, and the arguments that are left. */
function findCommand(args: readonly string[]): { spec: CommandSpec; rest: string[] } | null {
  const words = wordsOf(args);
  const [first, second] = words;
  if (!first) return null;
  const spec =
    COMMANDS.find(({ name }) => name === first.text) ??
    (second && COMMANDS.find(({ name }) => name === `${first.text} ${second.text}`));
  if (spec) {
    const taken = words.slice(0, spec.name.split(' ').length).map(({ index }) => index);
    return { spec, rest: args.filter((_, index) => !taken.includes(index)) };
  }
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${first.text} `)).map(({ name }) => name.split(' ')[1]);
  if (family.length === 0) throw new UsageError(`There is no command “${first.text}”.`, null);
  const problem = second ? `“${first.text} ${second.text}” is not known` : `“${first.text}” needs a second word`;
  throw new UsageError(`${problem}: ${family.join(', ')}.`, first.text);
}

function readGlobals(values: OptionValues, topic: string | null): GlobalOptions {
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

function parseStrictly(args: string[], spec: CommandSpec | null): { values: OptionValues; positionals: string[] } {
  const options = parserOptions({ ...GLOBAL_OPTIONS, ...spec?.options });
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as OptionValues, positionals };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS_')) throw error;
    // The first sentence says what is wrong; those behind it are about another way to write it.
    throw new UsageError(`${message.split('. ')[0]?.replace(/\.$/, '')}.`, spec?.name ?? null);
  }
}

/** True when the line asks for JSON, for errors that come before it could be read in full. */
export function asksForJson(args: readonly string[]): boolean {
  return args.includes('--json');
}

/** What a command line asks for. Options may stand before or behind the command. Throws `UsageError`. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values: hints } = parseArgs({
    args: [...args],
    options: EVERY_OPTION,
    allowPositionals: true,
    strict: false,
  });
  if (hints.help === true) {
    const words = wordsOf(args).map(({ text }) => text);
    return { command: { kind: 'help', topic: topicOf(words) }, globals: readGlobals({}, null) };
  }
  const found = findCommand(args);
  const { values, positionals } = parseStrictly(found?.rest ?? [...args], found?.spec ?? null);
  const globals = readGlobals(values, found?.spec.name ?? null);
  if (values.version) return { command: { kind: 'version' }, globals };
  if (!found) return { command: { kind: 'help', topic: null }, globals };
  return { command: found.spec.read(values, positionals), globals };
}

/** The longest name of a command, or of a family of commands, at the front of `words`. */
function topicOf(words: readonly string[]): string | null {
  const [first = '', second = ''] = words;
  const names = COMMANDS.map(({ name }) => name);
  if (names.includes(`${first} ${second}`)) return `${first} ${second}`;
  return names.some((name) => name === first || name.startsWith(`${first} `)) ? first : null;
}
