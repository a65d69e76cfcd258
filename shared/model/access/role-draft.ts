import {
  bit,
  closed,
  dependenciesOf,
  isPermission,
  maskOf,
  namesOf,
  type Permission,
  type PermissionMask,
} from '../../api/permission-sets.ts';
import { PERMISSIONS } from '../../api/permissions.ts';

/** With each permission, all that it depends on and itself. */
const WITH_NEEDS = PERMISSIONS.map((name) => bit(name) | dependenciesOf(name));
/** With each permission, all that depends on it and itself. */
const WITH_DEPENDANTS = PERMISSIONS.map((name) =>
  PERMISSIONS.reduce(
    (mask, other) => ((dependenciesOf(other) & bit(name)) === 0 ? mask : mask | bit(other)),
    bit(name),
  ),
);
const indexOf = new Map<string, number>(PERMISSIONS.map((name, index) => [name, index]));

/** Returns what the permissions of a set depend on and the set does not contain. A set that lacks nothing is closed. */
export function lackingOf(mask: PermissionMask): PermissionMask {
  let needed = 0;
  for (let index = 0; index < WITH_NEEDS.length; index++) {
    if ((mask & (1 << index)) !== 0) needed |= WITH_NEEDS[index] ?? 0;
  }
  return needed & ~mask;
}

/** Returns the permissions of a set that depend on something that the set does not contain. */
export function needingOf(mask: PermissionMask): Permission[] {
  return namesOf(mask & ~closed(mask));
}

/** Adds a permission with all that it depends on. What other permissions of the set lack is not added. */
export function switchedOn(mask: PermissionMask, name: Permission): PermissionMask {
  return mask | (WITH_NEEDS[indexOf.get(name) ?? -1] ?? 0);
}

/** Removes a permission with all that depends on it. Other permissions that lack something stay. */
export function switchedOff(mask: PermissionMask, name: Permission): PermissionMask {
  return mask & ~(WITH_DEPENDANTS[indexOf.get(name) ?? -1] ?? 0);
}

/** A changed set of permissions of a role. */
export interface SwitchedPermissions {
  /** The known permissions in the order of the API's table, then the unknown ones as they were. */
  permissions: string[];
  /** The other permissions that were switched on or off with it. */
  also: Permission[];
}

/** Switches one permission of a role. Permissions that this program does not know stay. */
export function switchPermission(permissions: readonly string[], name: Permission, isOn: boolean): SwitchedPermissions {
  const before = maskOf(permissions);
  const after = isOn ? switchedOn(before, name) : switchedOff(before, name);
  return {
    permissions: [...namesOf(after), ...unknownOf(permissions)],
    also: namesOf((before ^ after) & ~bit(name)),
  };
}

/** Adds all that the permissions of a role depend on. */
export function withNeededPermissions(permissions: readonly string[]): string[] {
  const mask = maskOf(permissions);
  return [...namesOf(mask | lackingOf(mask)), ...unknownOf(permissions)];
}

/** Returns the permissions that this program does not know. */
export function unknownOf(permissions: readonly string[]): string[] {
  return permissions.filter((name) => !isPermission(name));
}
