/** The migration steps from before watched folders and edits, which `MIGRATIONS` begins with. */
export const QUEUE_MIGRATIONS: readonly string[] = [
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
];
