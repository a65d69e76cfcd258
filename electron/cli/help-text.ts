import { GLOBAL_OPTIONS } from './arguments/global-options.ts';
import type { OptionSpec } from './arguments/options.ts';
import type { Command } from './command-base/define-command.ts';
import { EXIT_CODES, optionName, usageOf } from './command-base/usage-text.ts';
import { COMMANDS } from './command-table.ts';

const INDENT = '  ';
/** Columns of the terminal. */
const MOST_COLUMNS = 120;
/** The minimum width of the meanings. When long names leave less, the meanings are not wrapped. */
const LEAST_MEANING = 40;

/** Returns lines of two columns: names and meanings, which continue on further lines where they are long. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = INDENT.length + Math.max(...rows.map(([name]) => name.length)) + 2;
  return rows.flatMap(([name, meaning]) =>
    wrapped(meaning, MOST_COLUMNS - width).map((line, at) =>
      `${at === 0 ? `${INDENT}${name}`.padEnd(width) : ' '.repeat(width)}${line}`.trimEnd(),
    ),
  );
}

/** Returns the lines of a text, broken between words. */
function wrapped(text: string, width: number): string[] {
  if (width < LEAST_MEANING) return [text];
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '' || line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`.trimStart();
    else lines.push(word);
  }
  return lines;
}

function optionRows(options: Readonly<Record<string, OptionSpec>>): [string, string][] {
  return Object.entries(options).map(([name, { value, short, help }]) => [optionName(name, { value, short }), help]);
}

function overview(): string[] {
  return [
    'mediadesk uploads recordings to a media library. It shares its queue with the Mediadesk window.',
    '',
    'Usage: mediadesk COMMAND [options]',
    '',
    'Commands:',
    ...columns(COMMANDS.map(({ name, summary }) => [name, summary] as const)),
    '',
    'Options for all commands:',
    ...columns(optionRows(GLOBAL_OPTIONS)),
    '',
    'Exit codes:',
    ...columns(EXIT_CODES),
    '',
    'To see the options of a command, run “mediadesk help COMMAND”.',
  ];
}

function helpOf(command: Command): string[] {
  const own = optionRows(command.options);
  return [
    command.summary,
    '',
    `Usage: ${usageOf(command)}`,
    ...(own.length > 0 ? ['', 'Options:', ...columns(own)] : []),
    '',
    'Options for all commands:',
    ...columns(optionRows(GLOBAL_OPTIONS)),
  ];
}

/** Returns the help of a command (`upload`), of a family of commands (`queue`), or, for null, the overview. */
export function helpText(topic: string | null): string {
  const command = COMMANDS.find(({ name }) => name === topic);
  const family = COMMANDS.filter(({ name }) => name.startsWith(`${topic} `));
  let lines: string[];
  if (command)
    lines = [
      ...helpOf(command),
      ...(family.length > 0 ? ['', 'See also:', ...family.map((each) => `${INDENT}${usageOf(each)}`)] : []),
    ];
  else if (family.length > 0) lines = columns(family.map((each) => [usageOf(each), each.summary] as const));
  else lines = overview();
  return `${lines.join('\n')}\n`;
}
