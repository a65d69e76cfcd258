// The triggers that notify other processes, and this one at the end of its transaction, that cached results may be outdated.
import { CHANGES, ITEM_CHANGES } from '../changes.ts';

/** The channel of notifications, whose payload is a message; a notice has this name and the message. */
export const CHANNEL = 'library_changed';

/** A statement that changes more items is reported as a change of all items. */
const MOST_ITEMS = 500;

/**
 * Sends a message once in a transaction: to this connection immediately, as a notice, and to all processes when the transaction is committed.
 */
const SEND = `
  CREATE FUNCTION send_change(message text) RETURNS void LANGUAGE plpgsql AS $body$
  DECLARE sent text := coalesce(current_setting('library.sent', true), '');
  BEGIN
    IF strpos(sent, message || ';') > 0 THEN RETURN; END IF;
    PERFORM set_config('library.sent', sent || message || ';', true);
    RAISE NOTICE '${CHANNEL} %', message;
    PERFORM pg_notify('${CHANNEL}', message);
  END $body$`;

const SUBJECT_CHANGED = `
  CREATE FUNCTION subject_changed() RETURNS trigger LANGUAGE plpgsql AS $body$
  BEGIN PERFORM send_change(TG_ARGV[0]); RETURN NULL; END $body$`;

const ITEM_CHANGED = `
  CREATE FUNCTION send_items(ids bigint[]) RETURNS void LANGUAGE plpgsql AS $body$
  BEGIN
    IF cardinality(ids) = 0 OR ids IS NULL THEN RETURN; END IF;
    IF cardinality(ids) > ${MOST_ITEMS} THEN ids := ARRAY[0]; END IF;
    RAISE NOTICE '${CHANNEL} %', array_to_string(ids, ',');
    PERFORM pg_notify('${CHANNEL}', array_to_string(ids, ','));
  END $body$`;

/** Returns the statements that create the triggers. */
export function changeTriggers(): string[] {
  const subjects = Object.entries(CHANGES).flatMap(([subject, changes]) =>
    changes.map(
      (change, index) => `CREATE TRIGGER "${subject} ${index}" AFTER ${change}
        FOR EACH ROW EXECUTE FUNCTION subject_changed('${subject}')`,
    ),
  );
  return [SEND, SUBJECT_CHANGED, ITEM_CHANGED, ...subjects, ...ITEM_CHANGES.flatMap(itemTrigger)];
}

/** A trigger of each statement: one message has all its rows. */
function itemTrigger(change: (typeof ITEM_CHANGES)[number], index: number): string[] {
  const { event, table, column } = change;
  const rows = { INSERT: ['NEW'], UPDATE: ['OLD', 'NEW'], DELETE: ['OLD'] }[event];
  const ids = rows.map((row) => `SELECT ${column ?? '0'} AS id FROM ${row.toLowerCase()}_rows`).join(' UNION ');
  const name = `item_changed_${index}`;
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
       PERFORM send_items(ARRAY(SELECT DISTINCT id FROM (${ids}) AS changed LIMIT ${MOST_ITEMS + 1})); RETURN NULL;
     END $body$`,
    `CREATE TRIGGER ${name} AFTER ${event} ON ${table}
       REFERENCING ${rows.map((row) => `${row} TABLE AS ${row.toLowerCase()}_rows`).join(' ')}
       FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
  ];
}
