import { counts, defineTexts, plural } from '../../../../kit/text/define-texts.ts';

/** The texts of changes of several items. */
export const texts = defineTexts({
  en: {
    form: {
      titleMissing: 'Enter a title. Items can’t have an empty one.',
      textMissing: 'Enter the text to add.',
      findMissing: 'Enter the text to find.',
      tagsMissing: 'Add a tag, or choose one to remove.',
      collectionMissing: 'Choose a collection.',
      timeMissing: 'Enter a date and a time.',
      nothingTicked: 'Turn on at least one field.',
      patternMissing: 'Enter a pattern, such as {date:YYYYMMDD}_{course}_{title}.',
      templateMissing: 'Enter what to build, such as {course}: {title}.',
    },
    labels: {
      fields: 'Edit fields',
      tags: 'Change tags',
      move: (name: string) => `Move to “${name}”`,
      publish: 'Publish',
      schedule: 'Schedule',
      unpublish: 'Unpublish',
      remove: 'Delete',
    },
    alreadyThere: (count: number, name: string) =>
      plural(count, { one: `This item is already in “${name}”.`, other: `These items are already in “${name}”.` }),
    linksCopied: (count: number) => plural(count, { one: '# link copied.', other: '# links copied.' }),
    noLinks: 'The library doesn’t report web pages for these items.',
    noLinksNext: 'Open the library in your browser to find them.',
    tooManyLinks: (count: number, limit: number) =>
      `You selected ${counts.items(count)}. You can copy up to ${limit} links at a time.`,
    tooManyLinksNext: 'Select fewer, or export the list instead.',
    exported: (count: number) => `Exported ${counts.items(count)}.`,
  },
});
