import { z } from 'zod';
import { appErrorSchema } from '../app-error.ts';
import { subjectSchema } from './access.ts';

const id = z.string().min(1);
/** What the table is: its path, or a name that stays when the file moves. */
const source = z.string().min(1).max(1000);

const wantedSchema = z.object({ collectionId: id, subject: subjectSchema, roleId: id });

/** A membership that an earlier import of the same source created. */
export const madeMembershipSchema = wantedSchema.extend({ membershipId: id });

const namedSchema = wantedSchema.extend({
  subjectName: z.string(),
  /** The names of the collections above it and its own, from the top. */
  path: z.array(z.string()),
  roleName: z.string(),
});

/** What a table of memberships changes, see `planMembersImport`. */
const planSchema = z.object({
  set: z.array(
    namedSchema.extend({
      line: z.number(),
      membershipId: z.string().nullable(),
      before: z.object({ id: z.string(), name: z.string() }).nullable(),
    }),
  ),
  unchanged: z.number(),
  skipped: z.array(z.object({ line: z.number(), reason: z.string() })),
  missing: z.array(
    namedSchema.extend({ membershipId: z.string(), reason: z.enum(['other-role', 'skipped-rows']).nullable() }),
  ),
});

/** A change of a plan. */
export const membersChangeSchema = z.discriminatedUnion('kind', [
  /** `present`: the membership in the plan, which gets this role; null: there was none. */
  wantedSchema.extend({ kind: z.literal('set'), present: z.object({ membershipId: id, roleId: id }).nullable() }),
  /** `roleId`: the role that the plan named. */
  wantedSchema.extend({ kind: z.literal('remove'), membershipId: id }),
]);
export type MembersChange = z.output<typeof membersChangeSchema>;

/** The calls that read and write memberships as tables. */
export const MEMBERS_IMPORT_CALLS = {
  /** Returns all memberships as a table, with its header. */
  'admin.membersTable': {
    input: z.object({ siteId: id }),
    /** `skipped`: entries of the library that can't be read: the table may lack them. */
    output: z.object({ rows: z.array(z.array(z.string())), skipped: z.number() }),
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
    output: z.object({ plan: planSchema.nullable(), skipped: z.number() }),
  },
  /**
   * Makes changes of a plan in their order and remembers for the source which memberships they created. A membership that somebody
   * changed since the plan stays: `admin.membership-changed`. Throws `admin.unreadable`. `failed`: by their index. After
   * an error that concerns all of them, the others fail with the same one, without a request. `name`: the row, for lists of interrupted
   * imports.
   */
  'admin.applyMembers': {
    input: z.object({
      siteId: id,
      source,
      changes: z.array(z.object({ change: membersChangeSchema, name: z.string() })).max(100_001),
    }),
    output: z.object({ failed: z.array(z.object({ index: z.number(), error: appErrorSchema })) }),
  },
} as const;
