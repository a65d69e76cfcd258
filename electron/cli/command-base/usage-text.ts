import type { OptionSpec } from '../arguments/options.ts';
import type { Command } from './define-command.ts';

/** Returns an option as the help shows it, such as `-q, --quiet` or `--tags A,B`. */
export function optionName(name: string, { value, short }: Pick<OptionSpec, 'value' | 'short'>): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === null ? '' : ` ${value}`}`;
}

/** Returns the usage line of a command. */
export function usageOf({ name, operands, options }: Command): string {
  const more = Object.keys(options).length > 0 ? ' [options]' : '';
  return `mediadesk ${name}${operands === '' ? '' : ` ${operands}`}${more}`;
}

/** The exit codes with their meanings. */
export const EXIT_CODES = [
  ['0', 'all complete'],
  ['1', 'something failed, was skipped or still waits'],
  ['2', 'the command line is not valid'],
  ['3', 'you are not signed in'],
  ['4', 'another Mediadesk uses the profile'],
] as const;
