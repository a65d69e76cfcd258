import { z } from 'zod';
import { FILE_STATUSES } from '../../shared/api/files.ts';
import { MEDIA_STATUSES, MEDIA_TYPES } from '../../shared/api/media.ts';
import { PERMISSIONS } from '../../shared/api/permission-sets.ts';
import { PODCAST_FIELDS } from '../../shared/api/podcast-fields.ts';
import { recordOf } from '../../shared/item/fields.ts';

// The answers as this service sends them. The wire types of the client accept more: they read other services, too.

const id = z.string().meta({ description: 'An identifier: decimal digits.', example: '17' });
const instant = z.string().meta({ format: 'date-time', description: 'UTC, whole seconds.' });
const path = z.string().meta({ description: 'A path of the site.' });
const seconds = z.int().min(0);

const reference = z.strictObject({ id, display_name: z.string() });
const thumb = z
  .strictObject({
    id,
    width: z.int().nullable(),
    height: z.int().nullable(),
    content_url: z.string().meta({ format: 'uri', description: 'Signed; valid for a limited time.' }),
  })
  .meta({ id: 'Thumbnail' });
const embedCode = z
  .strictObject({ html: z.string(), url: z.string().meta({ format: 'uri' }) })
  .meta({ id: 'EmbedCode' });

const encodingFields = {
  id,
  source: z.string(),
  type: z.string(),
  container: z.string().nullable(),
  status: z.enum(FILE_STATUSES),
  encoding_profile: z.string().nullable(),
  display_name: z.string(),
  created_on: instant,
  modified_on: instant,
  height: z.int().nullable(),
  width: z.int().nullable(),
  max_bitrate: z.int().nullable(),
  size: z.int().min(0).nullable(),
  duration: seconds.nullable(),
  duration_hms: z.string().nullable(),
  links: z.strictObject({ self: path, content: path, parent: path.nullable(), media: path }),
};
const encoding = z.strictObject({ ...encodingFields, encodings: z.null() }).meta({ id: 'Encoding' });
const fileFields = { ...encodingFields, encodings: z.array(encoding).nullable() };
const descriptor = z
  .strictObject({
    protocols: z.strictObject({
      form_data: z.strictObject({
        upload_url: z.string().meta({ format: 'uri', description: 'Takes the form without an access token.' }),
        upload_file_param: z.string(),
        upload_post_params: z.record(z.string(), z.string()),
        postprocess_url: z.string().meta({ format: 'uri', description: 'To be posted to after the bytes.' }).optional(),
      }),
    }),
  })
  .meta({ id: 'UploadDescriptor' });

const mediaFile = z.strictObject(fileFields).meta({ id: 'MediaFile' });

const collection = z
  .strictObject({
    id,
    parent_id: id.nullable(),
    slug: z.string(),
    display_name: z.string(),
    description: z.string(),
    description_plain: z.string(),
    media_count: z.int().min(0),
    inherit_memberships: z.boolean(),
    is_podcast: z.boolean(),
    autotranscribe_enabled: z.boolean(),
    autotranscribe_subcollections: z.boolean(),
    autotranscribe_profile_id: z.string().nullable(),
    thumbs: z.array(thumb).optional().meta({ description: 'With joins=thumbs.' }),
    links: z.strictObject({
      self: path,
      parent: path.nullable(),
      media: path,
      podcast_details: path.nullable(),
      thumbs: path,
      view: path,
    }),
  })
  .meta({ id: 'Collection' });

const treeNode = z
  .strictObject({
    id,
    display_name: z.string(),
    is_podcast: z.boolean().nullable(),
    slug: z.string(),
    media_count: z.int().min(0).optional().meta({ description: 'With media_count.' }),
    own_media_count: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'With additive_counts: without the collections below.' }),
    get children() {
      return z.array(treeNode);
    },
  })
  .meta({ id: 'CollectionTreeNode' });

const media = z
  .strictObject({
    id,
    type: z.enum(MEDIA_TYPES).nullable(),
    status: z.enum(MEDIA_STATUSES),
    title: z.string(),
    collection_id: id,
    created_on: instant,
    modified_on: instant,
    publish_on: instant.nullable(),
    byline: z.string().nullable(),
    duration: seconds,
    duration_hms: z.string(),
    comments_count: z.int().min(0),
    likes_count: z.int().min(0),
    views_count: z.int().min(0),
    description: z.string(),
    description_plain: z.string(),
    tags: z.array(z.string()),
    files: z.array(mediaFile).optional().meta({ description: 'With joins=files.' }),
    thumbs: z.array(thumb).optional().meta({ description: 'With joins=thumbs.' }),
    embedcode: embedCode.optional().meta({ description: 'With joins=embedcode.' }),
    links: z.strictObject({ self: path, collection: path, files: path, thumbs: path, view: path }),
  })
  .meta({ id: 'MediaItem' });

const group = z
  .strictObject({
    id,
    display_name: z.string(),
    created_on: instant,
    modified_on: instant,
    links: z.strictObject({ self: path, users: path }),
  })
  .meta({ id: 'Group' });

const user = z
  .strictObject({
    id,
    is_admin: z.boolean(),
    email_address: z.string(),
    display_name: z.string(),
    unique_id: z.string(),
    created_on: instant,
    modified_on: instant,
    last_login_date: instant.nullable(),
    thumbs: z.array(thumb).optional().meta({ description: 'With joins=thumbs.' }),
    groups: z.array(group).optional().meta({ description: 'With joins=groups.' }),
    links: z.looseObject({ self: path, groups: path }),
  })
  .meta({ id: 'User' });

const tag = z.strictObject({ id, display_name: z.string() }).meta({ id: 'Tag' });

const permission = z.enum(PERMISSIONS).meta({ id: 'Permission' });

const role = z
  .strictObject({
    id,
    display_name: z.string(),
    created_on: instant,
    modified_on: instant,
    permissions: z.array(permission),
    deletable: z.boolean(),
    lti: z.boolean(),
    links: z.strictObject({ self: path }),
  })
  .meta({ id: 'Role' });

const membership = z
  .strictObject({
    id,
    group: reference.nullable(),
    user: reference.nullable(),
    collection: reference,
    role: reference,
    created_on: instant,
    modified_on: instant,
    links: z.strictObject({ self: path }),
  })
  .meta({ id: 'Membership' });

/** A page of a list. */
const listOf = <T extends z.ZodType>(item: T, links: z.ZodRawShape = {}) =>
  z.strictObject({
    items: z.array(item),
    links: z.strictObject({ self: path, prev: path.nullable(), next: path.nullable(), ...links }),
  });

/** A list that is divided into pages only when the query asks for it: the whole list has no links to others. */
const listOnDemandOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    links: z.strictObject({ self: path, prev: path.nullable().optional(), next: path.nullable().optional() }),
  });

/** A list that is never divided into pages. */
const wholeListOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), links: z.strictObject({ self: path }) });

/** The bodies of successful answers, by name. */
export const ANSWERS = {
  collection,
  collections: listOf(collection),
  tree: z.strictObject({ root: treeNode }),
  podcast: z.strictObject(recordOf(PODCAST_FIELDS, () => z.string().nullable())).meta({ id: 'PodcastDetails' }),
  media,
  mediaList: listOf(media, { count: path }),
  count: z.strictObject({ count: z.int().min(0) }).meta({ id: 'Count' }),
  embedCode,
  embedTemplate: z.strictObject({ html: z.string() }),
  file: mediaFile,
  createdFile: z.strictObject({ ...fileFields, upload: descriptor.optional() }).meta({ id: 'CreatedMediaFile' }),
  files: wholeListOf(mediaFile),
  content: z.strictObject({ location: z.string().meta({ format: 'uri' }) }),
  thumbs: wholeListOf(thumb),
  createdThumb: z.strictObject({ upload: descriptor }),
  user,
  users: listOnDemandOf(user),
  group,
  groups: listOnDemandOf(group),
  tag,
  tags: listOnDemandOf(tag),
  role,
  roles: listOnDemandOf(role),
  membership,
  memberships: listOf(membership),
  calculatedRoles: listOf(
    z.strictObject({ collection: reference, roles: z.array(reference), permissions: z.array(permission) }),
  ),
  token: z.strictObject({
    token_type: z.literal('Bearer'),
    access_token: z.string(),
    expires_in: z.int(),
    refresh_token: z.string().optional(),
    scope: z.string(),
  }),
  tokenInfo: z.strictObject({ audience: z.string(), user_id: id, scope: z.string(), expires_in: z.int() }),
} as const satisfies Record<string, z.ZodType>;

export type AnswerName = keyof typeof ANSWERS;

/** The body of most refusals. `errors` names the fields of a 422, and `quota` the quota that it would exceed. */
export const REFUSAL = z
  .strictObject({
    message: z.string(),
    errors: z.array(z.strictObject({ field: z.string(), message: z.string() })).optional(),
    quota: z
      .strictObject({
        scope: z.enum(['collection', 'user', 'site']),
        collection: z.strictObject({ id: z.string(), display_name: z.string() }).nullable(),
        limit_bytes: z.int(),
        used_bytes: z.int(),
        needed_bytes: z.int(),
        largest: z.array(
          z.strictObject({ kind: z.enum(['collection', 'media']), id: z.string(), name: z.string(), bytes: z.int() }),
        ),
      })
      .optional(),
  })
  .meta({ id: 'Refusal' });

/** The body of a refusal of the token endpoint. */
export const TOKEN_REFUSAL = z
  .strictObject({ error: z.string(), error_description: z.string().optional() })
  .meta({ id: 'TokenRefusal' });
