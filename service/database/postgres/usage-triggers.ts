/** The bytes of a file: what is stored, or what an upload under way will take at most. */
const bytesOf = (row: string) =>
  `CASE WHEN ${row}.status = 'uploading' THEN ${row}.declared_size WHEN ${row}.stored_name IS NOT NULL THEN ${row}.size ELSE 0 END`;

const add = 'ON CONFLICT (scope, id) DO UPDATE SET bytes = usage.bytes + excluded.bytes;';

/** Statements that add bytes of a file: for the site all of them, for its collection and its creator only those of originals. */
const addBytes = (bytes: string, row: string) => `
  INSERT INTO usage VALUES ('site', 0, ${bytes}) ${add}
  INSERT INTO usage SELECT 'collection', collection_id, ${bytes} FROM media WHERE id = ${row}.media_id AND ${row}.parent_id IS NULL ${add}
  INSERT INTO usage SELECT 'user', ${row}.created_by, ${bytes} WHERE ${row}.created_by IS NOT NULL AND ${row}.parent_id IS NULL ${add}`;

const ofItem = (id: string) =>
  `(SELECT coalesce(sum(${bytesOf('files')}), 0) FROM files WHERE media_id = ${id} AND parent_id IS NULL)`;

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
     INSERT INTO usage VALUES ('collection', NEW.collection_id, ${ofItem('NEW.id')}) ${add}`,
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
