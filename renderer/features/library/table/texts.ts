import { defineTexts, plural } from '../../../kit/text/define-texts.ts';

/** The texts of the table of items. */
export const texts = defineTexts({
  en: {
    title: (count: number) => plural(count, { one: 'Edit # item as a table', other: 'Edit # items as a table' }),
    grid: 'Items',
    columns: 'Columns',
    row: (row: number, title: string) => `${row} ${title}`,
    reading: 'Reading the items…',
    again: 'Try again',
    hint: (timeZone: string) => `Separate tags with |. Times without an offset are in ${timeZone}.`,
    close: 'Close',
    review: (count: number) =>
      count === 0 ? 'Review changes' : plural(count, { one: 'Review # change', other: 'Review # changes' }),
    leave: {
      title: (count: number) => plural(count, { one: 'Discard # change?', other: 'Discard # changes?' }),
      text: 'The changes in this table haven’t been applied. If you close it, they’re lost.',
      keep: 'Keep editing',
      discard: 'Discard',
    },
  },
});
