import { terminalText } from '../../shared/api/terminal-text.ts';

/** Writes a line to standard error, for those who start the app in a terminal. */
export function printError(line: string): void {
  process.stderr.write(`${terminalText(line)}\n`);
}
