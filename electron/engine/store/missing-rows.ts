import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { Database } from './database.ts';
import { type RowMark, rowsEverAdded } from './row-mark.ts';

const SETTING = 'notice.rows-missing';
/** How long the loss is reported at every start. */
const TOLD_FOR_MS = 7 * 24 * 3_600_000;

/**
 * Compares the database with the mark. Missing rows are noted in the database before the mark follows it, so that no
 * crash makes a loss unsaid. A database that is new because the last one was set aside lacks nothing.
 */
export function noteMissingRows(
  database: Database,
  mark: RowMark,
  { isNew, now }: { isNew: boolean; now: number },
): void {
  const rows = rowsEverAdded(database);
  const missing = mark.read() - rows;
  if (missing <= 0) return;
  if (!isNew) {
    database
      .prepare('INSERT INTO settings VALUES ($name, $value) ON CONFLICT (name) DO UPDATE SET value = $value')
      .run({ name: SETTING, value: JSON.stringify({ missing, at: now }) });
  }
  mark.write(rows);
}

export function missingRowsNotice(database: Database, now: number): AppError[] {
  const row = database.prepare('SELECT value FROM settings WHERE name = $name').get({ name: SETTING });
  const noted = row === undefined ? null : parse(String(row.value));
  if (noted === null || Math.abs(now - noted.at) > TOLD_FOR_MS) return [];
  return [appError('profile.rows-missing', { details: { missing: noted.missing } })];
}

function parse(text: string): { missing: number; at: number } | null {
  const match = /^\{"missing":(\d+),"at":(\d+)\}$/.exec(text);
  return match === null ? null : { missing: Number(match[1]), at: Number(match[2]) };
}
