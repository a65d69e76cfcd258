import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';

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
    log: {
      copied: (count: number) =>
        plural(count, { one: '# entry copied to the clipboard.', other: '# entries copied to the clipboard.' }),
    },
  },
});
