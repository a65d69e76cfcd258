import type { Separator } from '../../../shared/model/table/delimited-reader.ts';
import type { TextEncoding } from '../../../shared/model/table/encodings.ts';
import { counts, defineTexts, plural } from '../../kit/text/define-texts.ts';
import { fieldLabels } from '../../kit/text/item-fields.ts';

/** The choices for files after their upload, in the words of the add sheet and of watched folders. */
export const afterUpload = {
  choices: { keep: 'Keep files', move: 'Move to a folder', trash: 'Move to trash' },
  meaning: {
    keep: 'Mediadesk never changes your files.',
    move: 'Mediadesk moves each file when its item is complete in the library, the sizes match, and the file hasn’t changed.',
    trash:
      'Mediadesk moves each file to the trash when its item is complete in the library, the sizes match, and the file hasn’t changed. You can restore it from there.',
  },
  chooseFolder: 'Choose a folder…',
  otherFolder: 'Choose another folder…',
  noFolder: 'No folder chosen',
};

const quoted = (name: string) => `“${name}”`;

/** The texts that several views share. */
export const texts = defineTexts({
  en: {
    /** Marks of items with edits that the library has not received. */
    itemEdits: {
      pending: { edited: 'Not sent yet', deleted: 'Deletion not sent yet' },
      needs: {
        decision: { mark: 'Decide', title: 'These edits need your decision. Open Edits to see them.' },
        retry: { mark: 'Refused', title: 'The library refused these edits. Open Edits to retry, change or drop them.' },
      },
    },
    picture: {
      tooManyPixels: (megapixels: number) =>
        `This picture has ${megapixels} megapixels, which is too much for a thumbnail.`,
      choosePixels: 'Choose a picture with at most 50 megapixels.',
      undecodable: 'This picture can’t be read. The file may be damaged.',
      chooseOther: 'Choose another picture.',
    },
    addUploads: 'Add uploads',
    artworkProblems: {
      'not-square': 'It isn’t square.',
      'too-small': 'It has fewer than 1,400 pixels.',
      'too-large': 'It has more than 3,000 pixels.',
    },
    files: 'Files…',
    folder: 'Folder…',
    spreadsheet: 'Import a spreadsheet…',
    collectionHint: 'Enter part of the collection’s name',
    showCollections: 'Show collections',
    searching: 'Searching…',
    notSearched: 'The collections couldn’t be searched. Change the text to try again.',
    noCollection: 'No collection name contains this text.',
    openItem: 'Open item in the library',
    openPage: 'Open web page',
    copyHash: 'Copy SHA-256',
    showInFolder: 'Show in folder',
    restored: { text: 'You typed this earlier and didn’t send it.', discard: 'Discard' },
    nameDialog: { name: 'Name', missing: 'Enter a name.' },
    clock: {
      ahead: (minutes: number) =>
        plural(minutes, {
          one: 'This computer’s clock is # minute ahead of the library’s.',
          other: 'This computer’s clock is # minutes ahead of the library’s.',
        }),
      behind: (minutes: number) =>
        plural(minutes, {
          one: 'This computer’s clock is # minute behind the library’s.',
          other: 'This computer’s clock is # minutes behind the library’s.',
        }),
      next: 'The library publishes by its own clock. Let this computer set its clock automatically.',
    },
    fields: {
      ...fieldLabels,
      collection: 'Collection',
      publication: 'Publication',
      files: 'Files',
      item: 'Item',
      display_name: 'Name',
      slug: 'Slug',
      is_podcast: 'Podcast',
      inherit_memberships: 'Inherit memberships',
      autotranscribe_enabled: 'Transcribe automatically',
      autotranscribe_subcollections: 'Transcribe subcollections',
      autotranscribe_profile_id: 'Transcription profile',
      directory_author_name: 'Author',
      directory_author_email: 'Contact e-mail',
      directory_subtitle: 'Subtitle',
      directory_explicit: 'Explicit content',
      directory_category: 'Category',
      copyright: 'Copyright',
      directory_url: 'Directory address',
      directory_edu_category: 'Education category',
      feed_proxy_url: 'Feed proxy',
      parent: 'Parent collection',
      created: 'New collection',
    },
    values: {
      none: 'None',
      noTags: 'No tags',
      empty: 'Empty',
      deleted: 'Delete the item with its files',
      deletedCollection: (contents: string) => `Delete the collection with ${contents}`,
      deletedFile: (name: string) => `Delete the file “${name}”`,
      embedded: (address: string) => `Add ${address}`,
      created: (name: string) => `Create “${name}”`,
      publish: 'Publish',
      schedule: 'Schedule',
      unpublish: 'Unpublish',
      move: 'Move',
      on: 'On',
      off: 'Off',
      contents: (collections: number, items: number) => `${counts.collections(collections)}, ${counts.items(items)}`,
      timed: (status: string, time: string) => `${status}, ${time}`,
      collection: (id: string) => `Collection ${id}`,
      change: (field: string, before: string, after: string) => `${field}: ${before} → ${after}`,
    },
    /** The texts of saved options and saved patterns. */
    presets: {
      presets: {
        label: 'Presets',
        current: (name: string) => `Preset: ${name}`,
        choose: 'Presets of this collection',
        applied: (name: string) => `Used the preset ${quoted(name)}.`,
        save: 'Save these options…',
        saveTitle: 'Save a preset',
        saveHint:
          'Keeps titles, tags, publication and the other options for this collection, but no publish time. A preset of the same name is replaced.',
        renameTitle: 'Rename the preset',
        removeText: 'Uploads and watched folders that used it stay as they are.',
      },
      recipes: {
        label: 'Saved patterns',
        current: (name: string) => `Pattern: ${name}`,
        choose: 'Saved patterns',
        applied: (name: string) => `Used the pattern ${quoted(name)}.`,
        save: 'Save this pattern…',
        saveTitle: 'Save the pattern',
        saveHint: 'Keeps the pattern and its templates for all libraries. A pattern of the same name is replaced.',
        renameTitle: 'Rename the pattern',
        removeText: 'Items that it described stay as they are.',
      },
      needsCollection: 'Choose a collection first',
      count: (count: number) =>
        count === 0
          ? 'None saved yet'
          : plural(count, { one: '# for this collection', other: '# for this collection' }),
      savedCount: (count: number) =>
        count === 0 ? 'None saved yet' : plural(count, { one: '# saved', other: '# saved' }),
      saveAction: 'Save',
      rename: (name: string) => `Rename ${quoted(name)}…`,
      renameAction: 'Rename',
      remove: (name: string) => `Delete ${quoted(name)}…`,
      removeTitle: (name: string) => `Delete ${quoted(name)}?`,
      removeAction: 'Delete',
    },
    /** The texts of the fields for a pattern and its templates. */
    recipes: {
      pattern: 'Pattern',
      patternHint: '{course} reads text, {n} a number, {date:YYYYMMDD} a date, {*} text to ignore.',
      patternExample: '{date:YYYYMMDD}_{course}_{title}',
      hasUnderscores: 'Read underscores as blanks',
      templates: {
        title: 'Build title',
        byline: 'Build byline',
        description: 'Build description',
        tags: 'Build tags',
      },
      templateHint: 'Leave it empty to keep the field. {now} is its present value.',
      tagsHint: 'Separated by commas. {now} keeps the present tags.',
    },
    /** The texts about a spreadsheet that is read: its format, its columns, and its rows with errors. */
    spreadsheets: {
      encoding: 'Encoding',
      encodings: {
        'utf-8': 'UTF-8',
        'utf-16le': 'UTF-16 (little endian)',
        'utf-16be': 'UTF-16 (big endian)',
        'windows-1252': 'Windows-1252 (Western European)',
      } satisfies Record<TextEncoding, string>,
      separator: 'Separator',
      sheet: (name: string, count: number) => `Sheet “${name}” of ${count}`,
      separators: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab' } satisfies Record<Separator, string>,
      detect: 'Detect',
      detected: 'Detected',
      columns: 'Columns',
      column: 'Column in the file',
      example: 'Example',
      unnamed: (column: number) => `Column ${column}`,
      noExample: 'Empty',
      badRows: (count: number) => plural(count, { one: '# row has errors', other: '# rows have errors' }),
      row: 'Row',
      place: 'Column',
      value: 'Value',
      error: 'Error',
      wholeRow: 'Whole row',
      saveErrors: 'Save a copy with an error column…',
      again: 'Read the file again',
    },
  },
});
