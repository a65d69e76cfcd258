// Writes what a package contains beside the command line:
//
// node electron/cli/write-shell-files.ts PROGRAM SHELL
//
// PROGRAM, the folder of the bundle, gets the ready answers; SHELL gets the man page and the completions.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMANDS } from './command-table.ts';
import { helpText } from './help-text.ts';
import type { ReadyAnswers } from './ready-answers.ts';
import { VERSION } from './session/version.ts';
import { bashCompletion } from './shell-files/bash-completion.ts';
import { completedCommands, families } from './shell-files/completion-facts.ts';
import { fishCompletion } from './shell-files/fish-completion.ts';
import { manPage } from './shell-files/man-page.ts';
import { zshCompletion } from './shell-files/zsh-completion.ts';

/** Returns the ready answers of this version. */
export function readyAnswers(): ReadyAnswers {
  const topics = new Set([...COMMANDS.map(({ name }) => name), ...families(completedCommands(COMMANDS))]);
  return {
    version: `${VERSION}\n`,
    overview: helpText(null),
    topics: Object.fromEntries([...topics].map((topic) => [topic, helpText(topic)])),
  };
}

/** Returns the texts of the files for shells, by name. */
export function shellTexts(): Record<string, string> {
  const commands = completedCommands(COMMANDS);
  return {
    'mediadesk.1': manPage(COMMANDS, VERSION),
    'mediadesk.bash': bashCompletion(commands),
    _mediadesk: zshCompletion(commands),
    'mediadesk.fish': fishCompletion(commands),
  };
}

if (import.meta.main) {
  const [program = '', shell = ''] = process.argv.slice(2);
  await mkdir(shell, { recursive: true });
  await writeFile(join(program, 'answers.json'), JSON.stringify(readyAnswers()));
  for (const [name, text] of Object.entries(shellTexts())) await writeFile(join(shell, name), text);
}
