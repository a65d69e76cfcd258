import type { ENCODINGS } from '../../../../shared/model/table/encodings.ts';
import { defineTexts, plural } from '../../../text/define-texts.ts';
import { formatCount } from '../../../text/format.ts';

const items = (count: number) => plural(count, { one: '# item', other: '# items' });
const rows = (count: number) => plural(count, { one: '# row', other: '# rows' });

/** The texts of the dialogs that export and import spreadsheets. */
export const texts = defineTexts({
  en: {
    cancel: 'Cancel',
    export: {
      title: (count: number) => `Export ${items(count)}`,
      format: 'Format',
      formats: {
        xlsx: {
          label: 'Excel workbook (XLSX)',
          meaning: 'For Excel, LibreOffice and Google Sheets. Every cell stays as it is.',
        },
        csv: { label: 'CSV', meaning: 'For any program: text in UTF-8, separated by commas.' },
      },
      protects: 'Protect cells that begin like a formula',
      protectsMeaning: 'They get an apostrophe at the front. An import removes it again.',
      hint: 'You can change the file and import it again: Mediadesk sends only what you changed.',
      save: 'Export…',
      saving: 'Exporting…',
    },
    import: {
      title: 'Import a spreadsheet',
      reading: 'Reading the file…',
      checking: 'Checking all rows…',
      file: (name: string, count: number) => `${name} · ${rows(count)}`,
      encoding: 'Encoding',
      encodings: {
        'utf-8': 'UTF-8',
        'utf-16le': 'UTF-16 (little endian)',
        'utf-16be': 'UTF-16 (big endian)',
        'windows-1252': 'Windows-1252 (Western European)',
      } satisfies Record<(typeof ENCODINGS)[number], string>,
      separator: 'Separator',
      separators: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab' },
      detected: 'Detected',
      columns: 'Columns',
      column: 'Column in the file',
      example: 'Example',
      field: 'Import as',
      fieldOf: (header: string) => `Import “${header}” as`,
      unnamed: (column: number) => `Column ${column}`,
      noExample: 'Empty',
      fields: {
        id: 'ID',
        title: 'Title',
        byline: 'Byline',
        description: 'Description',
        tags: 'Tags',
        collection: 'Collection',
        status: 'Status',
        publishOn: 'Publish time',
      },
      notImported: 'Don’t import',
      problems: {
        'no-id': 'Choose the column with the IDs of the items. An export has it.',
        'no-fields': 'Choose a field for at least one more column.',
        twice: 'Two columns would change the same field.',
      },
      changed: (count: number) => plural(count, { one: '# row changes an item', other: '# rows change an item' }),
      unchanged: (count: number) => plural(count, { one: '# changes nothing', other: '# change nothing' }),
      bad: (count: number) => plural(count, { one: '# row has errors', other: '# rows have errors' }),
      nothing: 'This file changes nothing: the items already have these values.',
      errors: 'Errors by row',
      errorsNotRead: 'The errors couldn’t be loaded',
      row: 'Row',
      place: 'Column',
      value: 'Value',
      error: 'Error',
      wholeRow: 'Whole row',
      saveErrors: 'Save a copy with an error column…',
      again: 'Read the file again',
      leaveOut: (count: number) => `Leave out ${rows(count)} with errors`,
      review: (count: number) =>
        count === 0 ? 'Review changes…' : `Review ${plural(count, { one: '# change', other: '# changes' })}…`,
      total: (count: number) => formatCount(count),
    },
  },
});
