import type { PermissionMask } from '../../shared/api/permission-sets.ts';

/** The fields of a collection that the calculation needs. */
export interface TreeRow {
  id: number;
  parent_id: number | null;
  inherit_memberships: boolean;
}

/** A role that a user, or one of the user's groups, has in a collection. */
export interface Grant {
  collectionId: number;
  roleId: number;
  mask: PermissionMask;
}

export interface EffectiveAccess {
  mask: PermissionMask;
  roleIds: readonly number[];
}

const NOTHING: EffectiveAccess = { mask: 0, roleIds: [] };

/**
 * Computes the permissions in each collection: the union of the roles held in it and, if the collection inherits memberships, of
 * all permissions held in its parent. Collections without any permission are omitted. A cycle (which the service never writes)
 * ends at the collection where it began.
 */
export function effectiveAccess(tree: readonly TreeRow[], grants: readonly Grant[]): Map<number, EffectiveAccess> {
  const own = new Map<number, EffectiveAccess>();
  for (const { collectionId, roleId, mask } of grants)
    own.set(collectionId, join(own.get(collectionId), { mask, roleIds: [roleId] }));
  const rows = new Map(tree.map((row) => [row.id, row]));
  const known = new Map<number, EffectiveAccess>();

  const parentOf = (row: TreeRow) =>
    row.inherit_memberships && row.parent_id !== null ? rows.get(row.parent_id) : undefined;

  function resolve(start: TreeRow): void {
    const path: TreeRow[] = [];
    const onPath = new Set<number>();
    let row: TreeRow | undefined = start;
    while (row && !known.has(row.id) && !onPath.has(row.id)) {
      path.push(row);
      onPath.add(row.id);
      row = parentOf(row);
    }
    let inherited = row ? (known.get(row.id) ?? NOTHING) : NOTHING;
    for (const step of path.reverse()) {
      inherited = join(own.get(step.id), inherited);
      known.set(step.id, inherited);
    }
  }

  for (const row of tree) {
    const parent = parentOf(row);
    const given = parent ? known.get(parent.id) : NOTHING;
    // A parent usually precedes its children, so its access is known already.
    if (given && !known.has(row.id)) known.set(row.id, join(own.get(row.id), given));
    else resolve(row);
  }
  for (const [id, access] of known) if (access.mask === 0 && access.roleIds.length === 0) known.delete(id);
  return known;
}

function join(a: EffectiveAccess | undefined, b: EffectiveAccess): EffectiveAccess {
  if (!a) return b;
  if (b.roleIds.every((id) => a.roleIds.includes(id))) return { mask: a.mask | b.mask, roleIds: a.roleIds };
  return { mask: a.mask | b.mask, roleIds: [...new Set([...a.roleIds, ...b.roleIds])] };
}
