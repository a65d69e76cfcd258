// Writes docs/commands.md from the command table: `node test/helpers/docs/command-page.ts`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GLOBAL_OPTIONS } from '../../../electron/cli/arguments/global-options.ts';
import type { OptionSpec } from '../../../electron/cli/arguments/options.ts';
import { optionName, usageOf } from '../../../electron/cli/command-base/usage-text.ts';
import { COMMANDS } from '../../../electron/cli/command-table.ts';

export const COMMAND_PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'commands.md');

const cell = (text: string) => text.replaceAll('|', '\\|');

function optionTable(options: Readonly<Record<string, OptionSpec>>): string[] {
  const rows = Object.entries(options).map(
    ([name, spec]) => `| \`${cell(optionName(name, spec))}\` | ${cell(spec.help)} |`,
  );
  return rows.length === 0 ? [] : ['', '| Option | Meaning |', '| --- | --- |', ...rows];
}

/** Returns the text of the page: all commands with their options, as `mediadesk help` shows them. */
export function commandPage(): string {
  const commands = COMMANDS.flatMap((command) => [
    ...['', `## ${command.name}`, '', command.summary, '', '```', usageOf(command), '```'],
    ...optionTable(command.options),
  ]);
  return `${[
    '# All commands',
    '',
    'What `mediadesk help` shows, in one page. [The command line](cli.md) explains the commands and how they work together.',
    ...['', '## Options for all commands'],
    ...optionTable(GLOBAL_OPTIONS),
    ...commands,
  ].join('\n')}\n`;
}

if (import.meta.main) await writeFile(COMMAND_PAGE, commandPage());
