/** The permissions of the API with their direct dependencies. */
export const DEPENDS_ON = {
  'admin-panel-access': [],
  'collection-create': ['collection-read'],
  'collection-delete': ['collection-read'],
  'collection-move': ['collection-create', 'collection-delete', 'collection-update'],
  'collection-read': [],
  'collection-share': ['collection-update'],
  'collection-update': ['collection-read'],
  'comment-create': ['comment-read'],
  'comment-delete': ['comment-read'],
  'comment-read': ['media-read'],
  'comment-update': ['comment-read'],
  'media-create': ['media-read'],
  'media-delete': ['media-update'],
  'media-download': ['media-read'],
  'media-like': ['media-read'],
  'media-play': ['media-read'],
  'media-publish': ['media-create'],
  'media-read': ['collection-read'],
  'media-update': ['media-read', 'admin-panel-access'],
} as const;

export type Permission = keyof typeof DEPENDS_ON;

export const PERMISSIONS = Object.keys(DEPENDS_ON) as Permission[];

/** Returns the permissions with all their dependencies. */
export function withDependencies(permissions: readonly Permission[]): Permission[] {
  const all = new Set<Permission>();
  const add = (name: Permission) => {
    if (all.has(name)) return;
    all.add(name);
    for (const below of DEPENDS_ON[name]) add(below);
  };
  for (const name of permissions) add(name);
  return PERMISSIONS.filter((name) => all.has(name));
}

/** Returns the permission with all permissions that depend on it. */
export function withDependents(permission: Permission): Permission[] {
  return PERMISSIONS.filter((name) => withDependencies([name]).includes(permission));
}

/** Returns all permissions except this one and those that depend on it. */
export function allWithout(permission: Permission): Permission[] {
  const gone = withDependents(permission);
  return PERMISSIONS.filter((name) => !gone.includes(name));
}
