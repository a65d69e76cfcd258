import { z } from 'zod';
import { MAX_ADMIN_LINE } from '../../model/access/admin-limits.ts';
import { appErrorSchema } from '../app-error.ts';

const id = z.string().min(1);
const line = z.string().max(MAX_ADMIN_LINE);
const rowOf = { line: z.number(), email: z.string() };

/** A row that creates a user. */
export const creationSchema = z.object({
  kind: z.literal('create'),
  ...rowOf,
  firstName: line,
  lastName: line,
  uniqueId: line,
  isAdmin: z.boolean(),
});

/** A row that changes a user, or only adds it to groups. */
export const updateSchema = z.object({
  kind: z.literal('change'),
  ...rowOf,
  userId: id,
  isAdmin: z.boolean().optional(),
  uniqueId: line.optional(),
});

const personRowSchema = z.discriminatedUnion('kind', [creationSchema, updateSchema]);
export type PersonRow = z.output<typeof personRowSchema>;

/** Users of some rows that join a group together. */
export const joiningSchema = z.object({
  kind: z.literal('join'),
  groupId: id,
  groupName: z.string(),
  /** `userId`: null for a user that a row creates. */
  members: z.array(z.object({ ...rowOf, userId: z.string().nullable() })),
});
export type Joining = z.output<typeof joiningSchema>;

/** The calls that import users. */
export const PEOPLE_IMPORT_CALLS = {
  /**
   * Makes the changes of a checked table of users: row by row, then adds the users of each group together. A row that creates a user whose
   * e-mail address exists by then is done. Nothing is sent after an error that concerns every row. `done` are the users that were created or
   * changed and are in all their groups; users that are not in all of them are in `failed`. `source`: the table, for lists of
   * interrupted imports.
   */
  'admin.importPeople': {
    input: z.object({
      siteId: id,
      source: z.string(),
      rows: z.array(personRowSchema).max(100_001),
      joins: z.array(joiningSchema).max(100_001),
    }),
    output: z.object({
      done: z.array(z.string()),
      failed: z.array(z.object({ id: z.string(), name: z.string(), error: appErrorSchema })),
    }),
  },
} as const;
