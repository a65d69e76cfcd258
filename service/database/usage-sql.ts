// What counts as taken space, in the SQL of the triggers of both engines.

/** The bytes of a file: what is stored, or what an upload under way will take at most. */
export const bytesOf = (row: string) =>
  `CASE WHEN ${row}.status = 'uploading' THEN ${row}.declared_size WHEN ${row}.stored_name IS NOT NULL THEN ${row}.size ELSE 0 END`;

/** The end of a statement that adds bytes. */
export const ADD = 'ON CONFLICT (scope, id) DO UPDATE SET bytes = usage.bytes + excluded.bytes;';

/** Statements that add bytes of a file: for the site all of them, for its collection and its creator only those of originals. */
export const addBytes = (bytes: string, row: string) => `
    INSERT INTO usage VALUES ('site', 0, ${bytes}) ${ADD}
    INSERT INTO usage SELECT 'collection', collection_id, ${bytes} FROM media WHERE id = ${row}.media_id AND ${row}.parent_id IS NULL ${ADD}
    INSERT INTO usage SELECT 'user', ${row}.created_by, ${bytes} WHERE ${row}.created_by IS NOT NULL AND ${row}.parent_id IS NULL ${ADD}`;

/** The bytes of the originals of an item. */
export const ofItem = (id: string) =>
  `(SELECT coalesce(sum(${bytesOf('files')}), 0) FROM files WHERE media_id = ${id} AND parent_id IS NULL)`;
