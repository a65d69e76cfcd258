import { defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';

/** The texts of the groups in the administration. */
export const texts = defineTexts({
  en: {
    list: 'Groups',
    search: 'Find a group',
    add: 'New group…',
    columns: { name: 'Name', people: 'People', roles: 'Roles' },
    builtIn: 'Built in',
    number: (id: string) => `ID ${id}`,
    everybody: { public: 'Every visitor', 'registered-users': 'Every user' },
    count: formatCount,
    notLoaded: 'The groups couldn’t be loaded',
    noneFound: { title: 'No group found', text: 'No group of the library has this name.' },
    none: { title: 'No group selected', text: 'Select a group to see its roles in collections.' },
    people: 'People',
    builtInText: {
      public:
        'Every visitor of the library belongs to this group, also without an account. It can’t be changed or deleted.',
      'registered-users': 'Every user of the library belongs to this group. It can’t be changed or deleted.',
    },
    roles: 'Roles in collections',
    noRoles: 'None. This group gives its members no permissions.',
    role: (role: string, path: string) => `${role} in ${path}`,
    more: (count: number) => `and ${formatCount(count)} more`,
    loading: 'Loading…',
    show: 'Show people',
    rename: 'Rename…',
    remove: 'Delete…',
    newTitle: 'New group',
    create: 'Create',
    renameTitle: (name: string) => `Rename the group “${name}”`,
    renameAction: 'Rename',
    deletion: {
      title: (name: string) => `Delete the group “${name}”?`,
      people: (count: number) =>
        count === 0
          ? 'Nobody belongs to it.'
          : plural(count, {
              one: '# person loses the membership in it. The person stays.',
              other: '# people lose the membership in it. The people stay.',
            }),
      roles: (count: number) =>
        count === 0
          ? 'It has no roles in collections.'
          : plural(count, {
              one: 'Its role in # collection will be removed.',
              other: 'Its roles in # collections will be removed.',
            }),
      checking: 'Reading what the deletion removes…',
      final: 'This can’t be undone.',
      action: 'Delete group',
      keep: 'Keep',
    },
  },
});
