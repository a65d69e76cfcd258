import { GLOBAL_OPTIONS } from '../arguments/global-options.ts';
import type { OptionSpec } from '../arguments/options.ts';
import type { Command } from '../command-base/define-command.ts';
import { familyNames, memberWords } from '../command-base/families.ts';

/** What a shell proposes for a value or an operand: names of files, of folders, or nothing. */
type PathKind = 'file' | 'folder' | 'none';

export interface CompletedOption {
  /** Without dashes. */
  name: string;
  short: string | null;
  takesValue: boolean;
  /** Words to propose as its value; empty: none. */
  values: readonly string[];
  path: PathKind;
  help: string;
}

export interface CompletedCommand {
  /** One to three words. */
  name: string;
  summary: string;
  /** Its own options, then those of every command. */
  options: readonly CompletedOption[];
  operands: PathKind;
}

/** Words that may follow `mediadesk`, or the name of a family. */
export interface CompletedWord {
  word: string;
  summary: string;
}

/** Options whose FILE is a file of an item, not one on this computer. */
const OF_THE_LIBRARY: ReadonlySet<string> = new Set(['file', 'recording', 'replace']);

function pathOf(name: string, placeholder: string | null): PathKind {
  if (OF_THE_LIBRARY.has(name)) return 'none';
  if (placeholder === 'FILE') return 'file';
  return placeholder === 'DIR' || placeholder === 'FOLDER' ? 'folder' : 'none';
}

function optionOf([name, { value, values, short, help }]: [string, OptionSpec]): CompletedOption {
  return {
    name,
    short: short ?? null,
    takesValue: value !== null,
    values: values ?? [],
    path: pathOf(name, value),
    help,
  };
}

/** The operands are paths when one of them is a PATH, or when the first one is a FILE or FOLDER. */
function operandsOf(operands: string): PathKind {
  const words = operands.split(/[^A-Z]+/).filter((word) => word !== '');
  if (words.includes('PATH') || operands.startsWith('FILE')) return 'file';
  return operands.startsWith('FOLDER') ? 'folder' : 'none';
}

const SHARED: readonly CompletedOption[] = Object.entries(GLOBAL_OPTIONS).map(optionOf);

/** Returns the facts about all commands, in the order of the help. */
export function completedCommands(commands: readonly Command[]): CompletedCommand[] {
  return commands.map(({ name, summary, options, operands }) => ({
    name,
    summary,
    options: [...Object.entries(options).map(optionOf), ...SHARED],
    operands: operandsOf(operands),
  }));
}

/** The options of a line without a command. */
export function sharedOptions(): readonly CompletedOption[] {
  return SHARED;
}

/** Returns the words that may come first. */
export function firstWords(commands: readonly CompletedCommand[]): CompletedWord[] {
  return [...nextWords(commands, ''), { word: 'help', summary: 'Show help, or the help of a command.' }];
}

/**
 * Returns the words that may follow the name of a family; `family` empty: the first words. The summary of a family without a command
 * of its own names its members.
 */
export function nextWords(commands: readonly CompletedCommand[], family: string): CompletedWord[] {
  const names = commands.map(({ name }) => name);
  return memberWords(names, family).map((word) => {
    const name = family === '' ? word : `${family} ${word}`;
    const own = commands.find((command) => command.name === name)?.summary;
    return { word, summary: own ?? memberWords(names, name).join(', ') };
  });
}

/** Returns the names of all families. */
export function families(commands: readonly CompletedCommand[]): string[] {
  return familyNames(commands.map(({ name }) => name));
}

/** Returns the options of any command that take a value, as they are typed: `--profile`. Parsing needs them before it knows the command. */
export function optionsWithValue(commands: readonly CompletedCommand[]): string[] {
  const typed = commands.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).flatMap(typedNames));
  return [...new Set(typed)].sort();
}

/** Returns how an option is typed: `--quiet`, and `-q` if it has a short name. */
export function typedNames({ name, short }: Pick<CompletedOption, 'name' | 'short'>): string[] {
  return [`--${name}`, ...(short === null ? [] : [`-${short}`])];
}
