import { readCommandLine } from '../../../electron/cli/read-command-line.ts';

/** Reads a command line; returns the name of its command with its input, and the options of every command. */
export function readCommand(args: readonly string[]): { command: Record<string, unknown>; globals: unknown } {
  const line = readCommandLine(args);
  if (line.kind !== 'command') return { command: { ...line }, globals: null };
  const { name, input } = line.command;
  return { command: { name, ...(input as object | undefined) }, globals: line.globals };
}
