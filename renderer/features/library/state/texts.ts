import type { CellProblemCode } from '../../../../shared/model/manifest/problems.ts';
import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';
import { itemFields } from '../../../kit/text/item-fields.ts';

/** Problems whose texts in the catalog are about a spreadsheet file. */
const PROBLEMS: Readonly<Partial<Record<CellProblemCode, string>>> = {
  'edit.title-empty': 'Enter a title. Items can’t have an empty one.',
  'edit.too-long': 'This text is too long. Shorten it.',
  'manifest.cant-clear': 'This field can’t be empty. Enter a value, or undo the change.',
  'manifest.status-unknown': 'The status must be draft, scheduled or published. Choose one of these.',
  'manifest.date-passed': 'This publish time is in the past. To publish now, choose “published” and undo the time.',
  'manifest.item-unknown':
    'The library no longer has this item, or your account has no access to it. Undo its changes.',
  'manifest.formula-failed': 'This is the error of a formula. Enter the value.',
};

/** The texts that the stores of the library show and announce. */
export const texts = defineTexts({
  en: {
    saved: 'Saved.',
    stored: 'Saved on this computer.',
    deleted: 'Item deleted.',
    valueMissing: (field: string) => `Enter a ${field}.`,
    lineTooLong: (field: string, limit: number) => `Use at most ${formatCount(limit)} characters for the ${field}.`,
    htmlTooLong: (field: string, limit: number, excess: number) =>
      `The ${field} has ${formatCount(excess)} characters too many. Use at most ${formatCount(limit)}, with its formatting.`,
    decideFirst: 'This changed in the library, too. Choose a value first.',
    notSavedOther: (title: string) => `The changes of “${title}” aren’t saved.`,
    item: 'The item',
    quoted: (title: string) => `“${title}”`,
    published: (name: string) => `${name} is published.`,
    draft: (name: string) => `${name} is a draft again.`,
    scheduled: (name: string, time: string) => `${name} will be published ${time}.`,
    otherStatus: (name: string, status: string) => `${name}: ${status}.`,
    /** The texts of the commands for collections. */
    collections: {
      nameNeeded: 'Enter a name.',
      nameTooLong: 'Use 255 characters or fewer.',
      slugNeeded: 'Enter a slug, or make one from the name.',
      slugForm: 'Use letters and digits, joined by hyphens.',
      descriptionTooLong: 'Use 200,000 characters or fewer.',
      renamed: (before: string, after: string) => `Renamed “${before}” to “${after}”.`,
      saved: (name: string) => `Saved “${name}”.`,
      newSlug: (slug: string) => `The slug is now “${slug}”.`,
      moved: (count: number, name: string, target: string) =>
        count === 1 ? `Moved “${name}” to “${target}”.` : `Moved ${counts.collections(count)} to “${target}”.`,
      notMoved: (count: number, total: number, reason: string) =>
        total === 1 ? reason : `${counts.collections(count)} of ${total} weren’t moved. ${reason}`,
      nothingToMove: 'These collections are already there.',
      tooMany: (count: number, limit: number) =>
        `You selected ${counts.collections(count)}. You can move or delete up to ${formatCount(limit)} at a time.`,
      tooManyNext: 'Select fewer, or select the collection that contains them.',
      undone: 'Undone.',
      pending: (sentence: string) =>
        `${sentence} Not in the library yet: Mediadesk sends it when it can reach the library.`,
      created: (name: string) => `Created “${name}”.`,
      deleting: (count: number, name: string) => `Deleting ${count === 1 ? `“${name}”` : counts.collections(count)}.`,
      deleted: (collectionCount: number, name: string, itemCount: number) =>
        `Deleted ${collectionCount === 1 ? `“${name}”` : counts.collections(collectionCount)}${itemCount === 0 ? '' : ` with ${counts.items(itemCount)}`}.`,
      linkCopied: 'Link copied.',
      linksCopied: (count: number) => plural(count, { one: '# link copied.', other: '# links copied.' }),
      noLink: 'The library doesn’t report a web page for this collection.',
      noLinkNext: 'Open the library in your browser to find it.',
    },
    /** The announcements of commands for files. */
    files: {
      adding: (count: number) =>
        plural(count, { one: 'Adding # file to the item.', other: 'Adding # files to the item.' }),
      deletedLater: (name: string) => `“${name}” will be deleted when the library can be reached.`,
      embedded: (name: string) => `Added “${name}”.`,
      embeddedLater: (name: string) => `“${name}” will be added when the library can be reached.`,
      notAdded: (name: string, reason: string) => `“${name}” wasn’t added. ${reason}`,
      chooseFolder: 'Choose a folder for the download',
      tooManyItems: (count: number, limit: number) =>
        `You selected ${counts.items(count)}. You can download up to ${counts.items(limit)} at a time.`,
      tooManyItemsNext: 'Select fewer items.',
      notOpened: (title: string, reason: string) => `“${title}” can’t be opened. ${reason}`,
      /** Why an item can’t be opened. */
      unopened: {
        offline: {
          text: 'The library can’t be reached, and Mediadesk keeps no copy of files on this computer.',
          nextStep: 'Try again when you’re online. Files that you downloaded are in their folder.',
        },
        sending: {
          text: 'Its file hasn’t arrived in the library completely.',
          nextStep: 'Uploads shows its progress if it is sent from this computer.',
        },
        processing: {
          text: 'The library is still processing its file.',
          nextStep: 'Try again when processing has ended.',
        },
        failed: {
          text: 'The library couldn’t process its file.',
          nextStep: 'Check that it opens on this computer, then replace it under Files in the inspector.',
        },
        aborted: {
          text: 'Its file didn’t arrive in the library in time.',
          nextStep: 'Upload the file again.',
        },
        format: {
          text: 'Mediadesk can’t show the format of its file.',
          nextStep: 'Download the file to open it with another program.',
        },
        empty: { text: 'It has no file.', nextStep: 'Add a file under Files in the inspector.' },
      } satisfies Record<string, { text: string; nextStep: string }>,
      isFirst: 'This is the first item of the list.',
      isLast: 'This is the last item of the list.',
      /** A screen reader reads it when the player shows another item of the list. */
      place: (title: string, index: number, total: number) =>
        `${title}, ${formatCount(index)} of ${formatCount(total)}`,
      downloading: (count: number) => plural(count, { one: 'Downloading # file.', other: 'Downloading # files.' }),
      downloaded: (name: string) => `“${name}” was downloaded.`,
      downloadedAll: (done: number, total: number) =>
        done === total
          ? plural(total, { one: 'Downloaded # file.', other: 'Downloaded # files.' })
          : `Downloaded ${formatCount(done)} of ${plural(total, { one: '# file', other: '# files' })}.`,
      showDownloads: { label: 'Show in folder', hint: 'Opens the folder of the files.' },
      notDownloadedAll: (failed: number, total: number) =>
        `${formatCount(failed)} of ${plural(total, { one: '# file', other: '# files' })} weren’t downloaded.`,
      notDownloadedNext: 'The list of downloads shows the reasons.',
      notDownloaded: (name: string, reason: string) => `“${name}” wasn’t downloaded. ${reason}`,
    },
    /** The texts about exports and imports that are shown outside their dialogs. */
    manifest: {
      exported: (count: number) => plural(count, { one: 'Exported # item.', other: 'Exported # items.' }),
      emptied: (count: number) =>
        plural(count, {
          one: '# text is too long for a cell of XLSX. Its cell is empty, which changes nothing when you import the file.',
          other:
            '# texts are too long for a cell of XLSX. Their cells are empty, which changes nothing when you import the file.',
        }),
      emptiedNext: 'To export them too, choose CSV.',
      showInFolder: 'Show in folder',
      showInFolderHint: 'Use “Show in folder” to open it.',
      fileName: 'items',
      errorsName: (fileName: string) => `${fileName} with errors`,
      errorsSaved: 'Saved a copy with an error column.',
      label: (fileName: string) => `Import ${fileName}`,
    },
    /** The texts of the checks of podcast details. */
    podcast: {
      savedHere: 'Podcast details saved on this computer. Mediadesk sends them when it can reach the library.',
      saved: 'Podcast details saved.',
      tooLong: (most: number) => `Use ${formatCount(most)} characters or fewer.`,
      authorIsTitle: 'This is also the title of the podcast. Directories expect a person or an organization.',
      emailInvalid: 'Enter an e-mail address, such as radio@example.org.',
      emailPersonal: 'This looks like a personal address. Everyone can read it in the feed.',
      subtitleLines: 'Directories show one line. Remove the line breaks.',
      subtitleLong: (length: number) => `${formatCount(length)} characters. Directories cut subtitles after about 255.`,
      addressInvalid: 'Enter a complete address that starts with https://.',
      feedIsDirectory: 'This is the address in the directory. Enter the address of the feed.',
      feedMoves: 'Subscribers follow the old address. Redirect it to the new one, or they lose the podcast.',
      explicitUnknown: (value: string) =>
        `The library has “${value}”, which directories don’t know. Choose one of these.`,
      ready: {
        title: { label: 'Title', ready: 'The name of the collection', missing: 'Enter a name for the collection.' },
        description: {
          label: 'Description',
          none: 'Add a description to the collection.',
          long: (bytes: number) => `${formatCount(bytes)} bytes. Directories accept up to 4,000.`,
          fits: (bytes: number) => `${formatCount(bytes)} of 4,000 bytes`,
        },
        author: { label: 'Author', ready: 'Set', missing: 'Enter who makes the podcast.' },
        email: {
          label: 'Contact e-mail',
          ready: 'Set',
          missing: 'Enter an address, so that directories can verify you.',
        },
        category: { label: 'Category', ready: 'Known to directories', missing: 'Choose a category.' },
        explicit: {
          label: 'Explicit content',
          ready: 'Set',
          missing: 'Choose a value. Directories refuse podcasts without one.',
        },
        artwork: {
          label: 'Artwork',
          none: 'Add a square picture of 1,400 to 3,000 pixels as thumbnail of the collection.',
          unknown: 'This library doesn’t report the thumbnail. It should be square, 1,400 to 3,000 pixels.',
          unsized: 'The size isn’t reported. It should be square, 1,400 to 3,000 pixels.',
          wrong: (width: number, height: number) =>
            `${formatCount(width)} × ${formatCount(height)} pixels. Use a square picture of 1,400 to 3,000 pixels.`,
          fits: (width: number, height: number) => `${formatCount(width)} × ${formatCount(height)} pixels`,
        },
        episodes: {
          label: 'Episodes',
          none: 'Publish an audio or video item.',
          unknown: 'The library doesn’t report how many items are published.',
          some: (count: number) => plural(count, { one: '# published episode', other: '# published episodes' }),
        },
        language: {
          label: 'Language',
          text: 'Set it in the library’s settings: the library doesn’t let Mediadesk read or change it.',
        },
      },
    },
    /** Texts of the stores for searches. */
    query: {
      presets: { drafts: 'Drafts', 'captions-missing': 'Captions missing' },
    },
    /** The texts of changes of several items. */
    selection: {
      form: {
        titleMissing: 'Enter a title. Items can’t have an empty one.',
        textMissing: 'Enter the text to add.',
        findMissing: 'Enter the text to find.',
        tagsMissing: 'Add a tag, or choose one to remove.',
        collectionMissing: 'Choose a collection.',
        timeMissing: 'Enter a date and a time.',
        nothingTicked: 'Turn on at least one field.',
        patternMissing: 'Enter a pattern, such as {date:YYYYMMDD}_{course}_{title}.',
        templateMissing: 'Enter what to build, such as {course}: {title}.',
      },
      labels: {
        fields: 'Edit fields',
        tags: 'Change tags',
        move: (name: string) => `Move to “${name}”`,
        publish: 'Publish',
        schedule: 'Schedule',
        unpublish: 'Unpublish',
        rename: 'Rename',
        remove: 'Delete',
      },
      alreadyThere: (count: number, name: string) =>
        plural(count, { one: `This item is already in “${name}”.`, other: `These items are already in “${name}”.` }),
      linksCopied: (count: number) => plural(count, { one: '# link copied.', other: '# links copied.' }),
      embedCopied: (count: number) => plural(count, { one: '# embed code copied.', other: '# embed codes copied.' }),
      tooManyCodes: (count: number, limit: number) =>
        `You selected ${counts.items(count)}. You can copy up to ${limit} embed codes at a time.`,
      tooManyCodesNext: 'Select fewer.',
      noLinks: 'The library doesn’t report web pages for these items.',
      noLinksNext: 'Open the library in your browser to find them.',
      tooManyLinks: (count: number, limit: number) =>
        `You selected ${counts.items(count)}. You can copy up to ${limit} links at a time.`,
      tooManyLinksNext: 'Select fewer, or export the list instead.',
      exported: (count: number) => `Exported ${counts.items(count)}.`,
    },
    /** The texts of the table of items. */
    table: {
      columns: {
        ...itemFields,
        type: 'Type',
        length: 'Length',
        createdOn: 'Added',
        modifiedOn: 'Changed',
        id: 'ID',
        size: 'Size in bytes',
        captions: 'Captions',
        views: 'Views',
        likes: 'Likes',
        comments: 'Comments',
      },
      problems: PROBLEMS,
      missing: (count: number) =>
        plural(count, {
          one: '# item isn’t shown, because the library no longer has it.',
          other: '# items aren’t shown, because the library no longer has them.',
        }),
      toCorrect: (count: number) =>
        plural(count, {
          one: '# cell has to be corrected first.',
          other: '# cells have to be corrected first.',
        }),
      leftOut: (count: number) =>
        plural(count, {
          one: '# item was left out. Its changes are still in the table.',
          other: '# items were left out. Their changes are still in the table.',
        }),
      nothing: 'Nothing changes: the library already has these values.',
      label: 'Edit as a table',
    },
  },
});
