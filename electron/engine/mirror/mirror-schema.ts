import type { Database } from '../store/database.ts';
import { fillSortKeys } from './sort-keys.ts';

/**
 * The schema of a mirror as migrations; `user_version` stores how many were applied to a file. Steps are only appended. A file of
 * a newer version is created again, because everything in it can be read from the library.
 *
 * `media` has the library's values. `view_media`, `media_tags`, `media_text` and the three full-text indexes are derived from it
 * and from `overlays`; `MirrorRows` writes them. `*_on` are epoch seconds. `media.absence` is one of `ABSENCE`.
 */
const STEPS: readonly (string | ((database: Database) => void))[] = [
  `
  CREATE TABLE sync_state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE media (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, created_on INTEGER, modified_on INTEGER,
    absence INTEGER NOT NULL DEFAULT 0, item TEXT NOT NULL
  );
  CREATE INDEX media_by_created ON media (created_on, absence);
  CREATE INDEX media_absent ON media (absence) WHERE absence > 0;
  CREATE TABLE overlays (media_id TEXT PRIMARY KEY, fields TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE view_media (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, id_key BLOB NOT NULL, title TEXT NOT NULL, title_folded TEXT NOT NULL,
    type TEXT, status TEXT NOT NULL, collection_id TEXT NOT NULL, byline TEXT, duration INTEGER,
    created_on INTEGER, modified_on INTEGER, publish_on INTEGER, popularity INTEGER NOT NULL, tags TEXT NOT NULL,
    has_description INTEGER NOT NULL, has_captions INTEGER, pending INTEGER NOT NULL
  );
  CREATE INDEX view_by_created ON view_media (created_on, id_key, collection_id, status, type);
  CREATE INDEX view_by_modified ON view_media (modified_on, id_key, collection_id, status, type);
  CREATE INDEX view_by_publish ON view_media (publish_on, id_key, collection_id, status, type);
  CREATE INDEX view_by_title ON view_media (title COLLATE NOCASE, id_key, collection_id, status, type);
  CREATE INDEX view_by_duration ON view_media (duration, id_key, collection_id, status, type);
  CREATE INDEX view_by_popularity ON view_media (popularity, id_key, collection_id, status, type);
  CREATE INDEX view_by_collection ON view_media (collection_id, status, type);
  CREATE INDEX view_pending ON view_media (pending) WHERE pending > 0;
  CREATE TABLE media_tags (
    tag TEXT NOT NULL COLLATE NOCASE, seq INTEGER NOT NULL, PRIMARY KEY (tag, seq)
  ) WITHOUT ROWID;
  CREATE TABLE media_text (seq INTEGER PRIMARY KEY, folded TEXT NOT NULL);
  CREATE VIRTUAL TABLE media_fts USING fts5 (
    text, content = '', contentless_delete = 1, detail = none, prefix = '1 2 3', tokenize = 'unicode61'
  );
  CREATE VIRTUAL TABLE title_trigram USING fts5 (
    title, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
  );

  CREATE TABLE collections (
    id TEXT PRIMARY KEY, parent_id TEXT, display_name TEXT NOT NULL, slug TEXT NOT NULL, is_podcast INTEGER NOT NULL,
    media_count INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX collections_by_parent ON collections (parent_id);
  CREATE INDEX collections_by_name ON collections (display_name COLLATE NOCASE);
  `,
  // Collections as the library returned them when they were read one by one, with their podcast details.
  `
  CREATE TABLE collection_details (id TEXT PRIMARY KEY, collection TEXT NOT NULL, podcast TEXT) WITHOUT ROWID;
  `,
  // The short fields, each in a column of its own: they rank matches. FTS5's bm25() would need the positions of all words.
  `
  CREATE VIRTUAL TABLE media_fields USING fts5 (
    title, tags, byline, content = '', contentless_delete = 1, detail = column, prefix = '1 2 3', tokenize = 'unicode61'
  );
  INSERT INTO media_fields (rowid, title, tags, byline)
    SELECT seq, title_folded, (SELECT group_concat(value, ' ') FROM json_each(tags)), byline FROM view_media;
  `,
  // The files of items that were opened, as the library returned them last.
  `
  CREATE TABLE media_files (media_id TEXT PRIMARY KEY, files TEXT NOT NULL) WITHOUT ROWID;
  `,
  // Orders that the API doesn't have.
  `
  CREATE INDEX view_by_type ON view_media (type, id_key, collection_id, status);
  CREATE INDEX view_by_status ON view_media (status, id_key, collection_id, type);
  CREATE INDEX view_by_byline ON view_media (byline COLLATE NOCASE, id_key, collection_id, status, type);
  CREATE INDEX view_by_tags ON view_media (tags COLLATE NOCASE, id_key, collection_id, status, type);
  CREATE INDEX view_by_captions ON view_media (has_captions, id_key, collection_id, status, type);
  CREATE INDEX view_in_collection ON view_media (collection_id, id_key, status, type);
  `,
  // Texts by accents and numbers as people sort them, the numbers of an item, and the words of all items.
  (database) => {
    database.exec(`
      ALTER TABLE view_media ADD COLUMN likes INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE view_media ADD COLUMN comments INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE view_media ADD COLUMN title_key TEXT NOT NULL DEFAULT '';
      ALTER TABLE view_media ADD COLUMN byline_key TEXT;
      ALTER TABLE view_media ADD COLUMN tags_key TEXT NOT NULL DEFAULT '';
      DROP INDEX view_by_title;
      DROP INDEX view_by_byline;
      DROP INDEX view_by_tags;
      UPDATE view_media SET
        likes = coalesce((SELECT item ->> 'likes_count' FROM media WHERE media.seq = view_media.seq), 0),
        comments = coalesce((SELECT item ->> 'comments_count' FROM media WHERE media.seq = view_media.seq), 0);
    `);
    fillSortKeys(database);
    database.exec(`
      CREATE INDEX view_by_title ON view_media (title_key, id_key, collection_id, status, type);
      CREATE INDEX view_by_byline ON view_media (byline_key, id_key, collection_id, status, type);
      CREATE INDEX view_by_tags ON view_media (tags_key, id_key, collection_id, status, type);
      CREATE INDEX view_by_likes ON view_media (likes, id_key, collection_id, status, type);
      CREATE INDEX view_by_comments ON view_media (comments, id_key, collection_id, status, type);
      CREATE VIRTUAL TABLE media_words USING fts5vocab(media_fields, row);
    `);
  },
  // The size of an item's files, NO_SIZE when the library reports none; null: its files were not read yet.
  `
  ALTER TABLE view_media ADD COLUMN size_bytes INTEGER;
  CREATE INDEX view_by_size ON view_media (size_bytes, id_key, collection_id, status, type);
  DELETE FROM sync_state WHERE key IN ('captionsCursor', 'captionsAt', 'captionsFailedAt');
  `,
  // The answer with all collections, of which only a digest is kept.
  `DELETE FROM sync_state WHERE key = 'collectionsAnswer'`,
];

/** Each step changes a file of the version before it. */
export const MIRROR_MIGRATIONS = STEPS.map(
  (step) => (database: Database) => (typeof step === 'string' ? database.exec(step) : step(database)),
);
