import { z } from 'zod';
import { appErrorSchema } from '../app-error.ts';
import { subjectSchema } from './access.ts';

const id = z.string().min(1);
/** What the table is: its path, or a name that stays when the file moves. */
const source = z.string().min(1).max(1000);

/** A membership that an earlier import of the same source created. */
export const madeMembershipSchema = z.object({ collectionId: id, subject: subjectSchema, roleId: id });

const namedSchema = madeMembershipSchema.extend({
  subjectName: z.string(),
  /** The names of the collections above it and its own, from the top. */
  path: z.array(z.string()),
  roleName: z.string(),
});

/** What a table of memberships changes, see `planMembersImport`. */
const planSchema = z.object({
  set: z.array(
    namedSchema.extend({ line: z.number(), membershipId: z.string().nullable(), before: z.string().nullable() }),
  ),
  unchanged: z.number(),
  skipped: z.array(z.object({ line: z.number(), reason: z.string() })),
  missing: z.array(
    namedSchema.extend({ membershipId: z.string(), reason: z.enum(['other-role', 'skipped-rows']).nullable() }),
  ),
});

const changeSchema = z.discriminatedUnion('kind', [
  /** `membershipId`: the present membership, which gets this role; null: a new one. */
  madeMembershipSchema.extend({ kind: z.literal('set'), membershipId: id.nullable() }),
  /** `roleId`: the role that the plan named. */
  madeMembershipSchema.extend({ kind: z.literal('remove'), membershipId: id }),
]);
export type MembersChange = z.output<typeof changeSchema>;

/** The most changes of one call: the caller can stop between two calls. */
export const MAX_MEMBERS_CHANGES = 100;

/** The calls that read and write memberships as tables. */
export const MEMBERS_IMPORT_CALLS = {
  /** Returns all memberships as a table, with its header. */
  'admin.membersTable': {
    input: z.object({ siteId: id }),
    output: z.object({ rows: z.array(z.array(z.string())) }),
  },
  /**
   * Compares a table with the memberships that the library has now. Changes nothing. Returns null for a table without the necessary
   * columns. `rows`: with the header.
   */
  'admin.planMembers': {
    input: z.object({
      siteId: id,
      source,
      rows: z
        .array(z.object({ row: z.number(), line: z.number().nullable(), cells: z.array(z.string()) }))
        .max(100_001),
    }),
    output: z.object({ plan: planSchema.nullable() }),
  },
  /**
   * Makes changes of a plan in their order and remembers for the source which memberships they created. `failed`: by their index. After
   * an error that concerns all of them, the others fail with the same one, without a request.
   */
  'admin.applyMembers': {
    input: z.object({ siteId: id, source, changes: z.array(changeSchema).min(1).max(MAX_MEMBERS_CHANGES) }),
    output: z.object({ failed: z.array(z.object({ index: z.number(), error: appErrorSchema })) }),
  },
} as const;
