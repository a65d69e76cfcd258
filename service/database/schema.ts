import type { KnownSchema } from './schema-version.ts';
import { USAGE_STEP } from './usage-step.ts';

/**
 * The schema as a list of migration steps; `user_version` stores the number of steps that a database has applied. Steps are only
 * ever appended; see `READABLE_FROM`. Times are integers: `*_on` epoch seconds (as in the API), `*_at` epoch milliseconds (for deadlines).
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT, email_address TEXT NOT NULL UNIQUE COLLATE NOCASE,
    first_name TEXT NOT NULL, last_name TEXT NOT NULL, unique_id TEXT NOT NULL UNIQUE,
    is_admin INTEGER NOT NULL, password_hash TEXT,
    created_on INTEGER NOT NULL, modified_on INTEGER NOT NULL, last_login_on INTEGER
  );
  CREATE TABLE groups (
    id INTEGER PRIMARY KEY AUTOINCREMENT, display_name TEXT NOT NULL, built_in TEXT UNIQUE,
    created_on INTEGER NOT NULL, modified_on INTEGER NOT NULL
  );
  CREATE TABLE group_users (
    group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
    user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE, PRIMARY KEY (group_id, user_id)
  ) WITHOUT ROWID;
  CREATE INDEX group_users_by_user ON group_users (user_id);
  CREATE TABLE roles (
    id INTEGER PRIMARY KEY AUTOINCREMENT, display_name TEXT NOT NULL, permissions TEXT NOT NULL,
    deletable INTEGER NOT NULL, lti INTEGER NOT NULL, created_on INTEGER NOT NULL, modified_on INTEGER NOT NULL
  );

  CREATE TABLE collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT, parent_id INTEGER REFERENCES collections, slug TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL, description TEXT NOT NULL, description_plain TEXT NOT NULL,
    inherit_memberships INTEGER NOT NULL, is_podcast INTEGER NOT NULL,
    autotranscribe_enabled INTEGER NOT NULL, autotranscribe_subcollections INTEGER NOT NULL,
    autotranscribe_profile_id TEXT, created_on INTEGER NOT NULL, modified_on INTEGER NOT NULL
  );
  CREATE INDEX collections_by_parent ON collections (parent_id);
  CREATE INDEX collections_by_name ON collections (display_name);
  CREATE TABLE podcast_details (
    collection_id INTEGER PRIMARY KEY REFERENCES collections ON DELETE CASCADE,
    directory_author_name TEXT, directory_author_email TEXT, directory_subtitle TEXT, directory_explicit TEXT,
    directory_category TEXT, copyright TEXT, directory_url TEXT, directory_edu_category TEXT, feed_proxy_url TEXT
  );
  CREATE TABLE memberships (
    id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER REFERENCES users ON DELETE CASCADE,
    group_id INTEGER REFERENCES groups ON DELETE CASCADE,
    collection_id INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE,
    role_id INTEGER NOT NULL REFERENCES roles ON DELETE CASCADE,
    created_on INTEGER NOT NULL, modified_on INTEGER NOT NULL,
    CHECK ((user_id IS NULL) <> (group_id IS NULL)),
    UNIQUE (user_id, collection_id), UNIQUE (group_id, collection_id)
  );

  CREATE TABLE media (
    id INTEGER PRIMARY KEY AUTOINCREMENT, collection_id INTEGER NOT NULL REFERENCES collections,
    type TEXT, status TEXT NOT NULL, title TEXT NOT NULL, byline TEXT,
    description TEXT NOT NULL, description_plain TEXT NOT NULL, duration INTEGER NOT NULL DEFAULT 0,
    publish_on INTEGER, created_on INTEGER NOT NULL, modified_on INTEGER NOT NULL, created_by INTEGER,
    comments_count INTEGER NOT NULL DEFAULT 0, likes_count INTEGER NOT NULL DEFAULT 0,
    views_count INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX media_by_collection ON media (collection_id, status);
  CREATE INDEX media_by_publish ON media (publish_on, id);
  CREATE INDEX media_by_created ON media (created_on, id);
  CREATE INDEX media_by_modified ON media (modified_on, id);
  CREATE INDEX media_by_title ON media (title COLLATE NOCASE, id);
  CREATE INDEX media_by_views ON media (views_count, id);
  CREATE INDEX media_scheduled ON media (publish_on) WHERE status = 'scheduled';
  CREATE TABLE tags (id INTEGER PRIMARY KEY AUTOINCREMENT, display_name TEXT NOT NULL UNIQUE COLLATE NOCASE);
  CREATE TABLE media_tags (
    media_id INTEGER NOT NULL REFERENCES media ON DELETE CASCADE,
    tag_id INTEGER NOT NULL REFERENCES tags ON DELETE CASCADE, PRIMARY KEY (media_id, tag_id)
  ) WITHOUT ROWID;
  CREATE INDEX media_tags_by_tag ON media_tags (tag_id, media_id);
  CREATE VIRTUAL TABLE media_text USING fts5 (
    title, byline, description, tags, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );

  CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, media_id INTEGER NOT NULL REFERENCES media ON DELETE CASCADE,
    parent_id INTEGER REFERENCES files ON DELETE CASCADE, encoded_from_id INTEGER REFERENCES files ON DELETE SET NULL,
    source TEXT NOT NULL, type TEXT NOT NULL, container TEXT, status TEXT NOT NULL, encoding_profile TEXT,
    display_name TEXT NOT NULL, declared_size INTEGER NOT NULL, size INTEGER NOT NULL, embed_url TEXT,
    width INTEGER, height INTEGER, max_bitrate INTEGER, duration INTEGER,
    stored_name TEXT, received_name TEXT, sha256 TEXT, error_reason TEXT,
    created_on INTEGER NOT NULL, modified_on INTEGER NOT NULL, created_by INTEGER,
    created_at INTEGER NOT NULL, activity_at INTEGER NOT NULL
  );
  CREATE INDEX files_by_media ON files (media_id);
  CREATE INDEX files_by_parent ON files (parent_id) WHERE parent_id IS NOT NULL;
  CREATE INDEX files_underway ON files (status, activity_at) WHERE status IN ('uploading', 'processing');
  CREATE TABLE thumbs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, resource TEXT NOT NULL, resource_id INTEGER NOT NULL, file_id INTEGER,
    width INTEGER, height INTEGER, content_type TEXT NOT NULL, stored_name TEXT NOT NULL, created_on INTEGER NOT NULL
  );
  CREATE INDEX thumbs_by_resource ON thumbs (resource, resource_id);

  CREATE TABLE oauth_clients (
    id TEXT PRIMARY KEY, display_name TEXT NOT NULL, redirect_uris TEXT NOT NULL, flows TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE oauth_codes (
    hash TEXT PRIMARY KEY, client_id TEXT NOT NULL, user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    redirect_uri TEXT NOT NULL, scope TEXT NOT NULL, challenge TEXT, expires_at INTEGER NOT NULL, family TEXT
  ) WITHOUT ROWID;
  CREATE TABLE oauth_tokens (
    hash TEXT PRIMARY KEY, kind TEXT NOT NULL, family TEXT NOT NULL, client_id TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE, scope TEXT NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, used_at INTEGER
  ) WITHOUT ROWID;
  CREATE INDEX oauth_tokens_by_family ON oauth_tokens (family);
  CREATE INDEX oauth_tokens_by_expiry ON oauth_tokens (expires_at);
  CREATE TABLE sessions (
    hash TEXT PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  CREATE INDEX memberships_by_collection ON memberships (collection_id);
  CREATE INDEX memberships_by_role ON memberships (role_id);
  CREATE TABLE webhook_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL
  );
  CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at);
  `,
  // These indexes cover sorting and most filters: a late page is found without reading the items before it.
  `
  DROP INDEX media_by_publish;
  DROP INDEX media_by_created;
  DROP INDEX media_by_modified;
  DROP INDEX media_by_title;
  DROP INDEX media_by_views;
  CREATE INDEX media_by_publish ON media (publish_on, id, collection_id, status, created_by, type);
  CREATE INDEX media_by_created ON media (created_on, id, collection_id, status, created_by, type);
  CREATE INDEX media_by_modified ON media (modified_on, id, collection_id, status, created_by, type);
  CREATE INDEX media_by_title ON media (title COLLATE NOCASE, id, collection_id, status, created_by, type);
  CREATE INDEX media_by_views ON media (views_count, id, collection_id, status, created_by, type);
  `,
  `
  CREATE INDEX media_by_maker ON media (created_by, collection_id, status);
  CREATE INDEX collections_in_order ON collections (display_name COLLATE NOCASE, id);
  `,
  // The column stores whether an item was ever published, whatever its state is now.
  `
  ALTER TABLE media ADD COLUMN was_published INTEGER NOT NULL DEFAULT 0;
  UPDATE media SET was_published = 1 WHERE status = 'published';
  `,
  // Items whose search index is outdated after a change of a tag.
  `
  CREATE TABLE stale_media (media_id INTEGER PRIMARY KEY REFERENCES media ON DELETE CASCADE);
  `,
  // Issued upload URLs of thumbnails. Each accepts one upload; a used one is kept until it expires.
  `
  CREATE TABLE thumb_uploads (
    id INTEGER PRIMARY KEY AUTOINCREMENT, resource TEXT NOT NULL, resource_id INTEGER NOT NULL,
    user_id INTEGER NOT NULL, expires_at INTEGER NOT NULL, is_used INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX thumb_uploads_by_expiry ON thumb_uploads (expires_at);
  `,
  // The column stores the number of times that the processing of a file started but did not end.
  `
  ALTER TABLE files ADD COLUMN processing_starts INTEGER NOT NULL DEFAULT 0;
  `,
  // One-time links with which users set their password. A link counts only for the e-mail address that its user had then.
  `
  CREATE TABLE account_links (
    hash TEXT PRIMARY KEY, purpose TEXT NOT NULL, user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
    email_address TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX account_links_by_user ON account_links (user_id);
  CREATE INDEX sessions_by_user ON sessions (user_id);
  CREATE INDEX oauth_tokens_by_user ON oauth_tokens (user_id);
  CREATE INDEX oauth_codes_by_user ON oauth_codes (user_id);
  `,
  // Who changed what. Rows are only added: none is changed, and none is deleted but those before `audit_kept_from` (epoch ms).
  `
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor_id INTEGER, actor TEXT, client_id TEXT, address TEXT,
    request TEXT, action TEXT NOT NULL, target_kind TEXT NOT NULL, target_id TEXT NOT NULL, target_name TEXT,
    before TEXT, after TEXT, also TEXT
  );
  CREATE INDEX audit_by_time ON audit (at);
  CREATE TRIGGER audit_not_changed BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'The audit is only added to.'); END;
  CREATE TRIGGER audit_not_replaced BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
    BEGIN SELECT raise(ABORT, 'The audit is only added to.'); END;
  CREATE TRIGGER audit_not_deleted BEFORE DELETE ON audit
    WHEN OLD.at >= coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'audit_kept_from'), 0)
    BEGIN SELECT raise(ABORT, 'The audit is only added to.'); END;
  `,
  // The users of providers whose accounts were deleted: a sign-in must not create them again.
  `
  CREATE TABLE deleted_identities (unique_id TEXT PRIMARY KEY, deleted_on INTEGER NOT NULL) WITHOUT ROWID;
  `,
  // When a sign-in began, and when it was last used: of a browser, and of an app. null: an earlier version started it.
  `
  ALTER TABLE sessions ADD COLUMN created_at INTEGER;
  ALTER TABLE sessions ADD COLUMN seen_at INTEGER;
  ALTER TABLE oauth_tokens ADD COLUMN started_at INTEGER;
  `,
  USAGE_STEP,
  // The column stores whether an invitation created the account. It is unknown of earlier accounts.
  `
  ALTER TABLE users ADD COLUMN is_invited INTEGER NOT NULL DEFAULT 0;
  `,
  // Content in an object store that no row names any more, and since when (epoch ms): its objects are deleted days later. And the
  // name under which a client has sent content to the store, until it is copied to `stored_name`.
  `
  ALTER TABLE files ADD COLUMN incoming_name TEXT;
  CREATE TABLE removed_blobs (name TEXT PRIMARY KEY, removed_at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX removed_blobs_by_time ON removed_blobs (removed_at);
  CREATE INDEX files_by_blob ON files (stored_name) WHERE stored_name IS NOT NULL;
  CREATE INDEX thumbs_by_blob ON thumbs (stored_name);
  `,
  // When an administrator deactivated an account (epoch seconds); null: it is active.
  `
  ALTER TABLE users ADD COLUMN deactivated_on INTEGER;
  `,
  // Who processes a file, until when (epoch ms), and which blobs that has made that no other row names yet. A notification that is
  // being sent is claimed in the same way.
  `
  CREATE TABLE processing_claims (
    id TEXT PRIMARY KEY, file_id INTEGER NOT NULL UNIQUE REFERENCES files ON DELETE CASCADE, worker TEXT NOT NULL,
    until_at INTEGER NOT NULL, is_started INTEGER NOT NULL DEFAULT 0
  ) WITHOUT ROWID;
  CREATE INDEX processing_claims_by_worker ON processing_claims (worker);
  CREATE TABLE processing_products (name TEXT PRIMARY KEY, claim TEXT NOT NULL) WITHOUT ROWID;
  ALTER TABLE webhook_deliveries ADD COLUMN claimed_until INTEGER NOT NULL DEFAULT 0;
  `,
  // Claims that were not renewed, until their workers tell that they did not die, or the file is processed.
  `
  CREATE TABLE processing_lost (claim TEXT PRIMARY KEY, file_id INTEGER NOT NULL REFERENCES files ON DELETE CASCADE) WITHOUT ROWID;
  CREATE INDEX processing_lost_by_file ON processing_lost (file_id);
  `,
  // Failed sign-ins, when several processes count them.
  `
  CREATE TABLE sign_in_failures (
    key TEXT PRIMARY KEY, failures REAL NOT NULL, at INTEGER NOT NULL, failed_at INTEGER NOT NULL, failed_before_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX sign_in_failures_by_time ON sign_in_failures (at);
  `,
];

/** The version of the schema that this program writes. */
export const SCHEMA_VERSION = STEPS.length;

/**
 * The lowest version of the schema whose programs can use a database of this version. A new step leaves it as it is if it only adds
 * tables, indexes, or columns with a default, and if a program that does not know them breaks no rule and leaves nothing wrong in
 * them. Otherwise it becomes the number of that step.
 */
const READABLE_FROM = 17;

/** The schema that this program knows. */
export const OWN_SCHEMA: KnownSchema = { version: SCHEMA_VERSION, steps: STEPS, readableFrom: READABLE_FROM };

/** Returns the statements that make an empty database of an earlier version of the schema, or of this one. */
export function schemaSteps(version: number): readonly string[] {
  return STEPS.slice(0, version);
}
