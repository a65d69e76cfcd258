import { bit, maskOf, namesOf, type Permission, type PermissionMask } from '../../api/permission-sets.ts';
import { switchedOff, switchedOn, unknownOf } from './role-draft.ts';

/** The permissions of a role that two people changed from the same state. */
export interface RebasedRole {
  /** Theirs, with all changes of mine that don't undo one of theirs. */
  permissions: string[];
  /** My changes that would undo one of theirs. */
  dropped: { added: Permission[]; removed: Permission[] };
}

/**
 * Makes the changes from `seen` to `mine` on `theirs`. The same permission can't have been changed in two ways, but permissions depend
 * on each other: a change of mine that would remove what they added, or add what they removed, is dropped.
 */
export function rebasedRole(seen: readonly string[], mine: readonly string[], theirs: readonly string[]): RebasedRole {
  const [base, own, other] = [maskOf(seen), maskOf(mine), maskOf(theirs)];
  const dropped: RebasedRole['dropped'] = { added: [], removed: [] };
  let mask: PermissionMask = other;
  for (const name of namesOf(own & ~base)) {
    const next = switchedOn(mask, name);
    if ((next & base & ~other) === 0) mask = next;
    else if ((mask & bit(name)) === 0) dropped.added.push(name);
  }
  for (const name of namesOf(base & ~own)) {
    const next = switchedOff(mask, name);
    if ((mask & ~next & other & ~base) === 0) mask = next;
    else dropped.removed.push(name);
  }
  return { permissions: [...namesOf(mask), ...unknownOf(theirs)], dropped };
}
