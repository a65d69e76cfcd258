import { z } from 'zod';
import { FILE_STATUSES, MAX_CONTENT_TTL_S } from '../../shared/api/files.ts';
import { MEDIA_SORTS, MEDIA_STATUSES, MEDIA_TYPES } from '../../shared/api/media.ts';
import { PERMISSIONS } from '../../shared/api/permission-sets.ts';
import { UPLOAD_TYPES } from '../resources/files/file-types.ts';
import { MAX_SIDE } from '../resources/media/embed.ts';
import { MEDIA_JOINS } from '../resources/media/media-joins.ts';
import type { UserFilter } from '../resources/users/user-filter.ts';

const text = z.string();
const id = z.string().meta({ description: 'An identifier.' });
const ids = z.string().meta({ description: 'Identifiers, separated by commas.' });
const instant = z.string().meta({ description: 'ISO 8601; UTC without a time zone.', example: '2030-01-31T12:00:00Z' });
const zeroOrOne = z.enum(['0', '1']);
const joins = (...names: string[]) =>
  z.string().meta({ description: `Any of ${names.join(', ')}, separated by commas.` });

const PAGES = {
  per_page: z.int().min(1).meta({ description: 'Entries of a page; at most the limit of the site.' }),
  _p: z.int().min(1).meta({ description: 'The page; 1 is the first.' }),
};

const MEDIA_FILTERS = {
  type: z.enum(MEDIA_TYPES),
  status: z.enum(MEDIA_STATUSES),
  created_before: instant,
  created_after: instant,
  publish_before: instant,
  publish_after: instant,
  collection_id: ids,
  tag: text,
  search: text,
  related_to: id,
  exclude_ids: ids,
};

const USER_FILTERS = {
  is_admin: zeroOrOne,
  email_address: text,
  first_name: text,
  last_name: text,
  unique_id: text.meta({ description: '% stands for any text.' }),
  group_id: id,
  last_login_before: instant,
  last_login_after: instant,
} satisfies Record<UserFilter, z.ZodType>;

const ROLE_FILTERS = {
  display_name: text,
  deletable: zeroOrOne,
  lti: zeroOrOne,
  permissions: text.meta({ description: 'Names, separated by commas; a role must have all.' }),
};

/** The parameters of the query of each endpoint that reads any; all are optional. A test compares them with what handlers read. */
export const PARAMETERS = {
  collections: {
    ...PAGES,
    permission: z.enum(PERMISSIONS),
    is_podcast: zeroOrOne,
    parent_id: id,
    display_name: text,
    joins: joins('thumbs'),
  },
  tree: {
    root_id: id,
    permission: z.enum(PERMISSIONS),
    media_count: z.enum(['all', 'published']),
    additive_counts: zeroOrOne,
    omit_empty: zeroOrOne,
  },
  collection: { joins: joins('thumbs') },
  mediaList: {
    ...PAGES,
    ...MEDIA_FILTERS,
    sort: z.enum(MEDIA_SORTS),
    order: z.enum(['asc', 'desc']),
    joins: joins(...MEDIA_JOINS),
  },
  mediaCount: MEDIA_FILTERS,
  media: { joins: joins(...MEDIA_JOINS) },
  embedCode: { width: z.int().min(1).max(MAX_SIDE), height: z.int().min(1).max(MAX_SIDE) },
  files: {
    type: z.enum(UPLOAD_TYPES),
    status: z.enum(FILE_STATUSES),
  },
  content: {
    ttl: z.int().min(1).max(MAX_CONTENT_TTL_S).meta({ description: 'Seconds.' }),
    json: z.string().meta({ description: 'On when present.' }),
  },
  users: { ...PAGES, ...USER_FILTERS, joins: joins('thumbs', 'groups') },
  user: { joins: joins('thumbs', 'groups') },
  bulkDeletion: USER_FILTERS,
  groups: { ...PAGES, display_name: text, user_id: id },
  tags: { ...PAGES, display_name: text, id },
  roles: { ...PAGES, ...ROLE_FILTERS },
  roleCount: ROLE_FILTERS,
  memberships: { ...PAGES, user_id: id, group_id: id, collection_id: id, role_id: id },
  calculatedRoles: { ...PAGES, user_id: id, group_id: id, collection_id: id },
} as const satisfies Record<string, Record<string, z.ZodType>>;

export type ParametersName = keyof typeof PARAMETERS;
