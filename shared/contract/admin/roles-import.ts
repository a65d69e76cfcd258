import { z } from 'zod';
import { PERMISSIONS } from '../../api/permissions.ts';
import { MAX_ADMIN_LINE } from '../../model/access/admin-limits.ts';
import { appErrorSchema } from '../app-error.ts';

const id = z.string().min(1);
const roleName = z.string().max(MAX_ADMIN_LINE);

/** What a table does to one role. */
export const importedRoleSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('create'), line: z.number(), name: roleName, permissions: z.array(z.enum(PERMISSIONS)) }),
  z.object({
    kind: z.literal('change'),
    line: z.number(),
    roleId: id,
    name: roleName,
    /** The role when the table was checked. */
    seen: z.object({ name: z.string(), permissions: z.array(z.string()) }),
    /** Also those that this program doesn't know. */
    permissions: z.array(z.string()),
  }),
]);
export type ImportedRole = z.output<typeof importedRoleSchema>;

/** The call that imports roles. */
export const ROLES_IMPORT_CALLS = {
  /**
   * Makes the changes of a checked table of roles, one by one. A role that is as the table wants it costs no change. Throws nothing for a
   * role that fails: `admin.role-changed`, `admin.role-exists`, `admin.name-ambiguous`, and the errors of `admin.changeRole`. After an
   * error that concerns all roles, the others fail with the same one, without a request. `source`: the table, for lists of interrupted
   * imports.
   */
  'admin.importRoles': {
    input: z.object({ siteId: id, source: z.string(), roles: z.array(importedRoleSchema).max(100_001) }),
    /** `done`: the ids of the roles. */
    output: z.object({
      done: z.array(z.string()),
      failed: z.array(z.object({ id: z.string(), name: z.string(), error: appErrorSchema })),
    }),
  },
} as const;
