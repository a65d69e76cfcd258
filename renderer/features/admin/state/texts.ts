import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';

/** The messages about administrative changes. */
export const texts = defineTexts({
  en: {
    groups: {
      created: (name: string) => `Group “${name}” created.`,
      deleted: (name: string) => `Group “${name}” deleted.`,
    },
    roles: {
      saved: (name: string) => `Role “${name}” saved.`,
      deleted: (name: string) => `Role “${name}” deleted.`,
    },
    tags: {
      created: (name: string) => `Tag “${name}” created.`,
      deleted: (count: number) => plural(count, { one: '# tag deleted.', other: '# tags deleted.' }),
      merged: (count: number, kept: string, items: number) =>
        `${plural(count, { one: '# tag', other: '# tags' })} merged into “${kept}”: ${counts.items(items)} changed.`,
    },
    jobs: {
      offer: {
        deletePeople: 'A deletion of people was interrupted.',
        mergeTags: 'A merge of tags was interrupted.',
        importPeople: 'An import of people was interrupted.',
        importMembers: 'An import of memberships was interrupted.',
        importGroups: 'An import of groups was interrupted.',
        importRoles: 'An import of roles was interrupted.',
      },
      show: { label: 'Show', hint: 'To continue it or stop there, open the administration.' },
      done: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)} done.`,
    },
    log: {
      copied: (count: number) =>
        plural(count, { one: '# entry copied to the clipboard.', other: '# entries copied to the clipboard.' }),
    },
  },
});
