import { z } from 'zod';
import { MAX_ADMIN_LINE, MAX_ADMIN_SEARCH } from '../../model/access/admin-limits.ts';
import { PEOPLE_FACETS, PEOPLE_SORTS } from '../../model/access/people-lists.ts';

const id = z.string().min(1);
const line = z.string().max(MAX_ADMIN_LINE);

/** A user of a library, as administrators see one. */
export const personSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** The identity for sign-on integrations: `basic:` and the e-mail address for users with a password. */
  uniqueId: z.string(),
  isAdmin: z.boolean(),
  /** ISO-8601 UTC. */
  createdOn: z.string().nullable(),
  /** ISO-8601 UTC; null: never signed in. */
  lastLoginOn: z.string().nullable(),
  /** The groups that administrators created; the two built-in groups contain everybody. */
  groupIds: z.array(z.string()),
});
export type Person = z.output<typeof personSchema>;

export const peopleQuerySchema = z.object({
  siteId: id,
  /** Words that the name, the e-mail address or the unique id contain; or the whole id. */
  text: z.string().max(MAX_ADMIN_SEARCH).default(''),
  facet: z.enum(PEOPLE_FACETS).default('all'),
  /** Only the members of this group. */
  groupId: z.string().nullable().default(null),
  /** Only users whose last sign-in was before this instant (ISO-8601), or who never signed in. */
  lastLoginBefore: z.string().nullable().default(null),
  sort: z.enum(PEOPLE_SORTS).default('name'),
  descending: z.boolean().default(false),
});
export type PeopleQuery = z.output<typeof peopleQuerySchema>;

/** A filter of the library's own list of users. At least one part is given. */
export const peopleFilterSchema = z
  .strictObject({
    isAdmin: z.boolean().optional(),
    /** Exact match, as the names. */
    email: line.min(1).optional(),
    firstName: line.min(1).optional(),
    lastName: line.min(1).optional(),
    /** `%` stands for any text. */
    uniqueId: line.min(1).optional(),
    groupId: id.optional(),
    /** ISO-8601. */
    lastLoginBefore: z.string().optional(),
    lastLoginAfter: z.string().optional(),
  })
  .refine((filter) => Object.values(filter).some((value) => value !== undefined));
export type PeopleFilter = z.output<typeof peopleFilterSchema>;

export const newPersonSchema = z.object({
  siteId: id,
  email: line,
  firstName: line,
  lastName: line,
  isAdmin: z.boolean(),
  /** The library uses `basic:` and the e-mail address by default. */
  uniqueId: line.optional(),
  /** Sent to the library, never stored. */
  password: z.string().max(1000).optional(),
});

export const personPatchSchema = z.object({
  siteId: id,
  userId: id,
  isAdmin: z.boolean().optional(),
  uniqueId: line.optional(),
});

/** A group of users. */
export const groupRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Every visitor, or every user, belongs to a built-in group. */
  builtIn: z.enum(['public', 'registered-users']).nullable(),
  /** The number of its users; of a built-in group, of all users. */
  people: z.number(),
  /** The number of collections in which it has a role. */
  memberships: z.number(),
});
export type GroupRow = z.output<typeof groupRowSchema>;

export const tagRowSchema = z.object({ id: z.string(), name: z.string() });
export type TagRow = z.output<typeof tagRowSchema>;
