import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';

/** The texts of publish times one after another. */
export const texts = defineTexts({
  en: {
    order: 'Publish times',
    orders: { together: 'All at one time', series: 'One after another' },
    first: 'First time',
    firstMissing: 'Enter the first date and time.',
    unit: 'Repeat',
    units: {
      day: 'By days',
      week: 'By weeks',
      month: 'By months',
      weekdays: 'By days of the week',
    },
    counts: { day: 'Days between two items', week: 'Weeks between two items', month: 'Months between two items' },
    every: {
      day: (count: number) => plural(count, { one: 'Every day', other: 'Every # days' }),
      week: (count: number) => plural(count, { one: 'Every week', other: 'Every # weeks' }),
      month: (count: number) => plural(count, { one: 'Every month', other: 'Every # months' }),
    },
    weekdays: 'Days of the week',
    weekdaysMissing: 'Choose at least one day of the week.',
    skipped: 'Days without publication',
    skippedHint: (count: number) =>
      count === 0
        ? 'One date a line, such as 2027-12-25. Kept in this profile.'
        : `${plural(count, { one: '# day', other: '# days' })}, kept in this profile.`,
    notADay: (line: number, text: string) => `Line ${formatCount(line)}: “${text}” isn’t a date such as 2027-12-25.`,
    tooManyDays: (count: number, most: number) =>
      `${formatCount(count)} days. At most ${formatCount(most)} are possible.`,
    addDay: 'Day to add',
    add: 'Add',
    preview: 'Publish times of the items',
    previewBusy: 'Updating the preview…',
    columns: { item: 'Item', time: 'Publish time' },
    time: (when: string, offset: string) => `${when} (${offset})`,
    untitled: 'Untitled',
    isPublic: 'This item is published: it’s hidden until this time.',
    summary: (items: number, last: string) => `${counts.items(items)}, the last one on ${last}.`,
    warnings: (count: number) => plural(count, { one: '# time has a note.', other: '# times have notes.' }),
    unchanged: (count: number) =>
      plural(count, { one: '# item already has its time.', other: '# items already have their times.' }),
    missing: (count: number) =>
      plural(count, { one: '# item is no longer in the library.', other: '# items are no longer in the library.' }),
    fill: {
      open: 'Series…',
      title: 'Publish times one after another',
      submit: (count: number) => plural(count, { one: 'Fill # cell', other: 'Fill # cells' }),
      tooMany: (count: number, most: number) =>
        `${formatCount(count)} rows are selected. A series can have at most ${formatCount(most)}.`,
    },
  },
});
