import type { Change, Watched } from './watched-tables.ts';

/** Longer texts are recorded in part. */
export const MOST_CHARACTERS = 1000;
/** The table, of this connection only, that the changes of a transaction are noted in. */
export const PENDING_CHANGES = `CREATE TEMP TABLE audit_pending (
  seq INTEGER PRIMARY KEY, kind TEXT, op TEXT, id TEXT, name TEXT, owner INTEGER, fields TEXT
)`;

/** Returns the statements that create the triggers, which belong to the connection and leave nothing in the file. */
export function triggersOf(watched: readonly Watched[]): string[] {
  return watched.flatMap((each, index) =>
    (['insert', 'update', 'delete'] as const).flatMap((change) => triggerOf(each, change, `audit ${index} ${change}`)),
  );
}

function triggerOf(watched: Watched, change: Change, name: string): string[] {
  const given = watched.changes?.[change];
  if (given === false) return [];
  const columns = watched.columns.map((column) => `OLD.${column} IS NOT NEW.${column}`);
  const others = (watched.others ?? []).filter((other) => other.update !== 'NULL');
  if (change === 'update' && columns.length + others.length === 0) return [];
  const isChange = [...columns, ...others.map((other) => `(${other.update}) IS NOT NULL`)].join(' OR ');
  const conditions = [
    ...(change === 'update' ? [`(${isChange})`] : []),
    ...(given === undefined ? [] : [`(${given})`]),
  ];
  const row = change === 'delete' ? 'OLD' : 'NEW';
  const of = (expression: string) => expression.replaceAll('$', row);
  const values = [
    of(watched.kind),
    `'${watched.isDetail === true ? 'update' : change}'`,
    of(watched.id),
    clipped(of(watched.name)),
    watched.owner === undefined ? 'NULL' : of(watched.owner),
    fieldsOf(watched, change),
  ];
  const when = conditions.length === 0 ? '' : `WHEN ${conditions.join(' AND ')}`;
  return [
    `CREATE TEMP TRIGGER "${name}" AFTER ${change.toUpperCase()} ON main.${watched.table} ${when}
     BEGIN INSERT INTO audit_pending (kind, op, id, name, owner, fields) VALUES (${values.join(', ')}); END`,
  ];
}

/** An object of JSON: for each field that has changed, its value before and after. */
function fieldsOf(watched: Watched, change: Change): string {
  const pairs = watched.columns.map((column) => {
    const [before, after] = [clipped(`OLD.${column}`), clipped(`NEW.${column}`)];
    const value = {
      insert: `json_array(NULL, ${after})`,
      update: `json(CASE WHEN OLD.${column} IS NOT NEW.${column} THEN json_array(${before}, ${after}) END)`,
      delete: `json_array(${before}, NULL)`,
    }[change];
    return `'${column}', ${value}`;
  });
  const others = (watched.others ?? []).map((other) => `'${other.field}', json(${other[change]})`);
  return `json_object(${[...pairs, ...others].join(', ')})`;
}

function clipped(expression: string): string {
  return `CASE WHEN length(${expression}) > ${MOST_CHARACTERS} THEN substr(${expression}, 1, ${MOST_CHARACTERS}) || '…' ELSE ${expression} END`;
}
