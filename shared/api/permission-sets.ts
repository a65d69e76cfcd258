import { PERMISSION_DEPENDENCIES, PERMISSIONS, type Permission } from './permissions.ts';

export { PERMISSIONS, type Permission };

/** A set of permissions as bits, in the order of `PERMISSIONS`. */
export type PermissionMask = number;

const BIT = new Map<string, PermissionMask>(PERMISSIONS.map((name, index) => [name, 1 << index]));

export const ALL_PERMISSIONS: PermissionMask = PERMISSIONS.reduce((mask, name) => mask | bit(name), 0);

export function isPermission(name: string): name is Permission {
  return BIT.has(name);
}

export function bit(name: Permission): PermissionMask {
  return BIT.get(name) ?? 0;
}

export function maskOf(names: readonly string[]): PermissionMask {
  return names.reduce((mask, name) => mask | (BIT.get(name) ?? 0), 0);
}

/** The names in a mask, in the order of the API's table. */
export function namesOf(mask: PermissionMask): Permission[] {
  return PERMISSIONS.filter((name) => (mask & bit(name)) !== 0);
}

/** Returns all permissions that a permission depends on, directly or indirectly. */
export function dependenciesOf(name: Permission): PermissionMask {
  return PERMISSION_DEPENDENCIES[name].reduce((mask, needed) => mask | bit(needed) | dependenciesOf(needed), 0);
}

const NEEDS = new Map(PERMISSIONS.map((name) => [name, dependenciesOf(name)]));

/**
 * Returns the largest set within `mask` in which each permission has everything it depends on. A permission whose dependencies
 * are missing is omitted.
 */
export function closed(mask: PermissionMask): PermissionMask {
  return PERMISSIONS.reduce((kept, name) => {
    const needs = NEEDS.get(name) ?? 0;
    return (mask & bit(name)) !== 0 && (mask & needs) === needs ? kept | bit(name) : kept;
  }, 0);
}

/** Adds permissions. A permission whose dependencies are neither held nor added is ignored. */
export function addPermissions(held: PermissionMask, added: PermissionMask): PermissionMask {
  return closed(held | added);
}

/** Removes permissions and everything that depends on one of them. */
export function removePermissions(held: PermissionMask, removed: PermissionMask): PermissionMask {
  return closed(held & ~removed);
}
