/**
 * The schema of the queue database, as steps from one version to the next. A step is never edited once released:
 * a change is a new step. `PRAGMA user_version` holds the number of steps taken.
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
  // The order of the queue: a lane per priority, a rank inside it; and the disk that a file lies on.
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
  // Files that are followed and compared: their fingerprints, where they came from, and what their hashes are.
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
  // What is done after an upload is complete, and receipts that can be searched.
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
  // Uploads of equal size are many where recorders write files of one length: only those that count are looked through.
  `
  CREATE INDEX uploads_twins ON uploads (site_id, collection_id, size_bytes, edge_hash)
    WHERE state = 'complete' OR duplicate_checked_at IS NOT NULL OR item_intent_at IS NOT NULL OR media_id IS NOT NULL;
  CREATE INDEX uploads_twins_waiting ON uploads (site_id, collection_id, size_bytes) WHERE state = 'waiting';
  `,
  // Of a batch each state's rows in the order of the queue: no other row is passed over on the way to a page of them.
  `
  DROP INDEX uploads_by_batch;
  CREATE INDEX uploads_by_batch ON uploads (batch_id, state, lane, rank);
  `,
  // Fewer indexes to keep up with every fact: accounts are counted in memory, and an item is found by its account first.
  `
  DROP INDEX uploads_by_site;
  DROP INDEX uploads_by_media_id;
  `,
  // What a person said about many uploads, until it is carried out: the numbers of the rows as ranges, the last that is done.
  `
  CREATE TABLE commands (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    numbers TEXT NOT NULL,
    after_number INTEGER NOT NULL,
    given_at INTEGER NOT NULL
  ) STRICT;
  `,
  // Names change while a file is followed that was renamed: the search for receipts learns the new one.
  `
  INSERT INTO upload_words (upload_words) VALUES ('delete-all');
  INSERT INTO upload_words (rowid, file_name, title) SELECT seq, file_name, title FROM uploads;
  CREATE TRIGGER uploads_words_renamed AFTER UPDATE OF file_name ON uploads WHEN old.file_name <> new.file_name BEGIN
    INSERT INTO upload_words (upload_words, rowid, file_name, title)
      VALUES ('delete', old.seq, old.file_name, old.title);
    INSERT INTO upload_words (rowid, file_name, title) VALUES (new.seq, new.file_name, new.title);
  END;
  `,
  // The back-off is counted by step. What waited before by one count for all begins with none.
  `
  ALTER TABLE uploads ADD COLUMN tries TEXT NOT NULL DEFAULT '{}';
  `,
  // What a person typed for a collection that the library has yet to be asked about.
  `
  ALTER TABLE batches ADD COLUMN collection_ref TEXT;
  `,
  // What a cancel overwrote of a row, so that it can be undone.
  `
  ALTER TABLE uploads ADD COLUMN cancelled_from TEXT;
  `,
  // What asks about a duplicate is listed apart from what failed for good.
  `
  CREATE INDEX uploads_asking ON uploads (lane, rank, batch_id)
    WHERE state = 'failed' AND substr(error, 1, 26) IS '{"code":"upload.duplicate"';
  CREATE INDEX uploads_failed ON uploads (lane, rank, batch_id)
    WHERE state = 'failed' AND substr(error, 1, 26) IS NOT '{"code":"upload.duplicate"';
  `,
  // What finds an item again whose creation was not answered: when it was intended by the service's clock, whether the
  // library said that it created one, and how often that led to nothing.
  `
  ALTER TABLE uploads ADD COLUMN item_intent_server_at INTEGER;
  ALTER TABLE uploads ADD COLUMN item_answered_at INTEGER;
  ALTER TABLE uploads ADD COLUMN fruitless INTEGER NOT NULL DEFAULT 0;
  `,
  // Files of its own that an upload gave up and that may not be deleted: its item can be removed together with them.
  `
  ALTER TABLE uploads ADD COLUMN spoiled_file_ids TEXT NOT NULL DEFAULT '[]';
  `,
  // The few creations without an answer are found without reading every row of their collection.
  `
  CREATE INDEX uploads_open_creations ON uploads (collection_id, site_id, item_intent_at)
    WHERE media_id IS NULL AND item_intent_at IS NOT NULL;
  `,
  // Follow-ups have a table of their own, and the code of an error a column: no query reads inside JSON. A follow-up that
  // can't be read keeps its place, without a kind and a state: `failDamagedRows` fails its upload, as for other damage.
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
