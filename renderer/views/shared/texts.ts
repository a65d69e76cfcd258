import { defineTexts, plural } from '../../text/define-texts.ts';

/** The texts of what several views share. */
export const texts = defineTexts({
  en: {
    addUploads: 'Add uploads',
    files: 'Files…',
    folder: 'Folder…',
    collectionHint: 'Enter part of the collection’s name',
    showCollections: 'Show collections',
    noCollection: 'No collection name contains this text.',
    openItem: 'Open item in the library',
    openPage: 'Open web page',
    copyHash: 'Copy SHA-256',
    showInFolder: 'Show in folder',
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
      title: 'Title',
      byline: 'Byline',
      description: 'Description',
      tags: 'Tags',
      collection: 'Collection',
      publication: 'Publication',
      item: 'Item',
    },
    values: {
      none: 'None',
      noTags: 'No tags',
      empty: 'Empty',
      deleted: 'Is deleted',
      scheduled: (status: string, time: string) => `${status}, ${time}`,
      collection: (id: string) => `Collection ${id}`,
      change: (field: string, before: string, after: string) => `${field}: ${before} → ${after}`,
    },
  },
});
