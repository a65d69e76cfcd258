import { defineTexts, plural } from '../../kit/text/define-texts.ts';
import { formatCount } from '../../kit/text/format.ts';

const people = (count: number) => plural(count, { one: '# person', other: '# people' });

/** The texts of the administration view. */
export const texts = defineTexts({
  en: {
    title: 'Administration',
    tabs: { label: 'Administration', people: 'People', groups: 'Groups', roles: 'Roles', tags: 'Tags', log: 'Log' },
    reading: 'Reading users, groups and roles…',
    notRead: 'Users, groups and roles couldn’t be read',
    readAgain: 'Read everything again',
    number: (id: string) => `ID ${id}`,
    jobs: {
      title: 'Interrupted commands',
      text: {
        deletePeople: () => 'A deletion of people was interrupted.',
        mergeTags: (kept: string) => `A merge of tags into “${kept}” was interrupted.`,
        importPeople: (source: string) => `An import of people from ${source} was interrupted.`,
        importMembers: (source: string) => `An import of memberships from ${source} was interrupted.`,
        importGroups: (source: string) => `An import of groups from ${source} was interrupted.`,
        importRoles: (source: string) => `An import of roles from ${source} was interrupted.`,
      },
      counts: (done: number, total: number, failed: number) =>
        `${formatCount(done)} of ${formatCount(total)} done${failed === 0 ? '' : `, ${formatCount(failed)} failed`}.`,
      next: (names: readonly string[], left: number) =>
        `Left: ${names.join('; ')}${left > names.length ? `; and ${formatCount(left - names.length)} more` : ''}. Each is checked again.`,
      continue: 'Continue',
      discard: 'Stop here',
      partly: (done: number, total: number, failed: number) =>
        `${formatCount(done)} of ${formatCount(total)} done, ${formatCount(failed)} failed:`,
      failed: (name: string, reason: string) => `${name}: ${reason}`,
      more: (count: number) => `and ${formatCount(count)} more`,
      close: 'Close',
    },
    lost: {
      title: 'You are no administrator any more',
      text: 'Somebody took your administrator rights away while you worked. The library refuses all changes since then.',
      who: 'These administrators can make changes, and give you the rights again:',
      nobody: 'Mediadesk knows no other administrator.',
      administrator: (name: string, email: string) => (email === '' ? name : `${name} (${email})`),
      done: (count: number) =>
        count === 0
          ? 'No change was made since you opened this view.'
          : plural(count, {
              one: '# change was made since you opened this view:',
              other: '# changes were made since you opened this view:',
            }),
      change: (action: string, target: string) => (target === '' ? action : `${action}: ${target}`),
      moreAdministrators: (count: number) => `and ${formatCount(count)} more`,
      more: (count: number) => plural(count, { one: 'and # more change', other: 'and # more changes' }),
      again: 'Try again',
    },
    people: {
      list: 'People',
      search: 'Find by name, e-mail address or unique ID',
      add: 'New person…',
      facet: 'Show',
      facets: {
        all: 'Everybody',
        administrators: 'Administrators',
        'no-group': 'Without a group',
        'never-signed-in': 'Never signed in',
        'other-sign-on': 'Other sign-on',
      },
      group: 'Group',
      anyGroup: 'Any group',
      columns: { kind: 'Kind', name: 'Name', email: 'E-mail', groups: 'Groups', lastLogin: 'Last sign-in' },
      sortBy: (column: string) => `Sort by ${column.toLowerCase()}`,
      administrator: 'Administrator',
      never: 'Never',
      notLoaded: 'The list couldn’t be loaded',
      none: { title: 'Nobody found', text: 'No user of the library matches these filters.' },
      details: 'Person',
      nobody: { title: 'Nobody selected', text: 'Select a person to see groups and roles.' },
      bar: 'Selected people',
      selected: (count: number) => `${people(count)} selected`,
      deselect: 'Deselect all',
      changeGroups: 'Groups…',
      remove: 'Delete…',
    },
    person: {
      email: 'E-mail',
      uniqueId: 'Unique ID',
      created: 'Created',
      lastLogin: 'Last sign-in',
      unchangeable:
        'The library can’t change a name, an e-mail address or a password. Create the person anew, give the new account the same groups and roles, and delete the old one.',
      administrator: 'Administrator',
      promote: (name: string) => `Make ${name} an administrator?`,
      promoteText: 'Administrators may do everything in every collection, and manage all users.',
      promoteAction: 'Make administrator',
      demote: (name: string) => `Remove the administrator rights of ${name}?`,
      demoteText: 'Only roles in collections will count for this person.',
      demoteAction: 'Remove rights',
      administratorHint: 'Administrators may do everything in every collection.',
      groups: 'Groups',
      noGroups: 'Only the built-in groups, which contain everybody.',
      roles: 'Roles in collections',
      noRoles: 'No roles of their own.',
      role: (role: string, path: string) => `${role} in ${path}`,
      more: (count: number) => `and ${formatCount(count)} more`,
      explain: 'What may they do?',
      view: 'See the library as they do',
      changeId: 'Change the unique ID…',
      idTitle: (name: string) => `Unique ID of ${name}`,
      idLabel: 'Unique ID',
      idHint: '“basic:” and the e-mail address, unless another sign-on identifies the person.',
      save: 'Save',
      loading: 'Loading…',
    },
    picture: {
      command: 'Picture…',
      title: (name: string) => `Picture of ${name}`,
      preview: 'Preview of the picture',
      action: 'Set picture',
      final: 'You can replace a picture later, but the library can’t remove it.',
      done: (name: string) => `The picture of ${name} was set.`,
    },
    create: {
      title: 'New person',
      action: 'Create',
      firstName: 'First name',
      lastName: 'Last name',
      email: 'E-mail address',
      password: 'Password',
      passwordHint: 'Optional. It is sent to the library and not stored here.',
      uniqueId: 'Unique ID',
      uniqueIdHint: 'Optional. For other sign-ons; “basic:” and the e-mail address by default.',
      administrator: 'Administrator',
      missing: 'Enter a value.',
      noAddress: 'Enter an e-mail address, such as ada@example.org.',
      fixed: 'Name, e-mail address and password can’t be changed later.',
      created: (name: string) => `${name} was created.`,
    },
    groupsDialog: {
      title: (count: number) => (count === 1 ? 'Groups of one person' : `Groups of ${formatCount(count)} people`),
      members: (count: number, all: number) =>
        all === 1
          ? count === 1
            ? 'Member'
            : 'Not a member'
          : `${formatCount(count)} of ${formatCount(all)} are members`,
      add: (count: number) => (count < 2 ? 'Add' : `Add ${formatCount(count)}`),
      remove: (count: number) => (count < 2 ? 'Remove' : `Remove ${formatCount(count)}`),
      addTo: (group: string) => `to ${group}`,
      removeFrom: (group: string) => `from ${group}`,
      none: 'The library has no groups except the built-in ones. Create one under “Groups”.',
      allAre: 'All of them are members.',
      noneIs: 'None of them is a member.',
      search: 'Find a group',
      noMatch: 'No group has this name.',
      more: (count: number) => `${formatCount(count)} more groups: type a part of the name to find one.`,
      close: 'Done',
      failed: (count: number) => `${people(count)} couldn’t be changed.`,
      added: (count: number, already: number, group: string) =>
        [
          ...(count > 0 ? [`${people(count)} added to “${group}”.`] : []),
          ...(already > 0
            ? [plural(already, { one: '# was already a member.', other: '# were already members.' })]
            : []),
        ].join(' '),
      removed: (count: number, already: number, group: string) =>
        [
          ...(count > 0 ? [`${people(count)} removed from “${group}”.`] : []),
          ...(already > 0 ? [plural(already, { one: '# wasn’t a member.', other: '# weren’t members.' })] : []),
        ].join(' '),
    },
    deletion: {
      title: (count: number) => `Delete ${people(count)}?`,
      text: (memberships: number) =>
        memberships === 0
          ? 'They have no roles of their own in collections.'
          : plural(memberships, {
              one: '# role in a collection will be removed with them.',
              other: '# roles in collections will be removed with them.',
            }),
      items: 'The library doesn’t say what becomes of their items. This can’t be undone.',
      typed: (count: number) => `Type ${formatCount(count)} to confirm`,
      refused: (name: string, reason: string) => `${name} stays: ${reason}`,
      action: (count: number) => `Delete ${people(count)}`,
      nobody: 'None of the selected people can be deleted.',
      done: (count: number, path: string) =>
        `${people(count)} deleted. A table with their groups and roles is in ${path}.`,
      keep: 'Keep',
      partly: (done: number, failed: number, path: string) =>
        `${people(failed)} couldn’t be deleted. ${people(done)} deleted. A table of all of them with their groups and roles is in ${path}.`,
      failedList: (names: readonly string[], more: number, reason: string) =>
        `${names.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}: ${reason}`,
      checking: 'Reading what the deletion removes…',
    },
  },
});
