import { z } from 'zod';
import { PERMISSIONS } from '../../api/permissions.ts';
import {
  MAX_ADMIN_IDS,
  MAX_ADMIN_LINE,
  MAX_ADMIN_ROWS,
  MAX_ADMIN_SEARCH,
  MAX_COUNTED_TAGS,
  MAX_LOG_ENTRIES,
  MAX_MERGED_TAGS,
  MAX_REPORT_USERS,
  MAX_TAG_NAME,
  MAX_WHO,
} from '../../model/access/admin-limits.ts';
import { appErrorSchema } from '../app-error.ts';
import { pictureSchema } from '../file-calls.ts';
import {
  accessChangeSchema,
  accessEffectsSchema,
  explanationSchema,
  membershipRowSchema,
  reportPersonSchema,
  roleRowSchema,
  subjectSchema,
  waySchema,
} from './access.ts';
import { ADMIN_JOB_CALLS } from './admin-jobs.ts';
import { GROUPS_IMPORT_CALLS } from './groups-import.ts';
import { MEMBERS_IMPORT_CALLS } from './members-import.ts';
import {
  groupRowSchema,
  newPersonSchema,
  peopleFilterSchema,
  peopleQuerySchema,
  personPatchSchema,
  personSchema,
  tagRowSchema,
} from './people.ts';
import { PEOPLE_IMPORT_CALLS } from './people-import.ts';
import { ROLES_IMPORT_CALLS } from './roles-import.ts';

const nothing = z.null();
const id = z.string().min(1);
const siteRef = z.object({ siteId: id });
const ids = z.array(id).min(1).max(MAX_ADMIN_IDS);
/** `seen`: the text of the preview that was confirmed. */
const deleted = z
  .array(z.object({ id, seen: z.string() }))
  .min(1)
  .max(MAX_ADMIN_IDS);
const name = z.string().max(MAX_ADMIN_LINE);
const windowOf = { offset: z.number().int().min(0), limit: z.number().int().min(1).max(MAX_ADMIN_ROWS) };

/** The copy of a library's users, groups, roles and memberships in memory. */
const directorySchema = z.object({
  people: z.number(),
  groups: z.number(),
  roles: z.number(),
  /** Entries that could not be read: lists and explanations lack them. */
  skipped: z.number(),
});
export type DirectoryFacts = z.output<typeof directorySchema>;

/** The outcome of a change to several users, groups or tags; each of them is in `done` or in `failed`. */
const outcomeSchema = z.object({
  done: z.array(z.string()),
  failed: z.array(z.object({ id: z.string(), name: z.string(), error: appErrorSchema })),
});
export type AdminOutcome = z.output<typeof outcomeSchema>;

/** The outcome of a merge of tags. */
const tagMergeSchema = z.object({
  /** The number of items with the kept tag in place of others. */
  changed: z.number(),
  /** The items that keep one of the other tags. */
  failed: outcomeSchema.shape.failed,
  /** The ids of the tags that are deleted now. */
  deleted: z.array(z.string()),
  /** The tags that stay beside the kept one. */
  left: outcomeSchema.shape.failed,
});
export type TagMergeOutcome = z.output<typeof tagMergeSchema>;

/** One administrative change in the log of this computer. */
export const logEntrySchema = z.object({
  /** ISO-8601 UTC. */
  at: z.string(),
  /** The call without its prefix, such as `deletePeople`. */
  action: z.string(),
  targetId: z.string(),
  /** The name at that time. */
  targetName: z.string(),
  before: z.string(),
  after: z.string(),
  /** `done`, or the code of the error. */
  outcome: z.string(),
});
export type AdminLogEntry = z.output<typeof logEntrySchema>;

/**
 * The calls of administrators. They read users, groups, roles, collections and memberships once into memory, and again after
 * ten minutes. On disk are only the log of changes, the tables of what was deleted, and the memberships that imports gave
 * (`imports-<site>.jsonl`). A library answers other accounts with an error: `admin.only`.
 */
export const ADMIN_CALLS = {
  ...MEMBERS_IMPORT_CALLS,
  ...ADMIN_JOB_CALLS,
  ...PEOPLE_IMPORT_CALLS,
  ...GROUPS_IMPORT_CALLS,
  ...ROLES_IMPORT_CALLS,

  /** Reads the directory unless it was read within the last ten minutes. `isFresh`: reads it now. */
  'admin.read': { input: siteRef.extend({ isFresh: z.boolean().optional() }), output: directorySchema },

  'admin.people': {
    input: z.object({ query: peopleQuerySchema, ...windowOf }),
    output: z.object({ total: z.number(), rows: z.array(personSchema) }),
  },
  /** The ids of the whole list in its order. */
  'admin.peopleIds': { input: z.object({ query: peopleQuerySchema }), output: z.object({ ids: z.array(z.string()) }) },
  /** Reads one user again. Throws `api.not-found`. */
  'admin.person': {
    input: siteRef.extend({ userId: id }),
    output: z.object({
      person: personSchema,
      groups: z.array(groupRowSchema),
      memberships: z.array(membershipRowSchema),
    }),
  },
  'admin.createPerson': { input: newPersonSchema, output: personSchema },
  /** Throws `admin.own-account` when an administrator would remove the own admin flag. */
  'admin.changePerson': { input: personPatchSchema, output: personSchema },
  /**
   * Sets the picture of a user: a PNG or JPEG of this computer, or its bytes. The API can replace it later, but not remove it. Throws the
   * errors of `files.checkPicture`, and those of sending a file.
   */
  'admin.setPicture': { input: siteRef.extend({ userId: id, picture: pictureSchema }), output: nothing },
  /** How many of these users belong to each group. */
  'admin.groupsOf': {
    input: siteRef.extend({ userIds: ids }),
    output: z.array(z.object({ groupId: z.string(), count: z.number() })),
  },
  /**
   * Adds users to groups and removes them from groups. Users that already are in the wanted state cost no request. `skipped`: the ids in
   * `done` for whom there was nothing to change.
   */
  'admin.changeGroups': {
    input: siteRef.extend({ userIds: ids, add: z.array(id).max(1000), remove: z.array(id).max(1000) }),
    output: outcomeSchema.extend({ skipped: z.array(z.string()) }),
  },
  /** What a deletion of users would remove. `refused`: users that can't be deleted, such as the asking one. */
  'admin.deletionOfPeople': {
    input: siteRef.extend({ userIds: ids }),
    output: z.object({
      people: z.array(personSchema),
      memberships: z.array(membershipRowSchema),
      refused: z.array(z.object({ id: z.string(), name: z.string(), error: appErrorSchema })),
    }),
  },
  /**
   * Deletes users one by one, never more than these. Before, it writes a table of them with their groups and roles to `savedAs`, in
   * the profile. The asking user and the last administrator are among `failed`; users that do not exist count as done.
   */
  'admin.deletePeople': {
    input: siteRef.extend({ userIds: ids }),
    output: outcomeSchema.extend({ savedAs: z.string() }),
  },

  /**
   * The users that the library lists for a filter, without the asking one. Throws `admin.filter-everybody` and `admin.filter-ignored`: a
   * library that does not know a filter may ignore it; and `admin.list-unreadable` when it sent entries that can't be read.
   */
  'admin.filteredPeople': {
    input: siteRef.extend({ filter: peopleFilterSchema }),
    output: z.object({ ids: z.array(z.string()) }),
  },
  /**
   * Deletes all users of a filter in one request; for the command line only. Throws `admin.list-changed` when the library lists others
   * for it than `userIds`, and the errors of `admin.filteredPeople`. Writes a table before, as `admin.deletePeople`. When the users can't be
   * read afterwards, all are in `failed` with `admin.outcome-unknown`. `others`: users that are gone as well, because somebody else
   * deleted them or because they came to the filter in the last moment.
   */
  'admin.bulkDeletePeople': {
    input: siteRef.extend({ filter: peopleFilterSchema, userIds: ids }),
    output: outcomeSchema.extend({
      savedAs: z.string(),
      others: z.array(z.object({ id: z.string(), name: z.string() })),
    }),
  },

  'admin.groups': { input: siteRef, output: z.array(groupRowSchema) },
  'admin.createGroup': { input: siteRef.extend({ name }), output: groupRowSchema },
  'admin.renameGroup': { input: siteRef.extend({ groupId: id, name }), output: groupRowSchema },
  /** What a deletion of groups removes, read from the library now. Throws `admin.built-in-group` and `api.not-found`. */
  'admin.deletionOfGroups': {
    input: siteRef.extend({ groupIds: ids }),
    output: z.array(groupRowSchema.extend({ seen: z.string() })),
  },
  /**
   * Deletes groups one by one. A group of which the deletion would remove something else than `seen` stays: `admin.deletion-changed`.
   * Groups that do not exist count as done.
   */
  'admin.deleteGroups': { input: siteRef.extend({ groups: deleted }), output: outcomeSchema },

  'admin.tags': { input: siteRef, output: z.array(tagRowSchema) },
  /** The number of items with each of these tags, as the library counts them. */
  'admin.tagUse': {
    input: siteRef.extend({ names: z.array(z.string().max(MAX_TAG_NAME)).max(MAX_COUNTED_TAGS) }),
    output: z.array(z.object({ name: z.string(), items: z.number() })),
  },
  /** Throws `admin.tag-exists` for a name that another tag has in any letter case; so does a renaming. */
  'admin.createTag': { input: siteRef.extend({ name }), output: tagRowSchema },
  'admin.renameTag': { input: siteRef.extend({ tagId: id, name }), output: tagRowSchema },
  /** What a deletion of tags removes, read from the library now. `null`: a tag that does not exist any more. */
  'admin.deletionOfTags': {
    input: siteRef.extend({ tagIds: z.array(id).min(1).max(MAX_COUNTED_TAGS) }),
    output: z.array(tagRowSchema.extend({ items: z.number().nullable(), seen: z.string() }).nullable()),
  },
  /** Deletes tags one by one, with the rules of `admin.deleteGroups`. */
  'admin.deleteTags': { input: siteRef.extend({ tags: deleted }), output: outcomeSchema },
  /**
   * Gives the tag `keptId` to all items with one of the other tags in place of that one, then deletes the tags that no item has any more.
   * Items keep all their other tags, also those that they get meanwhile. Whatever fails or stops it, the same call completes it. The event
   * `onDidProgressTagMerge` reports the items. Throws `admin.only`, and `api.not-found` without the kept tag. `left` has
   * `admin.tag-in-use` for a tag that items in `failed` keep, and `admin.stopped`.
   */
  'admin.mergeTags': {
    input: siteRef.extend({ keptId: id, tagIds: z.array(id).min(1).max(MAX_MERGED_TAGS) }),
    output: tagMergeSchema,
  },

  'admin.roles': { input: siteRef, output: z.array(roleRowSchema) },
  /** The number of roles with all of these permissions, as the library counts them. */
  'admin.countRoles': {
    input: siteRef.extend({ permissions: z.array(z.enum(PERMISSIONS)) }),
    output: z.object({ count: z.number() }),
  },
  /** Sends the permissions with all that they depend on. Throws `admin.role-differs` when the library saved others. */
  'admin.createRole': {
    input: siteRef.extend({ name, permissions: z.array(z.enum(PERMISSIONS)) }),
    output: roleRowSchema,
  },
  /**
   * Changes the name and the permissions of a role: sends only what differs from the role as the library has it now, reads it
   * back and compares. `seen`: the permissions that the user saw. Throws `admin.role-changed` when another administrator
   * changed them since, and `admin.role-differs`.
   */
  'admin.changeRole': {
    input: siteRef.extend({
      roleId: id,
      name: name.optional(),
      seen: z.array(z.string()).max(1000),
      permissions: z.array(z.string()).max(1000),
    }),
    output: roleRowSchema,
  },
  /** What the deletion of a role removes; all is read from the library now. Throws `admin.role-kept` and `api.not-found`. */
  'admin.deletionOfRole': {
    input: siteRef.extend({ roleId: id }),
    output: roleRowSchema.extend({ seen: z.string() }),
  },
  /**
   * Deletes a role with its memberships. Throws `admin.role-kept` for a role that the library does not delete, and
   * `admin.deletion-changed` when the deletion would remove something else than `seen`.
   */
  'admin.deleteRole': { input: siteRef.extend({ roleId: id, seen: z.string() }), output: nothing },

  /** Memberships by any of these filters, by collection path, then by name. */
  'admin.memberships': {
    input: siteRef.extend({
      subject: subjectSchema.nullable().default(null),
      collectionId: z.string().nullable().default(null),
      roleId: z.string().nullable().default(null),
      ...windowOf,
    }),
    output: z.object({ total: z.number(), rows: z.array(membershipRowSchema) }),
  },

  /** The newest entries first. `total`: the number of entries of the log. */
  'admin.log': {
    input: siteRef.extend({
      offset: z.number().int().min(0),
      limit: z.number().int().min(1).max(MAX_LOG_ENTRIES),
    }),
    output: z.object({ total: z.number(), entries: z.array(logEntrySchema) }),
  },

  /** Users and groups that match a text, for a field that completes names. The groups first. */
  'access.subjects': {
    input: siteRef.extend({ text: z.string().max(MAX_ADMIN_SEARCH), limit: z.number().int().min(1).max(100) }),
    /** `detail`: the e-mail address. `isNamesake`: another user or group of the library has the same name. */
    output: z.array(
      z.object({ subject: subjectSchema, name: z.string(), detail: z.string(), isNamesake: z.boolean() }),
    ),
  },
  /** Returns what a planned change means for people. Changes nothing. */
  'access.effects': { input: siteRef.extend({ change: accessChangeSchema }), output: accessEffectsSchema },
  /**
   * Gives a subject a role in a collection, in one request that replaces an earlier role there. Works for accounts that may
   * share the collection, too. `membershipId`: the membership that the user saw; throws `admin.membership-removed` when it does not
   * exist any more.
   */
  'access.set': {
    input: siteRef.extend({ collectionId: id, subject: subjectSchema, roleId: id, membershipId: id.optional() }),
    output: nothing,
  },
  /**
   * Removes a membership. `roleId`: the role that the user saw. Throws `admin.membership-changed` when it is in another collection or
   * has another role now. Does nothing when it does not exist any more.
   */
  'access.remove': {
    input: siteRef.extend({ membershipId: id, collectionId: id, roleId: id }),
    output: nothing,
  },
  /**
   * Switches inheritance on or off. With `keeps`, it first gives all those who have only inherited roles the nearest of them directly,
   * and switches inheritance off at the end: a failure in between takes access from nobody. Throws `admin.unreadable`. `copied`: the number of new memberships.
   */
  'access.inherit': {
    input: siteRef.extend({ collectionId: id, inherits: z.boolean(), keeps: z.boolean() }),
    output: z.object({ copied: z.number() }),
  },
  /**
   * Explains what a user or a group may do, by every way in which they may, beside the library's own calculation. `collectionId`
   * null: in every collection with a membership of its own, or without inheritance.
   */
  'access.explain': {
    input: siteRef.extend({ subject: subjectSchema, collectionId: z.string().nullable() }),
    output: explanationSchema,
  },
  /**
   * Returns the collections that a user or a group sees, in the order of the tree, with the permissions there as bits in the order of
   * the API's table: `was` before and `is` after a planned change, which need not be made. 0: not visible.
   */
  'access.view': {
    input: siteRef.extend({ subject: subjectSchema, change: accessChangeSchema.nullable() }),
    output: z.object({
      /** The number of collections of the library. */
      total: z.number(),
      rows: z.array(
        z.object({ collectionId: z.string(), name: z.string(), depth: z.number(), was: z.number(), is: z.number() }),
      ),
    }),
  },
  /** Returns the users with a permission in a collection, with the ways in which they have it. */
  'access.who': {
    input: siteRef.extend({
      collectionId: id,
      permission: z.enum(PERMISSIONS),
      limit: z.number().int().min(1).max(MAX_WHO),
    }),
    output: z.object({
      total: z.number(),
      isPublic: z.boolean(),
      people: z.array(z.object({ id: z.string(), name: z.string(), email: z.string(), ways: z.array(waySchema) })),
    }),
  },
  /**
   * Returns what these users may do in each collection, in the given order; users that do not exist are left out. A long report asks
   * for its users by their ids in parts: a user that is created or deleted meanwhile neither repeats nor omits another one.
   * `collectionId` null: in all collections.
   */
  'access.report': {
    input: siteRef.extend({ userIds: z.array(id).min(1).max(MAX_REPORT_USERS), collectionId: id.nullable() }),
    output: z.object({ people: z.array(reportPersonSchema) }),
  },
} as const;
