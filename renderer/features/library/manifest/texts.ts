import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';
import { itemFields } from '../../../kit/text/item-fields.ts';

/** The texts of the dialogs that export and import spreadsheets. */
export const texts = defineTexts({
  en: {
    cancel: 'Cancel',
    export: {
      title: (count: number) => `Export ${counts.items(count)}`,
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
      file: (name: string, count: number) => `${name} · ${counts.rows(count)}`,
      columns: {
        field: 'Import as',
        fieldOf: (header: string) => `Import “${header}” as`,
        none: 'Don’t import',
        fields: { id: 'ID', ...itemFields },
      },
      problems: {
        'no-id': 'Choose the column with the IDs of the items. An export has it.',
        'no-fields': 'Choose a field for at least one more column.',
        twice: 'Two columns would change the same field.',
      },
      changed: (count: number) => plural(count, { one: '# row changes an item', other: '# rows change an item' }),
      unchanged: (count: number) => plural(count, { one: '# changes nothing', other: '# change nothing' }),
      nothing: 'This file changes nothing: the items already have these values.',
      errors: 'Errors by row',
      errorsNotRead: 'The errors couldn’t be loaded',
      leaveOut: (count: number) => `Leave out ${counts.rows(count)} with errors`,
      review: (count: number) =>
        count === 0 ? 'Review changes…' : `Review ${plural(count, { one: '# change', other: '# changes' })}…`,
      total: (count: number) => formatCount(count),
    },
  },
});
