import { terminalJson, terminalText } from '../../shared/api/terminal-text.ts';

/** Writes a value as one line of JSON to standard output. */
export function printRecord(value: unknown): void {
  process.stdout.write(`${terminalJson(value)}\n`);
}

/** Writes a line of text to standard output. */
export function printLine(line: string): void {
  process.stdout.write(`${terminalText(line)}\n`);
}

/** Writes a value as one line of JSON to standard error. */
export function logRecord(value: unknown): void {
  process.stderr.write(`${terminalJson(value)}\n`);
}

/** Writes a line of text to standard error. */
export function printError(line: string): void {
  process.stderr.write(`${terminalText(line)}\n`);
}
