import { ADD, addBytes, bytesOf, ofItem } from '../usage-sql.ts';

/** A trigger of each row, whose body may change other rows. */
export function rowTrigger(name: string, event: string, body: string, when = ''): string[] {
  const result = event.startsWith('BEFORE DELETE') ? 'OLD' : event.startsWith('BEFORE') ? 'NEW' : 'NULL';
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN ${body} RETURN ${result}; END $body$`,
    `CREATE TRIGGER ${name} ${event} FOR EACH ROW ${when} EXECUTE FUNCTION ${name}()`,
  ];
}

/** The triggers that keep the bytes of the site, of each collection and of each user right, in the transaction of each change. */
export const USAGE_TRIGGERS: readonly string[] = [
  ...rowTrigger('usage_of_new_file', 'AFTER INSERT ON files', addBytes(bytesOf('NEW'), 'NEW')),
  ...rowTrigger(
    'usage_of_file',
    'AFTER UPDATE OF status, stored_name, size, declared_size ON files',
    addBytes(`${bytesOf('NEW')} - ${bytesOf('OLD')}`, 'NEW'),
    `WHEN (${bytesOf('OLD')} <> ${bytesOf('NEW')})`,
  ),
  ...rowTrigger('usage_of_deleted_file', 'AFTER DELETE ON files', addBytes(`-${bytesOf('OLD')}`, 'OLD')),
  ...rowTrigger(
    'usage_of_deleted_item',
    'BEFORE DELETE ON media',
    `UPDATE usage SET bytes = bytes - ${ofItem('OLD.id')} WHERE scope = 'collection' AND id = OLD.collection_id;`,
  ),
  ...rowTrigger(
    'usage_of_moved_item',
    'AFTER UPDATE OF collection_id ON media',
    `UPDATE usage SET bytes = bytes - ${ofItem('NEW.id')} WHERE scope = 'collection' AND id = OLD.collection_id;
     INSERT INTO usage VALUES ('collection', NEW.collection_id, ${ofItem('NEW.id')}) ${ADD}`,
    'WHEN (OLD.collection_id <> NEW.collection_id)',
  ),
  ...rowTrigger(
    'usage_of_deleted_collection',
    'AFTER DELETE ON collections',
    `DELETE FROM usage WHERE scope = 'collection' AND id = OLD.id;`,
  ),
  ...rowTrigger(
    'usage_of_deleted_user',
    'AFTER DELETE ON users',
    `DELETE FROM usage WHERE scope = 'user' AND id = OLD.id;`,
  ),
];
