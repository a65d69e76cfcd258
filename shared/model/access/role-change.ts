import { dependenciesOf, maskOf, namesOf } from '../../api/permission-sets.ts';
import type { Permission } from '../../api/permissions.ts';
import { switchedOff, switchedOn, unknownOf } from './role-draft.ts';

/** The permissions of a role after a change. */
export interface RoleChange {
  permissions: string[];
  /** Added because an added permission depends on them. */
  addedBesides: Permission[];
  /** Removed because they depend on a removed permission. */
  removedBesides: Permission[];
}

/**
 * Returns the permissions of a role after some are added with all that they depend on, and others are removed with all that depend on
 * them. Permissions that this program doesn't know stay. Returns the conflict when an added one depends on a removed one.
 */
export function changedRole(
  before: readonly string[],
  { add, remove }: { add: readonly Permission[]; remove: readonly Permission[] },
): RoleChange | { conflict: { added: Permission; removed: Permission } } {
  for (const added of add) {
    const [removed] = namesOf((maskOf([added]) | dependenciesOf(added)) & maskOf(remove));
    if (removed !== undefined) return { conflict: { added, removed } };
  }
  const held = maskOf(before);
  const after = remove.reduce(switchedOff, add.reduce(switchedOn, held));
  return {
    permissions: [...namesOf(after), ...unknownOf(before)],
    addedBesides: namesOf(after & ~held & ~maskOf(add)),
    removedBesides: namesOf(held & ~after & ~maskOf(remove)),
  };
}
