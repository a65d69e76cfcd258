import { HIDDEN_ARGUMENT } from '../presence/start-at-login.ts';

/**
 * Returns the arguments of a start after an update: those of `startCommand`, and the switches that this start had. Files and links
 * that were opened with it are not opened again. `given`: the arguments of this start.
 */
export function restartArguments(startCommand: readonly string[], given: readonly string[]): string[] {
  const own = startCommand.slice(1);
  const switches = given.filter(
    (argument) =>
      argument.startsWith('--') &&
      argument !== HIDDEN_ARGUMENT &&
      argument !== '--' &&
      !/^--profile(=|$)/.test(argument),
  );
  return [...own, ...switches.filter((argument) => !own.includes(argument))];
}
