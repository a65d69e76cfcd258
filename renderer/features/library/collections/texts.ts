import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';

const subCollections = (count: number) => plural(count, { one: '# subcollection', other: '# subcollections' });

interface Deleted {
  collections: number;
  items: number;
}
const isNothing = (deleted: Deleted) => deleted.collections === 0 && deleted.items === 0;
const contents = (deleted: Deleted) =>
  [
    ...(deleted.collections > 0 ? [counts.collections(deleted.collections)] : []),
    ...(deleted.items > 0 ? [counts.items(deleted.items)] : []),
  ].join(' and ');

/** The texts of the collection tree and its dialogs. */
export const texts = defineTexts({
  en: {
    cancel: 'Cancel',
    close: 'Close',
    save: 'Save',
    saving: 'Saving…',
    retry: 'Retry',
    loading: 'Loading…',
    tree: {
      someExpanded: (count: number) => `Only the first ${count} collections were expanded.`,
    },
    menu: {
      label: (name: string) => `Commands for ${name}`,
      several: (count: number) => `Commands for ${counts.collections(count)}`,
      more: (name: string) => `More for ${name}`,
    },
    rename: {
      label: (name: string) => `New name for ${name}`,
    },
    drag: {
      one: (name: string) => `Move “${name}”`,
      several: (count: number) => `Move ${counts.collections(count)}`,
      into: (what: string, target: string) => `${what} to “${target}”`,
    },
    edit: {
      title: (name: string) => `Edit “${name}”`,
      loadingTitle: 'Edit collection',
      name: 'Name',
      slug: 'Slug',
      slugHint: 'The last part of the collection’s web address. Changing it breaks links to the old address.',
      makeSlug: 'Make from name',
      description: 'Description',
      podcast: 'This is a podcast',
      podcastOff: 'The podcast details stay in the library, but the collection no longer offers them.',
      access: 'Access',
      inherit: 'Use the access rights of the collection above',
      inheritOff: 'People with rights in the collection above lose access here, unless they have rights of their own.',
      captions: 'Automatic transcription',
      autotranscribe: 'Transcribe new items automatically',
      below: 'Use these settings in subcollections too',
      profile: 'Transcription profile',
      profileHint: 'The id of a profile of your library. Leave it empty for the standard one.',
      changedTitle: 'Load the current values',
      unsaved: 'Unsaved changes',
      discardTitle: 'Discard your changes?',
      discardText: (name: string) => `You changed “${name}” and didn’t save.`,
      keepEditing: 'Keep editing',
      discard: 'Discard changes',
      details: 'Podcast details…',
    },
    move: {
      title: (count: number, name: string) => (count === 1 ? `Move “${name}”` : `Move ${counts.collections(count)}`),
      target: 'Move to',
      hint: 'Subcollections and items move along.',
      move: 'Move',
      moving: 'Moving…',
      choose: 'Choose a collection.',
      impossible: 'Choose another collection: it can’t be moved there.',
    },
    remove: {
      title: (count: number, name: string) =>
        count === 1 ? `Delete “${name}”?` : `Delete ${counts.collections(count)}?`,
      counting: 'Counting what this deletes…',
      keep: 'Keep',
      remove: 'Delete',
      empty: (count: number) => (count === 1 ? 'The collection is empty.' : 'The collections are empty.'),
      list: 'This deletes:',
      subCollections,
      collections: counts.collections,
      items: counts.items,
      files: (count: number) => `${counts.files(count)} of these items, with their captions and encodings`,
      allFiles: 'All files of these items',
      podcasts: (count: number) =>
        plural(count, {
          one: '# podcast, with its subscribers’ feed',
          other: '# podcasts, with their subscribers’ feeds',
        }),
      forever: 'You can’t undo this.',
      foreverSeen: 'You can’t undo this. The numbers include everything that your account can see.',
      forbidden: (names: readonly string[], more: number) =>
        `You don’t have permission to delete ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Nothing was deleted.`,
      forbiddenNext: 'Ask an administrator for the permission, or move these collections first.',
      typeName: (name: string) => `Type ${name} to confirm`,
      typeWord: 'delete',
      progress: (done: number, total: number) => `${done} of ${counts.items(total)} deleted`,
      stop: 'Stop',
      stopping: 'Stopping…',
      stopped: (done: Deleted) =>
        isNothing(done) ? 'Stopped. Nothing was deleted.' : `Stopped. Already deleted: ${contents(done)}.`,
      partly: (done: Deleted) => (isNothing(done) ? null : `Already deleted: ${contents(done)}.`),
    },
    page: {
      label: 'Subcollections',
      heading: (count: number) => subCollections(count),
      below: (count: number) => `, ${counts.items(count)}`,
      includeBelow: 'Include items of subcollections',
      more: (count: number) => `Show ${count} more`,
      less: 'Show fewer',
      rest: 'The sidebar shows all of them.',
      commands: 'Commands for this collection',
    },
    /** The texts of the podcast details. */
    podcast: {
      title: (name: string) => `Podcast details of “${name}”`,
      loadingTitle: 'Podcast details',
      loading: 'Loading…',
      close: 'Close',
      save: 'Save',
      saving: 'Saving…',
      revert: 'Revert',
      retry: 'Retry',
      loadCurrent: 'Load the current values',
      unsaved: 'Unsaved changes. Mediadesk keeps them until you save or revert.',
      none: 'None',
      fields: {
        directory_author_name: 'Author',
        directory_author_email: 'Contact e-mail',
        directory_subtitle: 'Subtitle',
        directory_explicit: 'Explicit content',
        directory_category: 'Category',
        copyright: 'Copyright',
        directory_url: 'Address in a directory',
        directory_edu_category: 'Education category',
        feed_proxy_url: 'Feed proxy',
      },
      hints: {
        directory_author_email: 'The feed shows this address to everyone.',
        directory_subtitle: (length: number) => `One line. ${length} of 255 characters`,
        directory_category: 'Type to search 110 categories and subcategories.',
        directory_url: 'The page of this podcast in a podcast directory.',
        directory_edu_category: 'An old kind of category that directories no longer use. Its value is kept as it is.',
        feed_proxy_url: 'A service that offers the feed under its own address. Subscribers follow that address.',
      },
      otherCategory: (value: string) => `${value} (other)`,
      clearCategory: 'Clear the category',
      noCategory: 'No category contains this text.',
      showCategories: 'Show categories',
      explicit: {
        '': { label: 'Not set', meaning: 'Directories refuse a podcast without a value.' },
        no: { label: 'No', meaning: 'For everyone. Directories show no mark.' },
        clean: {
          label: 'Clean',
          meaning: 'An edited version without explicit content. Today’s directories treat it like No.',
        },
        yes: { label: 'Yes', meaning: 'Directories mark it as explicit, and some countries hide it.' },
      },
      copyrightSuggestion: (text: string) => `Use “${text}”`,
      open: 'Open',
      copy: 'Copy',
      openLink: (field: string) => `Open: ${field}`,
      copyLink: (field: string) => `Copy: ${field}`,
      copied: 'Copied.',
      readiness: {
        title: (ready: number, all: number) => `${ready} of ${all} ready for directories`,
        hint: 'Directories check these. You can save at any time.',
        states: { ready: 'Ready', missing: 'Missing', unknown: 'Not known' },
      },
      page: 'Open the web page',
      artwork: {
        check: 'Check a picture…',
        hint: 'Mediadesk measures a picture on this computer. It sends nothing.',
        fits: (name: string, size: string) => `${name}: ${size} pixels. Directories accept it.`,
        problems: (name: string, size: string, problems: readonly string[]) =>
          `${name}: ${size} pixels. ${problems.join(' ')}`,
        unreadable: (name: string) => `${name} isn’t a picture that Mediadesk can read. Choose a JPEG or PNG file.`,
      },
    },
  },
});
