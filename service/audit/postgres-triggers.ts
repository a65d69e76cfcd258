import { MOST_CHARACTERS } from './triggers.ts';
import type { Change, Watched } from './watched-tables.ts';

/** The table, of each connection only, that the changes of a transaction are noted in. */
export const POSTGRES_PENDING = `CREATE TEMP TABLE IF NOT EXISTS audit_pending (
  seq BIGINT GENERATED ALWAYS AS IDENTITY, kind TEXT, op TEXT, id TEXT, name TEXT, owner BIGINT, fields TEXT
)`;

/**
 * Returns the statements that create the triggers. They note the changes of connections that have the table for them: not those of the
 * seed, and of other programs.
 */
export function postgresTriggersOf(watched: readonly Watched[]): string[] {
  return watched.flatMap((each, index) =>
    (['insert', 'update', 'delete'] as const).flatMap((change) =>
      triggerOf(each, change, `audit_of_${each.table}_${index}_${change}`),
    ),
  );
}

function triggerOf(watched: Watched, change: Change, name: string): string[] {
  const given = watched.changes?.[change];
  if (given === false) return [];
  const columns = watched.columns.map((column) => `OLD.${column} IS DISTINCT FROM NEW.${column}`);
  const others = (watched.others ?? []).filter((other) => other.update !== 'NULL');
  if (change === 'update' && columns.length + others.length === 0) return [];
  const isChange = [...columns, ...others.map((other) => `(${inPostgres(other.update)}) IS NOT NULL`)].join(' OR ');
  const conditions = [
    `to_regclass('pg_temp.audit_pending') IS NOT NULL`,
    ...(change === 'update' ? [`(${isChange})`] : []),
    ...(given === undefined ? [] : [`(${given})`]),
  ];
  const row = change === 'delete' ? 'OLD' : 'NEW';
  const of = (expression: string) => expression.replaceAll('$', row);
  const shownName = `CAST(${of(watched.name)} AS text)`;
  const values = [
    of(watched.kind),
    `'${watched.isDetail === true ? 'update' : change}'`,
    of(watched.id),
    `CASE WHEN length(${shownName}) > ${MOST_CHARACTERS} THEN left(${shownName}, ${MOST_CHARACTERS}) || '…' ELSE ${shownName} END`,
    watched.owner === undefined ? 'NULL' : of(watched.owner),
    fieldsOf(watched, change),
  ];
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
       IF ${conditions.join(' AND ')} THEN
         INSERT INTO pg_temp.audit_pending (kind, op, id, name, owner, fields) VALUES (${values.join(', ')});
       END IF;
       RETURN NULL; END $body$`,
    `CREATE TRIGGER ${name} AFTER ${change.toUpperCase()} ON ${watched.table}
       FOR EACH ROW EXECUTE FUNCTION ${name}()`,
  ];
}

/** An object of JSON: for each field that has changed, its value before and after. */
function fieldsOf(watched: Watched, change: Change): string {
  const pairs = watched.columns.map((column) => {
    const [before, after] = [clipped(`OLD.${column}`), clipped(`NEW.${column}`)];
    const value = {
      insert: `json_build_array(NULL, ${after})`,
      update: `CASE WHEN OLD.${column} IS DISTINCT FROM NEW.${column} THEN json_build_array(${before}, ${after}) END`,
      delete: `json_build_array(${before}, NULL)`,
    }[change];
    return `'${column}', ${value}`;
  });
  const others = (watched.others ?? []).map((other) => `'${other.field}', ${inPostgres(other[change])}`);
  return `json_build_object(${[...pairs, ...others].join(', ')})`;
}

function clipped(column: string): string {
  const text = `CAST(${column} AS text)`;
  return `CASE WHEN length(${text}) > ${MOST_CHARACTERS} THEN to_json(left(${text}, ${MOST_CHARACTERS}) || '…') ELSE to_json(${column}) END`;
}

const inPostgres = (expression: string) => expression.replaceAll('json_array(', 'json_build_array(');
