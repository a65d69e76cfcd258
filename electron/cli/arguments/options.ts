import { UsageError } from './usage-error.ts';

/** One option: the placeholder of its value (`null` for a switch), a line of help, and its short name if it has one. */
export interface OptionSpec {
  value: string | null;
  /** For completion in shells: all values that it accepts, or those that are words where it also accepts others. */
  values?: readonly string[];
  short?: string;
  help: string;
}

/** The options of one command line: texts, or true for switches. */
export type OptionValues = Record<string, string | boolean | undefined>;

/** The `--wait` option of the commands that can send uploads. */
export const WAIT_OPTION: OptionSpec = {
  value: null,
  help: 'Keep running until all uploads have ended, and show the progress.',
};

/** Returns the value of an option; null when it is not given. */
export function optionText(values: OptionValues, name: string): string | null {
  const value = values[name];
  return typeof value === 'string' ? value : null;
}

/** Returns the value of an option that must be given, without blanks around it. Throws `UsageError`. */
export function requiredText(values: OptionValues, name: string): string {
  const value = optionText(values, name)?.trim();
  if (!value) throw new UsageError(`Missing option: --${name}`);
  return value;
}

/** Returns a text of at most `most` characters. `subject`: the subject of the sentence of the `UsageError` for a longer one. */
export function atMost(text: string, most: number, subject: string): string {
  if (text.length > most)
    throw new UsageError(`${subject} has at most ${most} characters. This one has ${text.length}.`);
  return text;
}

/** Returns the value of an option with a fixed set of values; `fallback` when it is not given. Throws `UsageError`. */
export function oneOf<const W extends readonly string[], F extends W[number]>(
  values: OptionValues,
  name: string,
  words: W,
  fallback: F,
): W[number] {
  const value = optionText(values, name) ?? fallback;
  if (words.includes(value)) return value;
  throw new UsageError(`Invalid value for --${name}: ${value}. Use ${words.join(', ')}.`);
}

/** Returns the only operand. Throws `UsageError` with the sentence `missing` when there is none, and when there are several. */
export function onlyOperand(operands: readonly string[], missing: string): string {
  const [operand = '', ...more] = operands;
  if (operand.trim() === '') throw new UsageError(missing);
  noOperands(more);
  return operand;
}

/** Throws `UsageError` when there are operands. */
export function noOperands(operands: readonly string[]): void {
  if (operands.length > 0) throw new UsageError(`Unexpected argument: ${operands[0]}`);
}
