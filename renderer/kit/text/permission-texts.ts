import type { Permission } from '../../../shared/api/permissions.ts';
import { defineTexts } from './define-texts.ts';

interface PermissionText {
  name: string;
  /** What it allows. */
  meaning: string;
}

/** The blocks of the permissions, in the order in which screens list them. */
export const PERMISSION_BLOCKS = [
  {
    id: 'collections',
    permissions: [
      ...(['collection-read', 'collection-create', 'collection-update'] as const),
      ...(['collection-move', 'collection-delete', 'collection-share'] as const),
    ],
  },
  {
    id: 'media',
    permissions: [
      ...(['media-read', 'media-play', 'media-download', 'media-like'] as const),
      ...(['media-create', 'media-publish', 'media-update', 'media-delete'] as const),
    ],
  },
  { id: 'comments', permissions: ['comment-read', 'comment-create', 'comment-update', 'comment-delete'] },
  { id: 'panel', permissions: ['admin-panel-access'] },
] as const satisfies readonly { id: string; permissions: readonly Permission[] }[];

export type PermissionBlock = (typeof PERMISSION_BLOCKS)[number]['id'];

/** The names and meanings of permissions. */
export const permissionTexts: {
  blocks: Readonly<Record<PermissionBlock, string>>;
  permissions: Readonly<Record<Permission, PermissionText>>;
} = defineTexts({
  en: {
    blocks: { collections: 'Collections', media: 'Items', comments: 'Comments', panel: 'Admin panel' },
    permissions: {
      'collection-read': { name: 'See collections', meaning: 'Lists the collection and opens it.' },
      'collection-create': { name: 'Create collections', meaning: 'Creates collections inside it.' },
      'collection-update': { name: 'Edit collections', meaning: 'Changes name, description and settings.' },
      'collection-move': { name: 'Move collections', meaning: 'Moves collections to another place.' },
      'collection-delete': { name: 'Delete collections', meaning: 'Deletes collections.' },
      'collection-share': { name: 'Share collections', meaning: 'Gives people and groups roles in it.' },
      'media-read': { name: 'See items', meaning: 'Lists items and shows their details.' },
      'media-play': { name: 'Play items', meaning: 'Plays recordings and views documents.' },
      'media-download': { name: 'Download items', meaning: 'Downloads the files of items.' },
      'media-like': { name: 'Like items', meaning: 'Marks items as liked.' },
      'media-create': { name: 'Add items', meaning: 'Uploads files as new items.' },
      'media-publish': { name: 'Publish items', meaning: 'Publishes, schedules and unpublishes items.' },
      'media-update': {
        name: 'Edit items',
        meaning: 'Changes the details of items. It needs access to the admin panel.',
      },
      'media-delete': { name: 'Delete items', meaning: 'Deletes items. It needs access to the admin panel.' },
      'comment-read': { name: 'Read comments', meaning: 'Shows the comments on items.' },
      'comment-create': { name: 'Write comments', meaning: 'Adds comments to items.' },
      'comment-update': { name: 'Edit comments', meaning: 'Changes comments on items.' },
      'comment-delete': { name: 'Delete comments', meaning: 'Deletes comments on items.' },
      'admin-panel-access': {
        name: 'Use the admin panel',
        meaning: 'Opens the admin panel of the library. Nobody can edit or delete items without it.',
      },
    },
  },
});

/** Returns the name of a permission for a person; of an unknown one its name in the API. */
export function permissionName(name: string): string {
  const known: Readonly<Partial<Record<string, PermissionText>>> = permissionTexts.permissions;
  return known[name]?.name ?? name;
}

/** Returns the names of permissions, separated by commas. */
export function permissionNames(names: readonly string[]): string {
  return names.map(permissionName).join(', ');
}
