import { counts, defineTexts, plural } from '../../../../kit/text/define-texts.ts';
import { formatCount } from '../../../../kit/text/format.ts';
import { itemFields } from '../../../../kit/text/item-fields.ts';

/** The texts about a spreadsheet among the added files that describes them. */
export const texts = defineTexts({
  en: {
    reading: (name: string) => `Reading ${name}…`,
    offer: (name: string, described: number, all: number) =>
      `Use the descriptions in ${name} (${formatCount(described)} of ${counts.files(all)})?`,
    none: (name: string) => `${name} describes none of these files.`,
    unknown: (name: string) => `${name} may describe these files.`,
    unknownHint: 'Choose the column with the file names.',
    failed: (name: string) => `${name} can’t be read.`,
    used: (name: string, described: number, all: number) =>
      `Using the descriptions in ${name} for ${formatCount(described)} of ${counts.files(all)}.`,
    declined: (name: string) => `${name} isn’t used.`,
    bad: (count: number) =>
      plural(count, { one: '1 row has errors and isn’t used.', other: '# rows have errors and aren’t used.' }),
    notUploaded: 'The spreadsheet itself isn’t uploaded.',
    use: 'Use',
    check: 'Check…',
    chooseColumns: 'Choose columns…',
    decline: 'Don’t use',
    stop: 'Stop using',

    title: (name: string) => `Descriptions in ${name}`,
    columns: {
      field: 'Use as',
      fieldOf: (header: string) => `Use “${header}” as`,
      none: 'Don’t use',
      fields: { file: 'File name', ...itemFields },
    },
    mappingProblems: {
      'no-file': 'Choose the column with the file names.',
      twice: 'Two columns would fill the same field.',
    },
    counts: (described: number, all: number) => `Describes ${formatCount(described)} of ${counts.files(all)}`,
    problems: 'Rows with errors',
    moreProblems: (count: number) =>
      `The copy with an error column lists ${plural(count, { one: '1 more', other: '# more' })}.`,
    withoutRow: (count: number) => `${counts.files(count)} without a usable row`,
    withoutRowHint: 'They keep the options of the sheet.',
    notAdded: (count: number) => `${counts.rows(count)} for files that you didn’t add`,
    notAddedHint: 'They change nothing.',
    more: (count: number) => plural(count, { one: 'and 1 more', other: 'and # more' }),
    close: 'Close',
  },
});
