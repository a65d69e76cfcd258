import { appError, toAppError } from '../../../shared/contract/app-error.ts';
import { formulaProblemOf } from '../../../shared/model/manifest/formula-errors.ts';
import type { TableRow } from '../../../shared/model/table/table-error.ts';
import { csvOf } from '../../../shared/model/table/write-csv.ts';
import { openTable } from '../../engine/manifest/table/open-table.ts';
import { nodeFiles } from '../../engine/ports/system/node-files.ts';
import { UsageError } from '../arguments/usage-error.ts';
import type { Output } from '../output/output.ts';
import type { SpreadsheetForm } from '../spreadsheets/spreadsheet.ts';
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

/** Reads a table. Throws for a missing file, and for a cell whose formula has no value: its error would become a name. */
export async function openAdminTable(command: string, path: string, form: SpreadsheetForm): Promise<TableRow[]> {
  const { headerRow, rows } = await openTable(nodeFiles, path, form).catch(refusingMissing(command));
  for (const { row, cells } of [headerRow, ...rows]) {
    for (const [column, cell] of cells.entries()) {
      const code = formulaProblemOf(cell);
      if (code !== null) throw appError(code, { details: { path, row, column: column + 1 } });
    }
  }
  return [headerRow, ...rows];
}

/** Returns a function that throws `UsageError` with the help of the command for a file that does not exist, and other errors unchanged. */
function refusingMissing(command: string): (error: unknown) => never {
  return (error) => {
    const { code, details } = toAppError(error);
    if (code !== 'file.missing') throw error;
    throw new UsageError(`There is no file ${String(details?.path ?? '')}. Check the path.`, command);
  };
}
