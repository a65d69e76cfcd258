/**
 * The names of permissions, with the permissions on which each depends (API, "Role"). The closure over these dependencies is
 * transitive: a permission can be held only together with all its dependencies.
 */
export const PERMISSION_DEPENDENCIES = {
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
} as const satisfies Record<string, readonly string[]>;

export type Permission = keyof typeof PERMISSION_DEPENDENCIES;

export const PERMISSIONS = Object.keys(PERMISSION_DEPENDENCIES) as Permission[];
