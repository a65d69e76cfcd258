import { z } from 'zod';
import { PERMISSIONS } from '../../api/permissions.ts';

const id = z.string().min(1);

/** A user or a group that has a role. */
export const subjectSchema = z.object({ kind: z.enum(['user', 'group']), id });
export type AccessSubject = z.output<typeof subjectSchema>;

export const roleRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** As the library returns them: a newer library may have others than this program knows. */
  permissions: z.array(z.string()),
  deletable: z.boolean(),
  lti: z.boolean(),
  /** The number of memberships with this role. */
  memberships: z.number(),
});
export type RoleRow = z.output<typeof roleRowSchema>;

/** A membership with the names that the directory knows; empty names are unknown. */
export const membershipRowSchema = z.object({
  id: z.string(),
  subject: subjectSchema,
  subjectName: z.string(),
  collectionId: z.string(),
  collectionName: z.string(),
  /** The names of the collections above it and its own, from the top. */
  path: z.array(z.string()),
  roleId: z.string(),
  roleName: z.string(),
});
export type MembershipRow = z.output<typeof membershipRowSchema>;

/** One way in which a subject gets permissions in a collection. */
export const waySchema = z.object({
  kind: z.enum(['administrator', 'membership']),
  /** null for an administrator, who needs no membership. */
  membershipId: z.string().nullable(),
  /** The group that has the role; null: the subject has it directly. */
  group: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The collection of the membership, and how many levels above the asked one it is (0: the asked one). */
  collection: z.object({ id: z.string(), name: z.string(), levels: z.number() }).nullable(),
  role: z.object({ id: z.string(), name: z.string() }).nullable(),
  permissions: z.array(z.string()),
});
export type Way = z.output<typeof waySchema>;

export const explanationSchema = z.object({
  subject: subjectSchema,
  subjectName: z.string(),
  places: z.array(
    z.object({
      collectionId: z.string(),
      path: z.array(z.string()),
      ways: z.array(waySchema),
      /** The permissions of all ways together, in the order of the API's table. */
      permissions: z.array(z.string()),
      /** The library's own calculation; null: it has none. */
      service: z.array(z.string()).nullable(),
      /** Whether the library's own calculation has other permissions. */
      differs: z.boolean(),
    }),
  ),
});
export type Explanation = z.output<typeof explanationSchema>;

/** One way in which a user gets permissions in a collection, as a report names it. */
const reportWaySchema = z.object({
  role: z.object({ id: z.string(), name: z.string() }),
  /** null: the user has the role directly. */
  group: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The collection above in which the role is given; null: the role is given in the collection itself. */
  inheritedFrom: z.object({ id: z.string(), path: z.array(z.string()) }).nullable(),
});
export type ReportWay = z.output<typeof reportWaySchema>;

/** A collection in which a user has at least one permission. */
const reportPlaceSchema = z.object({
  collectionId: z.string(),
  path: z.array(z.string()),
  /** In the order of the API's table. */
  permissions: z.array(z.string()),
  /** Only ways that give at least one permission. */
  ways: z.array(reportWaySchema),
});
export type ReportPlace = z.output<typeof reportPlaceSchema>;

/** A user with all places; those of an administrator, who may do everything in every collection, are not listed. */
export const reportPersonSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  isAdmin: z.boolean(),
  places: z.array(reportPlaceSchema),
});
export type ReportPerson = z.output<typeof reportPersonSchema>;

/** A planned change of who may do what. */
export const accessChangeSchema = z.discriminatedUnion('kind', [
  /** Gives the subject this role in the collection, instead of an earlier one there: that of `membershipId`, if the user saw one. */
  z.object({
    kind: z.literal('set'),
    collectionId: id,
    subject: subjectSchema,
    roleId: id,
    membershipId: id.optional(),
  }),
  /** `roleId`: the role that the user saw. */
  z.object({ kind: z.literal('remove'), membershipId: id, roleId: id }),
  /** `keeps`: before inheritance ends, those with an inherited role get it directly. */
  z.object({ kind: z.literal('inherit'), collectionId: id, inherits: z.boolean(), keeps: z.boolean() }),
  z.object({ kind: z.literal('role'), roleId: id, permissions: z.array(z.string()).max(1000) }),
]);
export type AccessChange = z.output<typeof accessChangeSchema>;

/** What a planned change means for people: how many gain and lose each permission somewhere, with the first of their names. */
export const accessEffectsSchema = z.object({
  /** The number of users whose permissions change somewhere. */
  people: z.number(),
  effects: z.array(
    z.object({
      permission: z.enum(PERMISSIONS),
      gain: z.number(),
      lose: z.number(),
      gainNames: z.array(z.string()),
      loseNames: z.array(z.string()),
    }),
  ),
  /** Whether visitors without an account gain or lose something. */
  isPublic: z.boolean(),
});
export type AccessEffects = z.output<typeof accessEffectsSchema>;
