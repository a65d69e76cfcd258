import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';
import { fieldLabels, itemFields } from '../../../kit/text/item-fields.ts';

/** The texts of selected items, and of the dialogs that change them. */
export const texts = defineTexts({
  en: {
    cancel: 'Cancel',
    bar: {
      label: 'Selected items',
      count: (count: number, total: number) =>
        count === total && count > 1 ? `All ${counts.items(count)} selected` : `${counts.items(count)} selected`,
      deselect: 'Deselect',
      publication: 'Publish',
      table: 'Table…',
    },
    menu: { label: (count: number) => `Commands for ${counts.items(count)}`, details: 'Show details' },
    drag: {
      items: (count: number, title: string | null) => (title === null ? counts.items(count) : title),
      into: (what: string, collection: string) => `Move ${what} to “${collection}”`,
    },
    form: {
      label: 'Edit selected items',
      hint: 'Only fields that you turn on are changed.',
      change: (field: string) => `Change ${field}`,
      fields: {
        ...fieldLabels,
        collection: 'Collection',
        publication: 'Publication',
      },
      recipe: {
        label: 'Fill from a pattern',
        off: 'Reads titles',
        from: 'Read from',
        examples: 'Preview of the first items',
        examplesBusy: 'Updating the preview…',
        counts: (changed: number, problems: number) =>
          problems === 0
            ? `${counts.items(changed)} would change.`
            : `${counts.items(changed)} would change, ${formatCount(problems)} can’t be changed like this.`,
      },
      mixed: 'Mixed',
      empty: 'Empty',
      reading: 'Reading…',
      notRead: 'Not loaded for this many items',
      action: 'Action',
      actions: {
        set: 'Replace with',
        clear: 'Clear',
        prefix: 'Add before',
        suffix: 'Add after',
        replace: 'Find and replace',
      },
      text: 'New text',
      addedText: 'Text to add',
      find: 'Find',
      replaceWith: 'Replace with',
      matchCase: 'Match case',
      tagActions: { change: 'Add and remove', replace: 'Replace all tags' },
      addTags: 'Add tags',
      allTags: 'New tags',
      allTagsHint: 'Replaces every tag of the selected items. Without tags here, all are removed.',
      removeTags: 'Remove tags',
      remove: 'Remove',
      removeTag: (tag: string, count: number) => `Remove “${tag}” (${counts.items(count)})`,
      noTags: 'These items have no tags.',
      collection: 'Move to',
      publications: { now: 'Publish now', at: 'Schedule', unpublish: 'Unpublish' },
      at: 'Publish at',
      series: 'One after another…',
      schedule: (count: number) => (count === 0 ? 'Schedule' : `Schedule ${counts.items(count)}`),
      seriesOrder: 'Order',
      seriesOrders: { listed: 'As in the list', reversed: 'From the end of the list', title: 'By title' },
      seriesTooLong: (count: number, most: number) =>
        `${counts.items(count)} are selected. At most ${formatCount(most)} can be scheduled one after another: select fewer.`,
      review: (count: number) => (count === 1 ? 'Save' : 'Review changes…'),
      clearForm: 'Clear',
      nothingTicked: 'Turn on a field to change it.',
    },
    dialogs: {
      fields: (count: number) => `Edit ${counts.items(count)}`,
      tags: (count: number) => `Tags of ${counts.items(count)}`,
      move: (count: number) => `Move ${counts.items(count)}`,
      schedule: (count: number) => `Schedule ${counts.items(count)}`,
    },
    review: {
      title: (count: number) => plural(count, { one: 'Review # change', other: 'Review # changes' }),
      deleteTitle: (count: number) => plural(count, { one: 'Delete # item?', other: 'Delete # items?' }),
      loading: 'Reading the items…',
      loadingDelete: 'Counting the items…',
      progress: (read: number, total: number | null) =>
        total === null ? `${counts.items(read)} read` : `${formatCount(read)} of ${counts.items(total)} read`,
      deleteText:
        'This deletes the items from the library, with their files, captions and statistics. You can’t undo it.',
      typeWord: 'delete',
      type: (word: string) => `Type “${word}” to confirm`,
      unchanged: (count: number) =>
        plural(count, { one: '# item already has these values.', other: '# items already have these values.' }),
      problems: (count: number) =>
        plural(count, { one: '# item can’t be changed like this.', other: '# items can’t be changed like this.' }),
      missing: (count: number) =>
        plural(count, { one: '# item is no longer in the library.', other: '# items are no longer in the library.' }),
      excluded: (count: number) => plural(count, { one: '# item left out.', other: '# items left out.' }),
      nothing: 'Nothing to change: all of these items already have these values.',
      nothingDelete: 'These items are no longer in the library.',
      list: 'Changes by item',
      notRead: 'The changes couldn’t be loaded',
      again: 'Read again',
      columns: { include: 'Include', item: 'Item', changes: 'Change' },
      include: (title: string) => `Include ${title}`,
      untitled: 'Untitled',
      apply: (count: number) => plural(count, { one: 'Change # item', other: 'Change # items' }),
      remove: (count: number) => plural(count, { one: 'Delete # item', other: 'Delete # items' }),
      applying: 'Saving…',
      deleting: 'Deleting…',
    },
    /** The texts of the table of items. */
    table: {
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
    /** The texts of the dialogs that export and import spreadsheets. */
    manifest: {
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
        columns: 'Columns',
        order: (labels: readonly string[]) =>
          labels.length === 0 ? 'Choose at least one column.' : `In this order: ${labels.join(', ')}`,
        asListed: 'As in the list',
        usual: 'Usual columns',
        all: 'All columns',
        noId: 'Without the column “ID”, Mediadesk can’t import the file again.',
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
  },
});
