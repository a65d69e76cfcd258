import { defineTexts, plural } from '../../text/define-texts.ts';

/** The texts of what several views share. */
export const texts = defineTexts({
  en: {
    addUploads: 'Add uploads',
    files: 'Files…',
    folder: 'Folder…',
    spreadsheet: 'Import a spreadsheet…',
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
      directory_author_email: 'Author’s email',
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
      deleted: 'Is deleted',
      created: (name: string) => `Is created as “${name}”`,
      on: 'On',
      off: 'Off',
      contents: (collections: number, items: number) =>
        `${plural(collections, { one: '# collection', other: '# collections' })}, ${plural(items, { one: '# item', other: '# items' })}`,
      scheduled: (status: string, time: string) => `${status}, ${time}`,
      collection: (id: string) => `Collection ${id}`,
      change: (field: string, before: string, after: string) => `${field}: ${before} → ${after}`,
    },
  },
});
