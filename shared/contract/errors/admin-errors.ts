import type { CatalogEntry } from './catalog-entry.ts';

/** Errors about users, groups, tags, roles and memberships. */
export const ADMIN_ERRORS = {
  'admin.only': {
    message: 'Only administrators of the library can see its users, groups, tags and roles.',
    nextStep: 'Sign in as an administrator, or ask one to make the change.',
    disposition: 'permanent',
  },
  'admin.own-account': {
    message: 'You can’t delete your own account or remove its administrator rights.',
    nextStep: 'Ask another administrator to do it.',
    disposition: 'permanent',
  },
  'admin.own-role': {
    message: 'You can’t change or remove the role that you have directly in a collection.',
    nextStep: 'Ask an administrator, or somebody else who may share the collection.',
    disposition: 'permanent',
  },
  'admin.own-group-role': {
    message: 'You may have this role by the group yourself, so you can’t change or remove it.',
    nextStep: 'Ask an administrator, or somebody else who may share the collection.',
    disposition: 'permanent',
  },
  'admin.person-changed': {
    message: 'This user became an administrator after the deletion was shown.',
    nextStep: 'Look at the user, then repeat the deletion if it is still wanted.',
    disposition: 'ask',
  },
  'admin.deletion-changed': {
    message: 'What this deletion would remove changed after it was shown. It was not deleted.',
    nextStep: 'Look at what the deletion removes now, then confirm it again if it is still wanted.',
    disposition: 'ask',
  },
  'admin.last-administrator': {
    message: 'This is the last administrator of the library.',
    nextStep: 'Make another user an administrator first.',
    disposition: 'permanent',
  },
  'admin.built-in-group': {
    message: 'The built-in groups “Public” and “Registered users” can’t be changed or deleted.',
    nextStep: 'Everybody belongs to them. Change their roles in the collections instead.',
    disposition: 'permanent',
  },
  'admin.role-kept': {
    message: 'The library doesn’t delete this role.',
    nextStep: 'Remove its memberships instead, or change its permissions.',
    disposition: 'permanent',
  },
  'admin.role-changed': {
    message: 'Another administrator changed this role in the meantime. Nothing was saved.',
    nextStep: 'Look at its present permissions, then change them again.',
    disposition: 'ask',
  },
  'admin.role-exists': {
    message: 'The library has a role of this name with other permissions by now. It stays as it is.',
    nextStep: 'Check the table again. It then shows what it would change in this role.',
    disposition: 'ask',
  },
  'admin.group-renamed': {
    message: 'Another administrator renamed this group in the meantime. It keeps that name.',
    nextStep: 'Look at its present name, then rename it again if it is still wanted.',
    disposition: 'ask',
  },
  'admin.name-ambiguous': {
    message: 'The library has several groups or roles of this name by now. Nothing was changed.',
    nextStep: 'Name the right one by its ID, in the column “group id” or “role id” of the table.',
    disposition: 'ask',
  },
  'admin.tag-exists': {
    message: 'The library already has a tag of this name.',
    nextStep: 'Choose another name. To make one tag of the two, merge them.',
    disposition: 'permanent',
  },
  'admin.tag-in-use': {
    message: 'Items still have this tag, so it was not deleted.',
    nextStep:
      'See which items couldn’t be changed, and why. Those that Mediadesk can’t read are not listed. Then merge the tags again.',
    disposition: 'permanent',
  },
  'admin.tag-renamed': {
    message: 'Somebody renamed this tag while it was merged. It stays.',
    nextStep: 'Look at its present name, then merge the tags again if it is still wanted.',
    disposition: 'ask',
  },
  'admin.tag-gone': {
    message: 'Somebody deleted the tag that was to stay. The other tags stay.',
    nextStep: 'Create the tag again or choose another one, then merge the tags again.',
    disposition: 'ask',
  },
  'admin.membership-changed': {
    message: 'Another administrator changed this role in the meantime. It stays as it is.',
    nextStep: 'Look at the present roles, then repeat the change if it is still wanted.',
    disposition: 'ask',
  },
  'admin.membership-removed': {
    message: 'Another administrator removed this role in the meantime. Nothing was changed.',
    nextStep: 'Look at the present roles, then give the role again if it is still wanted.',
    disposition: 'ask',
  },
  'admin.filter-everybody': {
    message: 'The library lists all its users for this filter.',
    nextStep: 'Choose a narrower filter, or delete the users by their names.',
    disposition: 'permanent',
  },
  'admin.filter-ignored': {
    message: 'For this filter, the library also lists users who don’t match it. Nothing was deleted.',
    nextStep: 'Delete the users by their names.',
    disposition: 'permanent',
  },
  'admin.list-unreadable': {
    message:
      'The library sent entries that Mediadesk can’t read, so the list of users can’t be checked. Nothing was deleted.',
    nextStep: 'Delete the users by their names.',
    disposition: 'permanent',
  },
  'admin.outcome-unknown': {
    message: 'The users couldn’t be read again after the request, so it is unknown whether this user was deleted.',
    nextStep: 'When the library can be reached, look at the list of users.',
    disposition: 'ask',
  },
  'admin.list-changed': {
    message: 'The library lists other users for this filter than before. Nothing was deleted.',
    nextStep: 'Look at the present list, then repeat the deletion.',
    disposition: 'ask',
  },
  'admin.not-deleted': {
    message: 'The library did not delete this user.',
    nextStep: 'Delete the user by name.',
    disposition: 'permanent',
  },
  'admin.unreadable': {
    message:
      'The library sent entries that Mediadesk can’t read, so it can’t keep the access of everybody. Nothing was changed.',
    nextStep: 'Stop inheriting without keeping the roles, and give the roles by hand.',
    disposition: 'permanent',
  },
  'admin.job-gone': {
    message: 'This command is over, or it runs now.',
    nextStep: 'Look at the list of interrupted commands again.',
    disposition: 'permanent',
  },
  'admin.stopped': {
    message: 'The command was stopped before this change.',
    nextStep: 'Run the command again. It makes only the changes that are missing.',
    disposition: 'ask',
  },
  'admin.role-differs': {
    message: 'The library saved other permissions than you chose.',
    nextStep: 'Look at the present permissions of the role.',
    disposition: 'ask',
  },
} as const satisfies Record<string, CatalogEntry>;
