import { type ParseArgsConfig, parseArgs } from 'node:util';
import { GLOBAL_OPTIONS, type GlobalOptions, readGlobals } from './arguments/global-options.ts';
import type { OptionSpec, OptionValues } from './arguments/options.ts';
import { hintOf, similarTo } from './arguments/similar-words.ts';
import { UsageError } from './arguments/usage-error.ts';
import type { Command, ReadyCommand } from './command-base/define-command.ts';
import { familyOf, LONGEST_NAME, memberWords } from './command-base/families.ts';
import { COMMANDS } from './command-table.ts';
import type { OutputMode } from './output/output.ts';

/** The request of a command line. */
type CommandLine =
  | { kind: 'help'; topic: string | null }
  | { kind: 'version' }
  | { kind: 'command'; command: ReadyCommand; globals: GlobalOptions };

type ParserOptions = NonNullable<ParseArgsConfig['options']>;

function parserOptions(specs: Record<string, OptionSpec>): ParserOptions {
  return Object.fromEntries(
    Object.entries(specs).map(([name, { value, short }]) => [
      name,
      { type: value === null ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) },
    ]),
  );
}

const EVERY_OPTION = parserOptions(Object.assign({}, GLOBAL_OPTIONS, ...COMMANDS.map(({ options }) => options)));

/** Returns the arguments without options, with their indexes, so that the name of the command can be removed. */
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

/** Returns the command that the first words name, and `rest`, the other arguments; null without words. Throws `UsageError`. */
function findCommand(args: readonly string[]): { command: Command; rest: string[] } | null {
  const words = wordsOf(args);
  if (words.length === 0) return null;
  // The longest name first: `collections` is a command and the name of a family.
  for (let length = LONGEST_NAME; length > 0; length -= 1) {
    const typed = words.slice(0, length);
    const command = COMMANDS.find(({ name }) => name === typed.map(({ text }) => text).join(' '));
    if (command === undefined) continue;
    const taken = typed.map(({ index }) => index);
    return { command, rest: args.filter((_, index) => !taken.includes(index)) };
  }
  throw unknownCommand(words.map(({ text }) => text));
}

/** Returns the error for words that name no command, with the words that may follow the family that they name. */
function unknownCommand(words: readonly string[]): UsageError {
  const names = COMMANDS.map(({ name }) => name);
  const family = familyOf(names, words);
  const members = memberWords(names, family);
  const next = words[family === '' ? 0 : family.split(' ').length];
  const nameOf = (word: string) => (family === '' ? word : `${family} ${word}`);
  const hint = next === undefined ? '' : hintOf(similarTo(next, members).map(nameOf));
  const problem = next === undefined ? `Incomplete command: ${family}` : `Unknown command: ${nameOf(next)}`;
  if (family === '') return new UsageError(`${problem}.${hint}`, null);
  return new UsageError(`${problem}.${hint} Use one of: ${members.join(', ')}.`, family);
}

function parseStrictly(args: string[], command: Command | null): { values: OptionValues; positionals: string[] } {
  const options = parserOptions({ ...GLOBAL_OPTIONS, ...command?.options });
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as OptionValues, positionals };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS_')) throw error;
    throw new UsageError(problemText(message, options), command?.name ?? null);
  }
}

/**
 * Returns the text for an invalid option. `message`: that of the parser; only its first sentence is used, because the others
 * suggest another notation.
 */
function problemText(message: string, options: ParserOptions): string {
  const [sentence = ''] = message.split(/\.\s/);
  const [, valueless] = /^Option '(?:-\w, )?--([\w-]+)(?: [^']*)?' argument/.exec(sentence) ?? [];
  if (valueless !== undefined) return `Enter a value for --${valueless}.`;
  const [, unknown = ''] = /^Unknown option '--([\w-]+)'/.exec(sentence) ?? [];
  const hint = hintOf(similarTo(unknown, Object.keys(options)).map((name) => `--${name}`));
  return `${sentence.replace(/\.$/, '')}.${hint}`;
}

/** Returns how the line wants its output, also for a line that cannot be read. */
export function outputModeOf(args: readonly string[]): OutputMode {
  const { values } = parseArgs({ args: [...args], options: EVERY_OPTION, allowPositionals: true, strict: false });
  return { json: values.json === true, quiet: values.quiet === true };
}

/**
 * Reads a command line. Options may come before or after the command. `defaultsOf`: returns the values of options that are not given;
 * called for commands only. Throws `UsageError`.
 */
export function readCommandLine(args: readonly string[], defaultsOf: () => OptionValues = () => ({})): CommandLine {
  const { values: hints } = parseArgs({
    args: [...args],
    options: EVERY_OPTION,
    allowPositionals: true,
    strict: false,
  });
  const words = wordsOf(args).map(({ text }) => text);
  if (hints.help === true) return { kind: 'help', topic: topicOf(words) };
  if (words[0] === 'help') return { kind: 'help', topic: topicOrError(words.slice(1)) };
  const found = findCommand(args);
  const { values, positionals } = parseStrictly(found?.rest ?? [...args], found?.command ?? null);
  if (values.version) return { kind: 'version' };
  const globals = readGlobals(values, found?.command.name ?? null, found ? defaultsOf() : {});
  if (!found) return { kind: 'help', topic: null };
  return { kind: 'command', command: found.command.prepare(values, positionals), globals };
}

/** Returns the topic of `help WORD…`; null: the overview. Throws `UsageError` for an unknown command. */
function topicOrError(words: readonly string[]): string | null {
  if (words.length === 0) return null;
  const topic = topicOf(words);
  if (topic === null || topic !== words.join(' ')) findCommand(words);
  return topic;
}

/** Returns the longest name of a command, or of a family of commands, at the start of `words`; null: none. */
function topicOf(words: readonly string[]): string | null {
  const names = COMMANDS.map(({ name }) => name);
  for (let length = LONGEST_NAME; length > 0; length -= 1) {
    const topic = words.slice(0, length).join(' ');
    if (names.some((name) => name === topic || name.startsWith(`${topic} `))) return topic;
  }
  return null;
}
