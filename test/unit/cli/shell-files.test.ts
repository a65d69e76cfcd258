import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../electron/cli/arguments/usage-error.ts';
import { COMMANDS } from '../../../electron/cli/command-table.ts';
import { helpText } from '../../../electron/cli/help-text.ts';
import { readCommandLine } from '../../../electron/cli/read-command-line.ts';
import { readyAnswer } from '../../../electron/cli/ready-answers.ts';
import { completedCommands, firstWords } from '../../../electron/cli/shell-files/completion-facts.ts';
import { readyAnswers, shellTexts } from '../../../electron/cli/write-shell-files.ts';

const NAMES = COMMANDS.map(({ name }) => name);
const files = shellTexts();

/** The message for a line; null when it is valid. */
function problemOf(args: readonly string[]): string | null {
  try {
    readCommandLine(args);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

describe('the values that shells propose', () => {
  const options = completedCommands(COMMANDS).flatMap((command) =>
    command.options.filter(({ takesValue }) => takesValue).map((option) => ({ command: command.name, option })),
  );

  it.each(options)('are those that $command --$option.name accepts', ({ command, option }) => {
    const withValue = (value: string) => problemOf([...command.split(' '), `--${option.name}`, value]);
    for (const value of option.values) expect(withValue(value) ?? '').not.toContain(`--${option.name}:`);
    // An option with a fixed set of words lists them when it refuses another one; an example is no such set.
    const [, words] =
      /^Invalid value for --[\w-]+: no-such-word\. Use ([\w, -]+)\.$/.exec(withValue('no-such-word') ?? '') ?? [];
    const isSet = words !== undefined && !words.includes('such as') && !/^(a|the) /.test(words);
    if (isSet) expect([...option.values].sort()).toEqual(words.split(/, | or /).sort());
  });
});

describe.each(Object.keys(files))('%s', (name) => {
  const text = files[name] ?? '';

  it('names every command with all its options', () => {
    const plain = text.replaceAll('\\-', '-').replaceAll('\\ ', ' ');
    for (const command of COMMANDS) {
      for (const word of command.name.split(' ')) expect(plain).toContain(word);
      for (const option of Object.keys(command.options)) {
        const typed = name === 'mediadesk.fish' ? `-l ${option} ` : `--${option}`;
        expect(plain, `${command.name} --${option}`).toContain(typed);
      }
    }
  });

  it('ends with a line break and has no line that is cut', () => {
    expect(text.endsWith('\n')).toBe(true);
    expect(text).not.toMatch(/undefined|\[object/);
  });
});

it('a shell proposes the first words of all commands, and help', () => {
  const words = firstWords(completedCommands(COMMANDS)).map(({ word }) => word);
  expect(words.sort()).toEqual([...new Set([...NAMES.map((name) => name.split(' ')[0] ?? ''), 'help'])].sort());
});

describe('an installed command line', () => {
  const answers = readyAnswers();
  const lines = [
    ['--help'],
    ['-h'],
    ['help'],
    ...[...NAMES, ...new Set(NAMES.map((name) => name.split(' ')[0] ?? ''))].flatMap((name) => [
      ['help', ...name.split(' ')],
      [...name.split(' '), '--help'],
      [...name.split(' '), '-h'],
    ]),
  ];

  it.each(lines)('answers %s %s %s at once with what the whole program prints', (...words: string[]) => {
    const args = words.filter((word) => word !== undefined);
    const line = readCommandLine(args);
    expect(line.kind).toBe('help');
    expect(readyAnswer(args, answers)).toBe(helpText(line.kind === 'help' ? line.topic : 'none'));
  });

  it('answers the version at once', () => {
    expect(readyAnswer(['--version'], answers)).toMatch(/^\d+\.\d+\.\d+.*\n$/);
    expect(readyAnswer(['-V'], answers)).toBe(readyAnswer(['--version'], answers));
  });

  it.each([[], ['upload'], ['help', 'uplaod'], ['toString', '--help'], ['--version', 'upload'], ['--json', '--help']])(
    'leaves %j %j to the whole program',
    (...args: string[]) => expect(readyAnswer(args, answers)).toBeNull(),
  );
});
