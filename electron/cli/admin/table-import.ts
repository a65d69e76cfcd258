import { toAppError } from '../../../shared/contract/app-error.ts';
import { csvOf } from '../../../shared/model/table/write-csv.ts';
import { UsageError } from '../arguments/usage-error.ts';
import type { Output } from '../output/output.ts';
import { counted } from './admin-outcome.ts';
import { FORCE_OPTION, type SaveTarget, saveCsv } from './save-csv.ts';

/** The options of a command that prints or saves a table; `printOrSave` writes it. */
export const EXPORT_OPTIONS = {
  out: { value: 'FILE', help: 'Save it as a file that only you can read, instead of printing it.' },
  ...FORCE_OPTION,
} as const;

/** Prints a table as CSV, or saves it. */
export async function printOrSave(
  output: Output,
  save: SaveTarget | null,
  rows: readonly (readonly string[])[],
): Promise<void> {
  if (save === null) output.document([...csvOf(rows)].join(''));
  else await saveCsv(save, rows);
}

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
