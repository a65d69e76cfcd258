import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { Database } from './database.ts';
import { type RowMark, rowsEverAdded } from './row-mark.ts';

const SETTING = 'notice.rows-missing';
/** How long a loss is reported at every start. */
const TOLD_FOR_MS = 7 * 24 * 3_600_000;

/**
 * Compares the database with the mark, and reports missing rows. They are recorded in the database before the mark is
 * lowered, so that a loss is reported even after a crash. A database that is new because the previous one was renamed
 * has no missing rows.
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
