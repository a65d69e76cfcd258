// The tables whose changes are recorded, and how. In the expressions, `$` stands for the row.
import { PODCAST_FIELDS } from '../../shared/api/podcast-fields.ts';
import { TEXT_FIELDS } from '../../shared/item/fields.ts';

export type Kind =
  | 'user'
  | 'group'
  | 'role'
  | 'collection'
  | 'media'
  | 'file'
  | 'membership'
  | 'tag'
  | 'thumbnail'
  | 'settings'
  | 'client'
  | 'account-link'
  | 'session'
  | 'token'
  | 'authorization'
  | 'thumbnail-upload'
  | 'encoding';

export type Change = 'insert' | 'update' | 'delete';

export interface Watched {
  table: string;
  /** SQL expressions of the target of a change. */
  kind: string;
  id: string;
  name: string;
  /** The user in whose name a request without an access token makes the change. */
  owner?: string;
  /** The columns that are recorded. */
  columns: readonly string[];
  /** Further fields: the condition under which they have changed in an update, and their values before and after as JSON. */
  others?: readonly Other[];
  /** Which changes are recorded; absent: all. A text is a condition. */
  changes?: Partial<Record<Change, string | false>>;
  /** A row of this table is a detail of its target: adding and removing one is an update of it. */
  isDetail?: boolean;
}

interface Other {
  field: string;
  insert: string;
  update: string;
  delete: string;
}

const exists = (table: string, id: string) => `EXISTS (SELECT 1 FROM ${table} WHERE id = ${id})`;
const userName = (id: string) => `(SELECT email_address FROM users WHERE id = ${id})`;
const nameIn = (table: string, id: string) => `(SELECT display_name FROM ${table} WHERE id = ${id})`;

/** A list of which each row of a table adds one member. */
function member(field: string, name: string): Other {
  return {
    field,
    insert: `json_array(json_array(), json_array(${name.replaceAll('$', 'NEW')}))`,
    update: 'NULL',
    delete: `json_array(json_array(${name.replaceAll('$', 'OLD')}), json_array())`,
  };
}

/** Whether there is a password; the hash itself is never recorded. */
const PASSWORD: Other = {
  field: 'password',
  insert: `json_array(NULL, CASE WHEN NEW.password_hash IS NOT NULL THEN 'set' END)`,
  update: `CASE WHEN OLD.password_hash IS DISTINCT FROM NEW.password_hash THEN
    json_array(CASE WHEN OLD.password_hash IS NOT NULL THEN 'set' END,
      CASE WHEN NEW.password_hash IS NULL THEN NULL WHEN OLD.password_hash IS NULL THEN 'set' ELSE 'changed' END) END`,
  delete: 'NULL',
};

/** The settings as stored, which are compared one by one later. */
const SETTINGS: Other = {
  field: 'settings',
  insert: 'json_array(NULL, NEW.value)',
  update: 'json_array(OLD.value, NEW.value)',
  delete: 'NULL',
};

export const WATCHED: readonly Watched[] = [
  {
    table: 'users',
    kind: `'user'`,
    id: '$.id',
    name: '$.email_address',
    columns: ['email_address', 'first_name', 'last_name', 'unique_id', 'is_admin', 'deactivated_on'],
    others: [PASSWORD],
  },
  { table: 'groups', kind: `'group'`, id: '$.id', name: '$.display_name', columns: ['display_name'] },
  {
    table: 'group_users',
    kind: `'user'`,
    id: '$.user_id',
    name: userName('$.user_id'),
    columns: [],
    others: [member('groups', nameIn('groups', '$.group_id'))],
    changes: { delete: `${exists('users', 'OLD.user_id')} AND ${exists('groups', 'OLD.group_id')}` },
    isDetail: true,
  },
  {
    table: 'group_users',
    kind: `'group'`,
    id: '$.group_id',
    name: nameIn('groups', '$.group_id'),
    columns: [],
    others: [member('users', userName('$.user_id'))],
    changes: { delete: `${exists('users', 'OLD.user_id')} AND ${exists('groups', 'OLD.group_id')}` },
    isDetail: true,
  },
  { table: 'roles', kind: `'role'`, id: '$.id', name: '$.display_name', columns: ['display_name', 'permissions'] },
  {
    table: 'collections',
    kind: `'collection'`,
    id: '$.id',
    name: '$.display_name',
    columns: [
      'parent_id',
      'slug',
      'display_name',
      'description',
      'inherit_memberships',
      'is_podcast',
      'autotranscribe_enabled',
      'autotranscribe_subcollections',
      'autotranscribe_profile_id',
    ],
  },
  {
    table: 'podcast_details',
    kind: `'collection'`,
    id: '$.collection_id',
    name: nameIn('collections', '$.collection_id'),
    columns: PODCAST_FIELDS,
    changes: { delete: exists('collections', 'OLD.collection_id') },
    isDetail: true,
  },
  {
    table: 'memberships',
    kind: `'membership'`,
    id: '$.id',
    name: nameIn('collections', '$.collection_id'),
    columns: ['user_id', 'group_id', 'collection_id', 'role_id'],
  },
  {
    table: 'media',
    kind: `'media'`,
    id: '$.id',
    name: '$.title',
    columns: ['collection_id', 'status', ...TEXT_FIELDS, 'publish_on'],
  },
  {
    table: 'media_tags',
    kind: `'media'`,
    id: '$.media_id',
    name: '(SELECT title FROM media WHERE id = $.media_id)',
    columns: [],
    others: [member('tags', nameIn('tags', '$.tag_id'))],
    changes: { delete: `${exists('media', 'OLD.media_id')} AND ${exists('tags', 'OLD.tag_id')}` },
    isDetail: true,
  },
  { table: 'tags', kind: `'tag'`, id: '$.id', name: '$.display_name', columns: ['display_name'] },
  {
    table: 'files',
    kind: `CASE WHEN $.parent_id IS NULL THEN 'file' ELSE 'encoding' END`,
    id: '$.id',
    name: '$.display_name',
    owner: '$.created_by',
    columns: [
      'media_id',
      'encoded_from_id',
      'source',
      'type',
      'status',
      'display_name',
      'size',
      'embed_url',
      'stored_name',
      'received_name',
      'error_reason',
    ],
    // Not the files of a deleted item, nor the encodings of a deleted file.
    changes: {
      delete: `${exists('media', 'OLD.media_id')} AND (OLD.parent_id IS NULL OR ${exists('files', 'OLD.parent_id')})`,
    },
  },
  {
    table: 'thumbs',
    kind: `'thumbnail'`,
    id: '$.id',
    name: `$.resource || ' ' || $.resource_id`,
    columns: ['resource', 'resource_id', 'file_id', 'content_type', 'stored_name'],
  },
  {
    table: 'thumb_uploads',
    kind: `'thumbnail-upload'`,
    id: '$.id',
    name: `$.resource || ' ' || $.resource_id`,
    owner: '$.user_id',
    columns: ['resource', 'resource_id', 'is_used'],
    changes: { delete: false },
  },
  {
    table: 'oauth_clients',
    kind: `'client'`,
    id: '$.id',
    name: '$.display_name',
    columns: ['display_name', 'redirect_uris', 'flows'],
  },
  {
    table: 'sessions',
    kind: `'session'`,
    id: '$.user_id',
    name: userName('$.user_id'),
    owner: '$.user_id',
    columns: [],
    // Not the time of the last use.
    changes: { update: false, delete: exists('users', 'OLD.user_id') },
  },
  {
    table: 'account_links',
    kind: `'account-link'`,
    id: '$.user_id',
    name: '$.email_address',
    owner: '$.user_id',
    columns: ['purpose'],
    changes: { update: false, delete: exists('users', 'OLD.user_id') },
  },
  {
    table: 'oauth_codes',
    kind: `'authorization'`,
    id: '$.client_id',
    name: '(SELECT display_name FROM oauth_clients WHERE id = $.client_id)',
    owner: '$.user_id',
    columns: ['redirect_uri', 'scope'],
    changes: { update: false, delete: false },
  },
  {
    table: 'oauth_tokens',
    kind: `'token'`,
    id: '$.family',
    name: userName('$.user_id'),
    owner: '$.user_id',
    columns: ['client_id', 'scope'],
    changes: {
      // Not the tokens of a refresh, which give the same rights again.
      insert: `NOT EXISTS (SELECT 1 FROM oauth_tokens WHERE family = NEW.family AND used_at IS NOT NULL)`,
      update: false,
      delete: exists('users', 'OLD.user_id'),
    },
  },
  {
    table: 'meta',
    kind: `'settings'`,
    id: '$.key',
    name: 'NULL',
    columns: [],
    others: [SETTINGS],
    changes: {
      insert: `NEW.key = 'settings'`,
      update: `NEW.key = 'settings' AND OLD.value IS DISTINCT FROM NEW.value`,
      delete: false,
    },
  },
];

/** The tables whose changes are not recorded: they follow from other changes, or are the work of the service. */
export const UNWATCHED: readonly string[] = [
  'removed_blobs',
  'sign_in_failures',
  'processing_claims',
  'processing_lost',
  'processing_products',
  'audit',
  'deleted_identities',
  'media_text',
  'stale_media',
  'usage',
  'webhook_deliveries',
];
