import { defineTexts } from '../../text/define-texts.ts';

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
