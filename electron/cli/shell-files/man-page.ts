import { GLOBAL_OPTIONS } from '../arguments/global-options.ts';
import type { OptionSpec } from '../arguments/options.ts';
import type { Command } from '../command-base/define-command.ts';
import { EXIT_CODES, optionName, usageOf } from '../command-base/usage-text.ts';
import { VARIABLES } from '../session/option-defaults.ts';

/** Returns a text for a line of roff: backslashes and hyphens are themselves, and no line begins with a control character. */
function roff(text: string): string {
  const safe = text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return /^[.']/.test(safe) ? `\\&${safe}` : safe;
}

/** Returns an argument of a roff macro. */
const argument = (text: string) => `"${roff(text).replaceAll('"', '\\(dq')}"`;

function optionLines(options: Readonly<Record<string, OptionSpec>>): string[] {
  return Object.entries(options).flatMap(([name, spec]) => [
    '.TP',
    `.B ${argument(optionName(name, spec))}`,
    roff(spec.help),
  ]);
}

function commandLines(command: Command): string[] {
  return [`.SS ${argument(usageOf(command))}`, roff(command.summary), ...optionLines(command.options)];
}

/** Returns the manual page of `mediadesk`, section 1, in UTF-8. */
export function manPage(commands: readonly Command[], version: string): string {
  const lines = [
    '.\\" -*- coding: UTF-8 -*-',
    '.\\" Made from the commands of mediadesk.',
    `.TH MEDIADESK 1 "" ${argument(`Mediadesk ${version}`)} "User Commands"`,
    '.SH NAME',
    'mediadesk \\- upload recordings to a media library and manage it',
    '.SH SYNOPSIS',
    '.B mediadesk',
    '.I COMMAND',
    '[options]',
    '.SH DESCRIPTION',
    'Uploads files to a media library, follows them until they are complete, and manages the library. It shares its queue with the Mediadesk window, one at a time.',
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH OPTIONS FOR ALL COMMANDS',
    ...optionLines(GLOBAL_OPTIONS),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, roff(meaning)]),
    '.SH ENVIRONMENT',
    ...Object.entries(VARIABLES).flatMap(([option, variable]) => [
      '.TP',
      `.B ${variable}`,
      roff(`The default of --${option}.`),
    ]),
    '.TP',
    '.B MEDIADESK_CONFIG',
    roff('The file with the defaults of these options. Default: mediadesk-cli.json in the folder for configuration.'),
    '.SH FILES',
    '.TP',
    roff('~/.config/mediadesk'),
    'The queue and the settings, unless you use another profile.',
    '.TP',
    roff('~/.config/mediadesk-cli.json'),
    'Defaults of options, as a JSON object.',
    '.SH SEE ALSO',
    roff('mediadesk help COMMAND shows the help of one command.'),
  ];
  return `${lines.join('\n')}\n`;
}
