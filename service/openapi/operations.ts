import { z } from 'zod';
import { MOVE_BODY } from '../resources/collections/collection-move.ts';
import { COLLECTION_BODIES } from '../resources/collections/collection-write.ts';
import { FILE_BODIES } from '../resources/files/file-create.ts';
import { GROUP_BODIES } from '../resources/groups/groups.ts';
import { publishBody } from '../resources/media/media-publish.ts';
import { tagsBody } from '../resources/media/media-tags.ts';
import { MEDIA_BODIES } from '../resources/media/media-write.ts';
import { MEMBERSHIP_BODIES } from '../resources/memberships/memberships.ts';
import { PODCAST_BODIES } from '../resources/podcasts/podcast-details.ts';
import { ROLE_BODIES } from '../resources/roles/roles.ts';
import { named } from '../resources/tags/tags.ts';
import { THUMB_BODIES } from '../resources/thumbnails/thumbs.ts';
import { USER_BODIES } from '../resources/users/user-write.ts';
import type { AnswerName } from './answers.ts';
import type { ParametersName } from './parameters.ts';

/** What the document says about one endpoint. */
export interface Operation {
  id: string;
  summary: string;
  query?: ParametersName;
  /** The JSON body. Unknown members are ignored. */
  body?: z.ZodType;
  /** The statuses of success with the names of their bodies; null: no body. */
  answers: Readonly<Record<number, AnswerName | null>>;
  /** Who may use it, beyond a valid access token. */
  access: string;
}

const read = (id: string, summary: string, answer: AnswerName, access: string, query?: ParametersName): Operation => ({
  id,
  summary,
  access,
  answers: { 200: answer },
  ...(query === undefined ? {} : { query }),
});
const create = (id: string, summary: string, answer: AnswerName, access: string, body: z.ZodType): Operation => ({
  id,
  summary,
  access,
  body,
  answers: { 201: answer },
});
const change = (id: string, summary: string, answer: AnswerName, access: string, body?: z.ZodType): Operation => ({
  id,
  summary,
  access,
  answers: { 200: answer },
  ...(body === undefined ? {} : { body }),
});
const remove = (id: string, summary: string, access: string): Operation => ({
  id,
  summary,
  access,
  answers: { 204: null },
});

const ADMIN = 'Administrators only.';
const READABLE = 'What the caller may not read does not exist.';
const needs = (...permissions: string[]) => `Needs ${permissions.join(' and ')}.`;
const OWN_MEDIA = 'or media-create for own items, for 3 hours at most and until they are published';

/** Every endpoint of the API that this service has, by method and path in the form of its routes. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  'GET /api2/collections': read('listCollections', 'Collections, flat', 'collections', READABLE, 'collections'),
  'GET /api2/collections/tree': read('getCollectionTree', 'The collections as a tree', 'tree', READABLE, 'tree'),
  'GET /api2/collections/:id': read('getCollection', 'One collection', 'collection', READABLE, 'collection'),
  'POST /api2/collections': create(
    'createCollection',
    'Create a collection',
    'collection',
    needs('collection-create in the parent'),
    COLLECTION_BODIES.creation,
  ),
  'POST /api2/collections/:id': change(
    'updateCollection',
    'Change a collection; only the given fields',
    'collection',
    needs('collection-update'),
    COLLECTION_BODIES.update,
  ),
  'POST /api2/collections/:id/reslugify': change(
    'reslugifyCollection',
    'Make the slug from the name again',
    'collection',
    needs('collection-update'),
  ),
  'POST /api2/collections/:id/move': change(
    'moveCollection',
    'Move a collection in the tree',
    'collection',

    needs(
      'collection-move here and in the old parent',
      'collection-delete there',
      'collection-create in the new parent',
    ),
    MOVE_BODY,
  ),
  'DELETE /api2/collections/:id': remove(
    'deleteCollection',
    'Delete an empty collection with those below it',
    needs('collection-delete in each'),
  ),
  'GET /api2/collections/:id/podcast-details': read('getPodcastDetails', 'Details of a podcast', 'podcast', READABLE),
  'POST /api2/collections/:id/podcast-details': change(
    'updatePodcastDetails',
    'Change details of a podcast',
    'podcast',
    needs('collection-update'),
    PODCAST_BODIES.update,
  ),
  'GET /api2/media': read('listMedia', 'Media items', 'mediaList', READABLE, 'mediaList'),
  'GET /api2/media/count': read('countMedia', 'The number of media items', 'count', READABLE, 'mediaCount'),
  'GET /api2/media/:id': read('getMedia', 'One media item', 'media', READABLE, 'media'),
  'GET /api2/media/:id/view': {
    id: 'viewMedia',
    summary: 'To the page of an item',
    access: 'No access token.',
    answers: { 302: null },
  },
  'GET /api2/media/:id/embed': {
    id: 'embedMedia',
    summary: 'To the player of an item',
    access: 'No access token.',
    answers: { 302: null },
  },
  'GET /api2/media/embed-template': read(
    'getEmbedTemplate',
    'Template of embed codes',
    'embedTemplate',
    'No access token.',
  ),
  'GET /api2/media/:id/embedcode': read('getEmbedCode', 'Embed code of an item', 'embedCode', READABLE, 'embedCode'),
  'POST /api2/media': create(
    'createMedia',
    'Create a media item',
    'media',
    needs('media-create'),
    MEDIA_BODIES.creation,
  ),
  'POST /api2/media/:id': change(
    'updateMedia',
    'Change a media item; only the given fields',
    'media',
    needs(`media-update ${OWN_MEDIA}`),
    MEDIA_BODIES.update,
  ),
  'POST /api2/media/:id/publish': change(
    'publishMedia',
    'Publish now or at a time',
    'media',
    needs('media-publish'),
    publishBody,
  ),
  'POST /api2/media/:id/unpublish': change('unpublishMedia', 'Make a draft', 'media', needs('media-publish')),
  'POST /api2/media/:id/add-tags': change('addTags', 'Add tags', 'media', needs(`media-update ${OWN_MEDIA}`), tagsBody),
  'POST /api2/media/:id/remove-tags': change(
    'removeTags',
    'Remove tags',
    'media',
    needs(`media-update ${OWN_MEDIA}`),
    tagsBody,
  ),
  'DELETE /api2/media/:id': remove('deleteMedia', 'Delete a media item', needs(`media-delete ${OWN_MEDIA}`)),
  'GET /api2/media/:media_id/files': read('listFiles', 'Files of an item', 'files', READABLE, 'files'),
  'GET /api2/media/:media_id/files/:file_id': read('getFile', 'One file with its encodings', 'file', READABLE),
  'GET /api2/media/:media_id/files/:file_id/content': {
    id: 'getContent',
    summary: 'To the bytes of a file, at a signed address',
    query: 'content',
    access: READABLE,
    answers: { 200: 'content', 302: null },
  },
  'POST /api2/media/:media_id/files': create(
    'createFile',
    'Create a file and get its upload address',
    'createdFile',
    needs(`media-update ${OWN_MEDIA}`),
    FILE_BODIES.creation,
  ),
  'DELETE /api2/media/:media_id/files/:file_id': remove(
    'deleteFile',
    'Delete a file with its encodings',
    needs(`media-delete ${OWN_MEDIA}`),
  ),
  ...thumbnails('media', 'Media', needs(`media-update ${OWN_MEDIA}`)),
  ...thumbnails('collections', 'Collection', needs('collection-update')),
  ...thumbnails('users', 'User', 'The user, and administrators.'),
  'GET /api2/users': read('listUsers', 'Users', 'users', ADMIN, 'users'),
  'GET /api2/users/:id': read('getUser', 'One user', 'user', ADMIN, 'user'),
  'POST /api2/users': create('createUser', 'Create a user', 'user', ADMIN, USER_BODIES.creation),
  'POST /api2/users/:id': change('updateUser', 'Change a user', 'user', ADMIN, USER_BODIES.update),
  'POST /api2/users/:id/add-groups': change('addGroups', 'Add a user to groups', 'user', ADMIN, USER_BODIES.groupIds),
  'POST /api2/users/:id/remove-groups': change(
    'removeGroups',
    'Remove a user from groups',
    'user',
    ADMIN,
    USER_BODIES.groupIds,
  ),
  'DELETE /api2/users/bulk-delete': {
    ...remove('bulkDeleteUsers', 'Delete all users that match, never the caller', ADMIN),
    query: 'bulkDeletion',
  },
  'DELETE /api2/users/:id': remove('deleteUser', 'Delete a user', ADMIN),
  'GET /api2/groups': read('listGroups', 'Groups', 'groups', ADMIN, 'groups'),
  'GET /api2/groups/:id': read('getGroup', 'One group; also by public and registered-users', 'group', ADMIN),
  'POST /api2/groups': create('createGroup', 'Create a group', 'group', ADMIN, GROUP_BODIES.creation),
  'POST /api2/groups/:id': change('updateGroup', 'Rename a group', 'group', ADMIN, GROUP_BODIES.update),
  'POST /api2/groups/:id/add-users': change('addUsers', 'Add users to a group', 'group', ADMIN, GROUP_BODIES.userIds),
  'POST /api2/groups/:id/remove-users': change(
    'removeUsers',
    'Remove users from a group',
    'group',
    ADMIN,
    GROUP_BODIES.userIds,
  ),
  'DELETE /api2/groups/:id': remove('deleteGroup', 'Delete a group', ADMIN),
  'GET /api2/tags': read('listTags', 'Tags', 'tags', ADMIN, 'tags'),
  'GET /api2/tags/:id': read('getTag', 'One tag', 'tag', ADMIN),
  'POST /api2/tags': create('createTag', 'Create a tag', 'tag', ADMIN, named),
  'POST /api2/tags/:id': change('updateTag', 'Rename a tag on all items', 'tag', ADMIN, named),
  'DELETE /api2/tags/:ids': remove('deleteTags', 'Delete tags, from all items', ADMIN),
  'GET /api2/roles': read('listRoles', 'Roles', 'roles', ADMIN, 'roles'),
  'GET /api2/roles/count': read('countRoles', 'The number of roles', 'count', ADMIN, 'roleCount'),
  'GET /api2/roles/:id': read('getRole', 'One role', 'role', ADMIN),
  'POST /api2/roles': change('createRole', 'Create a role', 'role', ADMIN, ROLE_BODIES.creation),
  'POST /api2/roles/:id': change('updateRole', 'Change a role', 'role', ADMIN, ROLE_BODIES.update),
  'POST /api2/roles/:id/add-permissions': change(
    'addPermissions',
    'Add permissions',
    'role',
    ADMIN,
    ROLE_BODIES.change,
  ),
  'POST /api2/roles/:id/remove-permissions': change(
    'removePermissions',
    'Remove permissions',
    'role',
    ADMIN,
    ROLE_BODIES.change,
  ),
  'DELETE /api2/roles/:id': remove('deleteRole', 'Delete a role', ADMIN),
  'GET /api2/memberships': read('listMemberships', 'Memberships', 'memberships', READABLE, 'memberships'),
  'GET /api2/memberships/calculate-roles-perms': read(
    'calculateRoles',
    'Roles and permissions of one user or group',
    'calculatedRoles',
    READABLE,
    'calculatedRoles',
  ),
  'GET /api2/memberships/:id': read('getMembership', 'One membership', 'membership', READABLE),
  'POST /api2/memberships': create(
    'createMembership',
    'Give a role in a collection',
    'membership',
    needs('collection-share'),
    MEMBERSHIP_BODIES.creation,
  ),
  'POST /api2/memberships/:id': change(
    'updateMembership',
    'Change a role in a collection',
    'membership',
    needs('collection-share'),
    MEMBERSHIP_BODIES.update,
  ),
  'DELETE /api2/memberships/:id': remove('deleteMembership', 'Take a role in a collection', needs('collection-share')),
  'POST /api2/oauth/access_token': change(
    'getToken',
    'Tokens for a code, or for a refresh token',
    'token',
    'No access token.',
    z.object({
      grant_type: z.enum(['authorization_code', 'refresh_token']),
      client_id: z.string(),
      code: z.string().optional(),
      redirect_uri: z.string().optional(),
      code_verifier: z.string().optional(),
      refresh_token: z.string().optional(),
    }),
  ),
  'GET /api2/oauth/tokeninfo': read('getTokenInfo', 'What an access token is', 'tokenInfo', 'The access token itself.'),
};

function thumbnails(resource: string, name: string, access: string): Record<string, Operation> {
  return {
    [`GET /api2/${resource}/:id/thumbs`]: read(`list${name}Thumbs`, 'Thumbnails, the newest first', 'thumbs', READABLE),
    [`POST /api2/${resource}/:id/thumbs`]: change(
      `create${name}Thumb`,
      'Get an upload address for a thumbnail',
      'createdThumb',
      access,
      THUMB_BODIES.creation,
    ),
  };
}
