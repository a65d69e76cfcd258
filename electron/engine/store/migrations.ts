import { QUEUE_MIGRATIONS } from './queue-migrations.ts';

/**
 * The schema of the queue database, as migration steps. A released step is never changed: every change is a new step.
 * `PRAGMA user_version` is the number of executed steps.
 */
export const MIGRATIONS: readonly string[] = [
  ...QUEUE_MIGRATIONS,
  // Watched folders: the folders, their files, the contents that need no second upload, and the batches of arrivals.
  `
  CREATE TABLE watched_folders (
    id TEXT PRIMARY KEY,
    root TEXT NOT NULL,
    volume TEXT NOT NULL,
    volume_name TEXT NOT NULL,
    place TEXT NOT NULL,
    root_id TEXT NOT NULL,
    rules TEXT NOT NULL,
    is_paused INTEGER NOT NULL,
    sweep_every_ms INTEGER,
    sweep_only TEXT,
    misses INTEGER NOT NULL,
    baseline TEXT NOT NULL,
    last_sweep_at INTEGER,
    numbered INTEGER NOT NULL,
    added_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE watched_files (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    folder_id TEXT NOT NULL,
    path TEXT NOT NULL,
    pair_key TEXT NOT NULL,
    kind TEXT NOT NULL,
    file_id TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    number INTEGER NOT NULL,
    is_existing INTEGER NOT NULL,
    is_forced INTEGER NOT NULL,
    state TEXT NOT NULL,
    history TEXT,
    due_at REAL,
    ready_at INTEGER,
    first_seen_at INTEGER NOT NULL,
    unchanged_since INTEGER NOT NULL,
    edge_hash TEXT,
    reason TEXT,
    outcome TEXT,
    upload_id TEXT,
    handled_at INTEGER,
    gone_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX watched_files_by_path ON watched_files (folder_id, path);
  CREATE INDEX watched_files_by_folder ON watched_files (folder_id);
  CREATE INDEX watched_files_by_pair ON watched_files (folder_id, pair_key);
  CREATE INDEX watched_files_by_file ON watched_files (folder_id, file_id);
  CREATE INDEX watched_files_by_state ON watched_files (folder_id, state);
  CREATE INDEX watched_files_due ON watched_files (folder_id, due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX watched_files_by_upload ON watched_files (upload_id) WHERE upload_id IS NOT NULL;

  CREATE TABLE watched_contents (
    seq INTEGER PRIMARY KEY,
    folder_id TEXT NOT NULL,
    path TEXT NOT NULL,
    file_id TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    edge_hash TEXT,
    upload_id TEXT,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX watched_contents_by_file ON watched_contents (folder_id, file_id);
  CREATE INDEX watched_contents_by_size ON watched_contents (folder_id, size_bytes);

  CREATE TABLE watched_batches (
    folder_id TEXT NOT NULL,
    key TEXT NOT NULL,
    batch_id TEXT NOT NULL,
    PRIMARY KEY (folder_id, key)
  ) STRICT, WITHOUT ROWID;

  -- The collection below the target of the batch, and whether a missing one is created: JSON.
  ALTER TABLE batches ADD COLUMN below TEXT;
  `,
  // Counts files of watched folders that needed no upload without a read of all rows.
  `
  CREATE INDEX watched_files_unsent ON watched_files (folder_id) WHERE state = 'done' AND upload_id IS NULL;
  `,
  // Each index makes the first sweep of a large folder longer: one of these replaces three.
  `
  DROP INDEX watched_files_by_folder;
  DROP INDEX watched_files_unsent;
  DROP INDEX watched_files_by_state;
  CREATE INDEX watched_files_by_state ON watched_files (folder_id, state, upload_id);
  `,
  // The journal of edits: groups, and the intents of each group about one entity.
  `
  CREATE TABLE edit_groups (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    site_id TEXT NOT NULL,
    label TEXT NOT NULL,
    change TEXT,
    items INTEGER NOT NULL,
    first_name TEXT NOT NULL,
    is_complete INTEGER NOT NULL,
    undoes TEXT,
    undone_by TEXT,
    created_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX edit_groups_open ON edit_groups (seq) WHERE ended_at IS NULL;

  CREATE TABLE edits (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    group_seq INTEGER NOT NULL,
    site_id TEXT NOT NULL,
    entity_kind TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    name TEXT NOT NULL,
    ops TEXT NOT NULL,
    state TEXT NOT NULL,
    error TEXT,
    error_code TEXT,
    attempts INTEGER NOT NULL,
    next_at INTEGER,
    sent_at INTEGER,
    created_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX edits_by_group ON edits (group_seq, state);
  CREATE INDEX edits_by_entity ON edits (entity_id, seq);
  CREATE INDEX edits_open ON edits (site_id, entity_kind, entity_id, seq)
    WHERE state IN ('pending', 'held', 'conflict', 'refused');
  `,
  // The data of an addition to an existing item, as JSON; NULL: the upload creates an item of its own.
  `
  ALTER TABLE uploads ADD COLUMN addition TEXT;
  -- An item is created by one row; any number of rows add to it.
  DROP INDEX uploads_by_media;
  CREATE UNIQUE INDEX uploads_by_media ON uploads (site_id, media_id, CASE WHEN addition IS NULL THEN '' ELSE id END)
    WHERE media_id IS NOT NULL;
  `,
  // Ids of collections that are created on this computer, with the ids that the library assigned. Undo and redo of groups.
  `
  CREATE TABLE entity_refs (
    local_id TEXT PRIMARY KEY,
    site_id TEXT NOT NULL,
    entity_kind TEXT NOT NULL,
    server_id TEXT
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE edit_groups ADD COLUMN undone_at INTEGER;
  ALTER TABLE edit_groups ADD COLUMN redone_by TEXT;
  UPDATE edit_groups SET undone_at = created_at WHERE undone_by IS NOT NULL;
  `,
  // Values with which the item of an upload is created, beside its title and tags.
  `
  ALTER TABLE uploads ADD COLUMN byline TEXT NOT NULL DEFAULT '';
  ALTER TABLE uploads ADD COLUMN description TEXT NOT NULL DEFAULT '';
  `,
  // A checksum of an edit's subject and ops: a damaged edit must not change another item. NULL: of an earlier version.
  `
  ALTER TABLE edits ADD COLUMN ops_sum TEXT;
  `,
  // Keys by which companions of recordings are found: `?` is computed by the next start, see `CompanionRows.updateKeys`.
  `
  UPDATE watched_files SET pair_key = '?';
  `,
  // Why the title of an upload differs from its template, as JSON; NULL: it does not.
  `
  ALTER TABLE uploads ADD COLUMN title_notice TEXT;
  `,
  // Files that describe a recording: the fields that each of them gave to it, as JSON. Folders that are watched already keep
  // uploading such files as items.
  `
  ALTER TABLE watched_files ADD COLUMN described TEXT;
  UPDATE watched_folders SET rules = json_set(rules, '$.defaults.settings.details', json('false')) WHERE json_valid(rules);
  `,
  // The earlier uploads of a recording whose captions are added later.
  `
  CREATE INDEX uploads_by_path ON uploads (path) WHERE addition IS NULL;
  `,
  // The earlier upload of a recording that was moved since.
  `
  CREATE INDEX uploads_by_contents ON uploads (size_bytes, mtime_ms) WHERE addition IS NULL;
  `,
  // Drops of many edits until they are complete: the row numbers as ranges, with a checksum. When the redo of a group was begun.
  `
  CREATE TABLE edit_drops (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    numbers TEXT NOT NULL,
    numbers_sum TEXT NOT NULL,
    given_at INTEGER NOT NULL
  ) STRICT;
  ALTER TABLE edit_groups ADD COLUMN redo_at INTEGER;
  `,
  // The number of requests that may have created the item of a refused edit again: other creations look for these edits.
  `
  ALTER TABLE edits ADD COLUMN items_sent INTEGER NOT NULL DEFAULT 0;
  UPDATE edits SET items_sent = coalesce(json_array_length(ops, '$[0].sentItems'), 0)
    WHERE state IN ('pending', 'held', 'conflict', 'refused') AND json_valid(ops);
  CREATE INDEX edits_restoring ON edits (site_id) WHERE items_sent > 0;
  `,
  // Edits that were dropped without an answer to their requests: 1 by the user, 2 by an undo.
  `
  ALTER TABLE edits ADD COLUMN unanswered INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX edits_unanswered ON edits (group_seq) WHERE unanswered = 2;
  `,
  // The properties of the ops of an edit that queries need: the sum of their kinds, see `kindBits`; whether one names a
  // collection by a local id; and whether the library has one of them.
  `
  ALTER TABLE edits ADD COLUMN op_kinds INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE edits ADD COLUMN is_linked INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE edits ADD COLUMN has_sent INTEGER NOT NULL DEFAULT 0;
  UPDATE edits SET op_kinds = coalesce((SELECT sum(DISTINCT CASE each.value ->> '$.op.kind'
      WHEN 'set-field' THEN 1 WHEN 'add-tag' THEN 2 WHEN 'remove-tag' THEN 4 WHEN 'move-collection' THEN 8
      WHEN 'publish' THEN 16 WHEN 'unpublish' THEN 32 WHEN 'delete' THEN 64 WHEN 'delete-file' THEN 128
      WHEN 'add-embed' THEN 256 WHEN 'set-collection-field' THEN 512 WHEN 'set-podcast-field' THEN 1024 WHEN 'move-to-parent' THEN 2048
      WHEN 'create-collection' THEN 4096 WHEN 'delete-collection' THEN 8192
      ELSE 0 END) FROM json_each(ops) AS each), 0),
    is_linked = EXISTS (SELECT 1 FROM json_each(ops) AS each, json_each(each.value -> '$.op') AS part
      WHERE part.key IN ('parentId', 'base', 'mine') AND part.type = 'text' AND substr(part.value, 1, 6) = 'local:'),
    has_sent = EXISTS (SELECT 1 FROM json_each(ops) AS each WHERE each.value ->> '$.outcome' = 'sent')
    WHERE json_valid(ops);
  `,
  // Titles change, too, when the user edits the details of an upload. The index without contents must be given the old values at
  // each deletion, so both columns have one trigger; rows whose titles changed before are indexed again.
  `
  DROP TRIGGER uploads_words_renamed;
  INSERT INTO upload_words (upload_words) VALUES ('delete-all');
  INSERT INTO upload_words (rowid, file_name, title) SELECT seq, file_name, title FROM uploads;
  CREATE TRIGGER uploads_words_changed AFTER UPDATE OF file_name, title ON uploads
    WHEN old.file_name <> new.file_name OR old.title <> new.title BEGIN
    INSERT INTO upload_words (upload_words, rowid, file_name, title)
      VALUES ('delete', old.seq, old.file_name, old.title);
    INSERT INTO upload_words (rowid, file_name, title) VALUES (new.seq, new.file_name, new.title);
  END;
  `,
  // The temporary files of downloads: a download that begins again finds the file of the earlier one.
  `
  CREATE TABLE download_parts (
    folder TEXT NOT NULL,
    content TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (folder, content)
  ) STRICT, WITHOUT ROWID;
  `,
  // The volume of each file, because another drive can be mounted at its path, and the links that the user added by their paths.
  `
  ALTER TABLE uploads ADD COLUMN volume TEXT NOT NULL DEFAULT '';
  ALTER TABLE batches ADD COLUMN links TEXT NOT NULL DEFAULT '[]';
  `,
  // The encoding of sent captions that was guessed.
  `
  ALTER TABLE follow_ups ADD COLUMN guessed TEXT;
  `,
  // The local file of captions, thumbnails and details as it was when it was added, because another one may get its path. Rows of
  // earlier versions have none.
  `
  ALTER TABLE follow_ups ADD COLUMN identity TEXT;
  ALTER TABLE follow_ups ADD COLUMN volume TEXT;
  ALTER TABLE follow_ups ADD COLUMN size_bytes INTEGER;
  ALTER TABLE follow_ups ADD COLUMN mtime_ms REAL;
  `,
  // The `ctime` of watched files: it changes with every change, also of a file that keeps its size and time.
  `
  ALTER TABLE watched_files ADD COLUMN ctime_ms REAL;
  `,
  // Administrative commands of many steps until their end: the steps that are left after a kill can be continued.
  `
  CREATE TABLE admin_jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    site_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    note TEXT NOT NULL,
    given_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE admin_job_steps (
    job_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    step TEXT NOT NULL,
    state TEXT NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (job_id, position)
  ) STRICT, WITHOUT ROWID;
  `,
  // All commands about many rows until they are complete: the row numbers as ranges, the number of processed rows, and a checksum;
  // NULL: of an earlier version, whose commands had none. They had the number of the last processed row instead.
  `
  CREATE TABLE bulk_commands (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    part TEXT NOT NULL,
    name TEXT NOT NULL,
    numbers TEXT NOT NULL,
    parameters TEXT NOT NULL,
    sum TEXT,
    done INTEGER NOT NULL,
    given_at INTEGER NOT NULL
  ) STRICT;
  INSERT INTO bulk_commands (part, name, numbers, parameters, done, given_at)
    SELECT 'uploads', name, numbers, '', coalesce((
      SELECT CAST(sum(max(0, min(json_extract(numbers, each.fullkey || '[1]'), after_number)
        - json_extract(numbers, each.fullkey || '[0]') + 1)) AS INTEGER)
      FROM json_each(iif(json_valid(numbers), iif(json_type(numbers) = 'array', numbers, '[]'), '[]')) AS each
    ), 0), given_at FROM commands ORDER BY id;
  DROP TABLE commands;
  `,
  // Drops of many edits are such commands, too, and so are the undo and the redo of a group, whose rows are the edits to drop. Those
  // that are not complete were found by the states of the edits: an undo, by edits that are open, or that the library may have.
  `
  CREATE VIEW open_rows AS SELECT group_seq, json_group_array(json_array(first, last) ORDER BY first) AS numbers FROM (
    SELECT group_seq, min(seq) AS first, max(seq) AS last FROM (
      SELECT group_seq, seq, seq - row_number() OVER (PARTITION BY group_seq ORDER BY seq) AS run FROM edits
      WHERE state IN ('pending', 'held', 'conflict', 'refused')
    ) GROUP BY group_seq, run
  ) GROUP BY group_seq;

  INSERT INTO bulk_commands (part, name, numbers, parameters, done, given_at)
    SELECT 'edits', 'undo', coalesce((SELECT numbers FROM open_rows WHERE group_seq = seq), '[]'), seq, 0, undone_at
    FROM edit_groups
    WHERE is_complete = 1 AND undone_at IS NOT NULL AND undone_by IS NULL AND redone_by IS NULL AND redo_at IS NULL AND (EXISTS (
      SELECT 1 FROM edits WHERE group_seq = edit_groups.seq AND (state IN ('pending', 'held', 'conflict', 'refused')
        OR (state IN ('done', 'left') AND has_sent = 1 AND (op_kinds & 8640) = 0)))
      OR EXISTS (SELECT 1 FROM edits WHERE group_seq = edit_groups.seq AND unanswered = 2)) ORDER BY seq;
  INSERT INTO bulk_commands (part, name, numbers, parameters, done, given_at)
    SELECT 'edits', 'redo', coalesce((SELECT numbers FROM open_rows WHERE group_seq = undo.seq), '[]'), redone.seq, 0, redone.redo_at
    FROM edit_groups AS redone LEFT JOIN edit_groups AS undo ON undo.id = redone.undone_by
    WHERE redone.is_complete = 1 AND redone.redo_at IS NOT NULL AND redone.undone_at IS NOT NULL AND redone.redone_by IS NULL
    ORDER BY redone.seq;
  INSERT INTO bulk_commands (part, name, numbers, parameters, sum, done, given_at)
    SELECT 'edits', 'drop', numbers, '', numbers_sum, 0, given_at FROM edit_drops ORDER BY id;

  DROP VIEW open_rows;
  DROP TABLE edit_drops;
  DROP INDEX edits_unanswered;
  ALTER TABLE edits DROP COLUMN has_sent;
  ALTER TABLE edit_groups DROP COLUMN redo_at;
  `,
];
