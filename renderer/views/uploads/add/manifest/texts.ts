import type { FileRowField } from '../../../../../shared/model/manifest/file-rows.ts';
import { defineTexts, plural } from '../../../../text/define-texts.ts';
import { formatCount } from '../../../../text/format.ts';

const files = (count: number) => plural(count, { one: '1 file', other: '# files' });
const rows = (count: number) => plural(count, { one: '1 row', other: '# rows' });

/** The texts about a spreadsheet among the added files that describes them. */
export const texts = defineTexts({
  en: {
    reading: (name: string) => `Reading ${name}…`,
    offer: (name: string, described: number, all: number) =>
      `Use the descriptions in ${name} (${formatCount(described)} of ${files(all)})?`,
    none: (name: string) => `${name} describes none of these files.`,
    unknown: (name: string) => `${name} may describe these files.`,
    unknownHint: 'Choose the column with the file names.',
    failed: (name: string) => `${name} can’t be read.`,
    used: (name: string, described: number, all: number) =>
      `Using the descriptions in ${name} for ${formatCount(described)} of ${files(all)}.`,
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
    encoding: 'Encoding',
    separator: 'Separator',
    detect: 'Detect',
    encodings: {
      'utf-8': 'UTF-8',
      'utf-16le': 'UTF-16 (little endian)',
      'utf-16be': 'UTF-16 (big endian)',
      'windows-1252': 'Windows-1252 (Western European)',
    },
    separators: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab' },
    columns: 'Columns',
    column: 'Column in the file',
    example: 'Example',
    field: 'Use as',
    fieldOf: (header: string) => `Use “${header}” as`,
    unnamed: (column: number) => `Column ${column}`,
    noExample: 'Empty',
    notUsed: 'Don’t use',
    fields: {
      file: 'File name',
      title: 'Title',
      byline: 'Byline',
      description: 'Description',
      tags: 'Tags',
      collection: 'Collection',
      status: 'Status',
      publishOn: 'Publish time',
    } satisfies Record<FileRowField, string>,
    mappingProblems: {
      'no-file': 'Choose the column with the file names.',
      twice: 'Two columns would fill the same field.',
    },
    counts: (described: number, all: number) => `Describes ${formatCount(described)} of ${files(all)}`,
    badRows: (count: number) => plural(count, { one: '1 row has errors', other: '# rows have errors' }),
    problems: 'Rows with errors',
    row: 'Row',
    place: 'Column',
    value: 'Value',
    error: 'Error',
    wholeRow: 'Whole row',
    moreProblems: (count: number) =>
      `The copy with an error column lists ${plural(count, { one: '1 more', other: '# more' })}.`,
    saveErrors: 'Save a copy with an error column…',
    again: 'Read the file again',
    withoutRow: (count: number) => `${files(count)} without a usable row`,
    withoutRowHint: 'They keep the options of the sheet.',
    notAdded: (count: number) => `${rows(count)} for files that you didn’t add`,
    notAddedHint: 'They change nothing.',
    more: (count: number) => plural(count, { one: 'and 1 more', other: 'and # more' }),
    close: 'Close',
  },
});
