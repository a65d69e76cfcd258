import { toAppError } from '../../../shared/contract/app-error.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { counted } from './admin-outcome.ts';

/** The most lines of an import that are printed. */
const SHOWN = 100;

/** Returns the first lines, and the number of those that are left out. */
export function shortened(lines: readonly string[]): string[] {
  if (lines.length <= SHOWN) return [...lines];
  return [...lines.slice(0, SHOWN), `… and ${counted(lines.length - SHOWN, 'more line')}`];
}

/** Returns a function that throws `UsageError` with the help of the command for a file that does not exist, and other errors unchanged. */
export function refusingMissing(command: string): (error: unknown) => never {
  return (error) => {
    const { code, details } = toAppError(error);
    if (code !== 'file.missing') throw error;
    throw new UsageError(`There is no file ${String(details?.path ?? '')}. Check the path.`, command);
  };
}
