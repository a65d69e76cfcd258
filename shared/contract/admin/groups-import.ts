import { z } from 'zod';
import { MAX_ADMIN_LINE } from '../../model/access/admin-limits.ts';
import { appErrorSchema } from '../app-error.ts';

const id = z.string().min(1);
const groupName = z.string().max(MAX_ADMIN_LINE);

/** What a table does to one group: it is created or renamed, then users join it. */
export const importedGroupSchema = z.object({
  /** The first line about it. */
  line: z.number(),
  /** null: it is created. */
  groupId: id.nullable(),
  name: groupName,
  /** Its name when the table was checked; null when it keeps it, and for a new group. */
  renamedFrom: z.string().nullable(),
  userIds: z.array(id),
});
export type ImportedGroup = z.output<typeof importedGroupSchema>;

/** The call that imports groups. */
export const GROUPS_IMPORT_CALLS = {
  /**
   * Makes the changes of a checked table of groups, group by group. A group that the table creates and that exists by then is not created
   * again: the users join it. Throws nothing for a group that fails: `admin.group-renamed`, `admin.name-ambiguous`, or the error of the
   * first user who did not join. After an error that concerns all groups, the others fail with the same one, without a request.
   * `source`: the table, for lists of interrupted imports.
   */
  'admin.importGroups': {
    input: z.object({ siteId: id, source: z.string(), groups: z.array(importedGroupSchema).max(100_001) }),
    /** `done`: the ids of the groups. */
    output: z.object({
      done: z.array(z.string()),
      failed: z.array(z.object({ id: z.string(), name: z.string(), error: appErrorSchema })),
    }),
  },
} as const;
