import { type AppError, appError } from '../../../shared/contract/app-error.ts';
import type { ErrorCode } from '../../../shared/contract/errors/error-catalog.ts';
import type { Database } from './database.ts';
import { MARKED_TABLES, type MarkedTable, type RowMark, rowsEverAdded } from './row-mark.ts';

const NOTICES = {
  uploads: { setting: 'notice.rows-missing', code: 'profile.rows-missing' },
  edits: { setting: 'notice.edits-missing', code: 'profile.edits-missing' },
} as const satisfies Record<MarkedTable, { setting: string; code: ErrorCode }>;
/** How long a loss is reported at every start. */
const TOLD_FOR_MS = 7 * 24 * 3_600_000;

/**
 * Compares a table of the database with its mark, and reports missing rows. They are recorded in the database before the mark is
 * lowered, so that a loss is reported even after a crash. A database that is new because the previous one was renamed has no
 * missing rows.
 */
export function noteMissingRows(
  database: Database,
  { table, mark }: { table: MarkedTable; mark: RowMark },
  { isNew, now }: { isNew: boolean; now: number },
): void {
  const rows = rowsEverAdded(database, table);
  const missing = mark.read() - rows;
  if (missing <= 0) return;
  if (!isNew) {
    database
      .prepare('INSERT INTO settings VALUES ($name, $value) ON CONFLICT (name) DO UPDATE SET value = $value')
      .run({ name: NOTICES[table].setting, value: JSON.stringify({ missing, at: now }) });
  }
  mark.write(rows);
}

export function missingRowsNotices(database: Database, now: number): AppError[] {
  return MARKED_TABLES.flatMap((table) => {
    const { setting, code } = NOTICES[table];
    const row = database.prepare('SELECT value FROM settings WHERE name = $name').get({ name: setting });
    const noted = row === undefined ? null : parse(String(row.value));
    if (noted === null || Math.abs(now - noted.at) > TOLD_FOR_MS) return [];
    return [appError(code, { details: { missing: noted.missing } })];
  });
}

function parse(text: string): { missing: number; at: number } | null {
  const match = /^\{"missing":(\d+),"at":(\d+)\}$/.exec(text);
  return match === null ? null : { missing: Number(match[1]), at: Number(match[2]) };
}
