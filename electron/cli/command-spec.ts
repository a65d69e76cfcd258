import type { Command } from './command.ts';

/** One option: what it takes (`null` for a switch), and a line of help. */
export interface OptionSpec {
  value: string | null;
  help: string;
}

export type OptionValues = Record<string, string | boolean | undefined>;

export interface CommandSpec {
  /** The words that name it. */
  name: string;
  /** What stands behind the name, as shown in help. */
  operands: string;
  summary: string;
  options: Record<string, OptionSpec>;
  /** Throws `UsageError`. */
  read(values: OptionValues, operands: string[]): Command;
}
