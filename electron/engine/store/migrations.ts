/**
 * The schema of the queue database, as migration steps. A released step is never changed: every change is a new step.
 * `PRAGMA user_version` is the number of executed steps.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;

  CREATE TABLE sites (
    id TEXT PRIMARY KEY,
    base_url TEXT NOT NULL,
    client_id TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;

  CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    site_id TEXT NOT NULL,
    collection_id TEXT NOT NULL,
    collection_name TEXT NOT NULL,
    defaults TEXT NOT NULL,
    added_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE uploads (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    batch_id TEXT NOT NULL REFERENCES batches (id),
    site_id TEXT NOT NULL,
    collection_id TEXT NOT NULL,
    path TEXT NOT NULL,
    file_name TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    identity TEXT NOT NULL,
    title TEXT NOT NULL,
    tags TEXT NOT NULL,
    publish TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_attempt_at INTEGER,
    error TEXT,
    item_intent_at INTEGER,
    media_id TEXT,
    file_intent_at INTEGER,
    file_id TEXT,
    destination TEXT,
    destination_at INTEGER,
    send_started_at INTEGER,
    sent_at INTEGER,
    sha256 TEXT,
    finished_at INTEGER,
    completed_at INTEGER,
    added_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;

  CREATE INDEX uploads_by_state ON uploads (state, seq);
  CREATE INDEX uploads_due ON uploads (next_attempt_at) WHERE state = 'waiting';
  CREATE INDEX uploads_by_batch ON uploads (batch_id, seq);
  CREATE UNIQUE INDEX uploads_by_media ON uploads (site_id, media_id) WHERE media_id IS NOT NULL;
  `,
  `
  CREATE INDEX uploads_by_site ON uploads (site_id, state);
  CREATE INDEX uploads_by_media_id ON uploads (media_id) WHERE media_id IS NOT NULL;
  `,
  // The order of the queue: a lane per priority, and a rank inside it; and the disk of a file.
  `
  ALTER TABLE uploads ADD COLUMN lane INTEGER NOT NULL DEFAULT 2;
  ALTER TABLE uploads ADD COLUMN rank REAL NOT NULL DEFAULT 0;
  ALTER TABLE uploads ADD COLUMN device TEXT NOT NULL DEFAULT '';
  UPDATE uploads SET rank = seq,
    device = CASE instr(identity, ':') WHEN 0 THEN '' ELSE substr(identity, 1, instr(identity, ':') - 1) END;

  DROP INDEX uploads_by_state;
  DROP INDEX uploads_by_batch;
  CREATE INDEX uploads_by_state ON uploads (state, lane, rank);
  CREATE INDEX uploads_by_batch ON uploads (batch_id, lane, rank, state);
  CREATE INDEX uploads_by_place ON uploads (lane, rank);
  CREATE INDEX uploads_queued ON uploads (site_id, device, lane, rank) WHERE state = 'queued';
  `,
  // Data for files that are followed and compared: fingerprints, original paths and hashes.
  `
  ALTER TABLE batches ADD COLUMN roots TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE uploads ADD COLUMN edge_hash TEXT;
  ALTER TABLE uploads ADD COLUMN moved_from TEXT;
  ALTER TABLE uploads ADD COLUMN duplicates TEXT NOT NULL DEFAULT 'ask';
  ALTER TABLE uploads ADD COLUMN duplicate_checked_at INTEGER;
  CREATE INDEX uploads_by_size ON uploads (site_id, collection_id, size_bytes);

  CREATE TABLE file_hashes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    identity TEXT NOT NULL UNIQUE,
    size_bytes INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    sha256 TEXT NOT NULL
  ) STRICT;
  `,
  // Follow-ups after an upload, and the search in receipts.
  `
  ALTER TABLE uploads ADD COLUMN watched_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE uploads ADD COLUMN follow_ups TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE uploads ADD COLUMN follow_up_at INTEGER;

  CREATE INDEX uploads_follow_up ON uploads (follow_up_at) WHERE follow_up_at IS NOT NULL;
  CREATE INDEX uploads_follow_up_failed ON uploads (seq) WHERE follow_ups LIKE '%"state":"failed"%';

  -- Searching receipts. Names and titles never change after a row was made, so that the index only ever grows.
  CREATE INDEX uploads_by_hash ON uploads (sha256) WHERE sha256 IS NOT NULL;
  CREATE INDEX uploads_by_file ON uploads (file_id) WHERE file_id IS NOT NULL;
  CREATE VIRTUAL TABLE upload_words USING fts5(file_name, title, content='', tokenize='trigram remove_diacritics 1');
  INSERT INTO upload_words (rowid, file_name, title) SELECT seq, file_name, title FROM uploads;
  CREATE TRIGGER uploads_words AFTER INSERT ON uploads BEGIN
    INSERT INTO upload_words (rowid, file_name, title) VALUES (new.seq, new.file_name, new.title);
  END;
  `,
  // Recorders write many files of equal size: this index finds only the relevant uploads.
  `
  CREATE INDEX uploads_twins ON uploads (site_id, collection_id, size_bytes, edge_hash)
    WHERE state = 'complete' OR duplicate_checked_at IS NOT NULL OR item_intent_at IS NOT NULL OR media_id IS NOT NULL;
  CREATE INDEX uploads_twins_waiting ON uploads (site_id, collection_id, size_bytes) WHERE state = 'waiting';
  `,
  // The rows of each state of a batch in queue order: a page is found without reading other rows.
  `
  DROP INDEX uploads_by_batch;
  CREATE INDEX uploads_by_batch ON uploads (batch_id, state, lane, rank);
  `,
  // Fewer indexes to update with every event: accounts are counted in memory, and an item is searched by its account
  // first.
  `
  DROP INDEX uploads_by_site;
  DROP INDEX uploads_by_media_id;
  `,
  // Bulk commands until they are complete: the row numbers as ranges, and the last processed one.
  `
  CREATE TABLE commands (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    numbers TEXT NOT NULL,
    after_number INTEGER NOT NULL,
    given_at INTEGER NOT NULL
  ) STRICT;
  `,
  // Names change when a renamed file is followed: the search in receipts needs the new name.
  `
  INSERT INTO upload_words (upload_words) VALUES ('delete-all');
  INSERT INTO upload_words (rowid, file_name, title) SELECT seq, file_name, title FROM uploads;
  CREATE TRIGGER uploads_words_renamed AFTER UPDATE OF file_name ON uploads WHEN old.file_name <> new.file_name BEGIN
    INSERT INTO upload_words (upload_words, rowid, file_name, title)
      VALUES ('delete', old.seq, old.file_name, old.title);
    INSERT INTO upload_words (rowid, file_name, title) VALUES (new.seq, new.file_name, new.title);
  END;
  `,
  // The backoff is counted by step. Rows that waited with the old common count start without one.
  `
  ALTER TABLE uploads ADD COLUMN tries TEXT NOT NULL DEFAULT '{}';
  `,
  // The collection that the user typed, until the library has resolved it.
  `
  ALTER TABLE batches ADD COLUMN collection_ref TEXT;
  `,
  // The values that a cancel replaced, for its undo.
  `
  ALTER TABLE uploads ADD COLUMN cancelled_from TEXT;
  `,
  // Uploads that need a decision about a duplicate are listed separately from failed ones.
  `
  CREATE INDEX uploads_asking ON uploads (lane, rank, batch_id)
    WHERE state = 'failed' AND substr(error, 1, 26) IS '{"code":"upload.duplicate"';
  CREATE INDEX uploads_failed ON uploads (lane, rank, batch_id)
    WHERE state = 'failed' AND substr(error, 1, 26) IS NOT '{"code":"upload.duplicate"';
  `,
  // Data for finding an item whose creation was not answered: the time of the intent by the library's clock, whether
  // the library answered that it created an item, and how often creations led to nothing.
  `
  ALTER TABLE uploads ADD COLUMN item_intent_server_at INTEGER;
  ALTER TABLE uploads ADD COLUMN item_answered_at INTEGER;
  ALTER TABLE uploads ADD COLUMN fruitless INTEGER NOT NULL DEFAULT 0;
  `,
  // Files that an upload dropped and could not delete: its item can be deleted together with them.
  `
  ALTER TABLE uploads ADD COLUMN spoiled_file_ids TEXT NOT NULL DEFAULT '[]';
  `,
  // Finds the few unanswered creations without reading every row of their collection.
  `
  CREATE INDEX uploads_open_creations ON uploads (collection_id, site_id, item_intent_at)
    WHERE media_id IS NULL AND item_intent_at IS NOT NULL;
  `,
  // Follow-ups have their own table, and the code of an error its own column: no query reads JSON. An unreadable
  // follow-up keeps its position, without a kind and a state: `failDamagedRows` fails its upload, as for other damage.
  `
  ALTER TABLE uploads ADD COLUMN error_code TEXT;
  UPDATE uploads SET error_code = iif(json_valid(error), error ->> '$.code', NULL) WHERE error IS NOT NULL;

  CREATE TABLE follow_ups (
    upload_seq INTEGER NOT NULL REFERENCES uploads (seq) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    path TEXT NOT NULL,
    file_name TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    tries TEXT,
    next_at INTEGER,
    error TEXT,
    error_code TEXT,
    was_tried INTEGER NOT NULL,
    intent_at INTEGER,
    file_id TEXT,
    sent_at INTEGER,
    looks INTEGER NOT NULL,
    fingerprint TEXT,
    source TEXT,
    source_folder TEXT,
    target TEXT,
    PRIMARY KEY (upload_seq, position)
  ) STRICT, WITHOUT ROWID;

  INSERT INTO follow_ups
  SELECT seq, position,
    coalesce(facts ->> '$.kind', ''),
    coalesce(facts ->> '$.state', ''),
    coalesce(facts ->> '$.path', ''),
    coalesce(facts ->> '$.fileName', ''),
    coalesce(CAST(facts ->> '$.attempts' AS INTEGER), 0),
    iif(json_type(facts, '$.tries') IS 'null', NULL, facts -> '$.tries'),
    CAST(facts ->> '$.nextAt' AS INTEGER),
    iif(json_type(facts, '$.error') IS 'null', NULL, facts -> '$.error'),
    facts ->> '$.error.code',
    coalesce(CAST(facts ->> '$.wasTried' AS INTEGER), 0),
    CAST(facts ->> '$.intentAt' AS INTEGER),
    facts ->> '$.fileId',
    CAST(facts ->> '$.sentAt' AS INTEGER),
    coalesce(CAST(facts ->> '$.looks' AS INTEGER), 0),
    facts ->> '$.fingerprint',
    facts ->> '$.source.kind',
    facts ->> '$.source.folder',
    facts ->> '$.target'
  FROM (
    SELECT uploads.seq AS seq, item.key AS position, iif(item.type = 'object', item.value, '{}') AS facts
    FROM uploads, json_each(
      CASE WHEN json_valid(follow_ups) AND json_type(follow_ups) = 'array' THEN follow_ups ELSE '[null]' END
    ) AS item
    WHERE follow_ups <> '[]'
  );

  DROP INDEX uploads_follow_up_failed;
  DROP INDEX uploads_asking;
  DROP INDEX uploads_failed;
  DROP INDEX uploads_twins_waiting;
  ALTER TABLE uploads DROP COLUMN follow_ups;
  CREATE INDEX follow_ups_failed ON follow_ups (upload_seq) WHERE state = 'failed';
  CREATE INDEX uploads_asking ON uploads (lane, rank, batch_id)
    WHERE state = 'failed' AND error_code IS 'upload.duplicate';
  CREATE INDEX uploads_failed ON uploads (lane, rank, batch_id)
    WHERE state = 'failed' AND error_code IS NOT 'upload.duplicate';
  CREATE INDEX uploads_twins_waiting ON uploads (site_id, collection_id, size_bytes)
    WHERE state = 'waiting' AND error_code = 'upload.duplicate-under-way';
  `,
  // Ended uploads that the user removed from the list. They stay for receipts; every list finds its rows without them.
  `
  ALTER TABLE uploads ADD COLUMN cleared_at INTEGER;
  DROP INDEX uploads_by_state;
  DROP INDEX uploads_by_batch;
  DROP INDEX uploads_asking;
  DROP INDEX uploads_failed;
  CREATE INDEX uploads_by_state ON uploads (state, cleared_at, lane, rank);
  CREATE INDEX uploads_by_batch ON uploads (batch_id, state, cleared_at, lane, rank);
  CREATE INDEX uploads_asking ON uploads (lane, rank, batch_id, cleared_at)
    WHERE state = 'failed' AND error_code IS 'upload.duplicate';
  CREATE INDEX uploads_failed ON uploads (lane, rank, batch_id, cleared_at)
    WHERE state = 'failed' AND error_code IS NOT 'upload.duplicate';
  `,
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
];
