import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';
import { fieldLabels } from '../../../kit/text/item-fields.ts';
import { afterUpload } from '../../common/texts.ts';

/** The texts of the sheet for adding files, and of its result. */
export const texts = defineTexts({
  en: {
    sheet: {
      table: 'Files to add',
      listing: 'Listing files…',
      listedFirst: (count: number) =>
        `The table shows the first ${formatCount(count)} files. Mediadesk adds the others with the options of this sheet.`,
      pattern: 'Fill from a pattern…',
      unknown: 'The files couldn’t be listed.',
      excluded: (count: number) => plural(count, { one: '# left out', other: '# left out' }),
      priorityLabel: 'Priority',
      priorities: { high: 'High', normal: 'Normal', low: 'Low' },
      discard: {
        title: 'Discard your changes?',
        text: (count: number) =>
          `${plural(count, { one: 'You changed # file in the table.', other: 'You changed # files in the table.' })} Nothing has been added yet.`,
        keep: 'Keep editing',
        confirm: 'Discard',
      },
      titleUnknown: 'Add recordings',
      titleMany: (count: number) => `Add more than ${formatCount(count)} files`,
      titleNothing: 'Nothing to add',
      title: (count: number) => `Add ${counts.files(count)}`,
      counting: 'Counting files…',
      moreThan: (bytes: string) => `more than ${bytes}`,
      skipped: (count: number) => plural(count, { one: '# skipped', other: '# skipped' }),
      unclear: (count: number) => plural(count, { one: '# needs your choice', other: '# need your choice' }),
      cancel: 'Cancel',
      submit: 'Add to the queue',
      submitting: 'Adding…',
      signIn: 'Sign in again',
      into: 'Collection',
      titles: 'Titles',
      tokens: 'Add a token',
      readingTitles: (known: number, count: number) =>
        `Reading titles inside the files: ${formatCount(known)} of ${counts.files(count)}…`,
      fallbackHint: 'The column “Note” says what is missing. You can change the titles in the table.',
      tags: 'Tags',
      publish: 'Publish',
      publishOptions: { draft: 'Save as draft', now: 'When complete', at: 'Later' },
      publishAt: 'Publish at',
      more: 'More options',
      duplicatesLabel: 'Duplicates',
      duplicates: { ask: 'Ask me', skip: 'Skip', upload: 'Upload anyway' },
      likely: (count: number) =>
        plural(count, { one: '1 file looks like a duplicate. ', other: '# files look like duplicates. ' }),
      duplicatesMeaning: {
        ask: 'Mediadesk asks before it sends a file that the collection already has. Other uploads continue.',
        skip: 'Mediadesk skips files that the collection already has. The receipt lists them.',
        upload: 'Mediadesk uploads files that the collection already has as second items.',
      },
      sidecars: 'Upload captions and thumbnails beside recordings',
      sidecarsFound: (count: number) => (count === 0 ? ' (none found)' : ` (${formatCount(count)} found)`),
      sidecarsMeaning: 'For example lecture.srt, lecture.en.vtt or lecture.jpg beside lecture.mp4.',
      sourceLabel: 'After uploading',
      sources: afterUpload.choices,
      sourceMeaning: afterUpload.meaning,
      chooseFolder: afterUpload.chooseFolder,
      otherFolder: afterUpload.otherFolder,
      noFolder: afterUpload.noFolder,
      folderDialog: 'Folder for uploaded files',
      summary: {
        ask: 'asks about duplicates',
        skip: 'skips duplicates',
        upload: 'uploads duplicates',
        sidecars: 'with captions and thumbnails',
        noSidecars: 'without captions and thumbnails',
        keep: 'keeps files',
        move: 'moves files afterwards',
        trash: 'trashes files afterwards',
      },
      onlyFirst: (count: number) => `Mediadesk counted the first ${formatCount(count)} files. It adds all of them.`,
      noFiles: 'Your selection contains no files.',
      noneSendable: (count: number) =>
        `${plural(count, { one: 'This file can’t', other: 'None of the # files can' })} be uploaded: empty, hidden, temporary or unreadable.`,
      problems: {
        collection: 'Choose a collection.',
        publishAt: 'Enter a date and time.',
        folder: 'Choose the folder for uploaded files.',
        cells: (count: number) =>
          plural(count, { one: 'Correct # marked cell in the table.', other: 'Correct # marked cells in the table.' }),
        noFiles: 'All files are left out. Include at least one.',
      },
    },

    fill: {
      title: 'Fill from a pattern',
      direction: 'Fill fields with',
      directions: { read: 'Parts of the file names', build: 'Text and tokens' },
      rows: 'Files',
      allRows: 'All files',
      selectedRows: (count: number) => `Selected (${formatCount(count)})`,
      patternMissing: 'Enter a pattern to see what it reads out of the names.',
      noField: 'Name a part {title}, {byline}, {description} or {tags}, or build a field of the parts below.',
      templateMissing: 'Enter what to build to see the values.',
      hasProblem: 'Correct the marked field to see the values.',
      values: 'Values by file',
      shownRows: 'Show',
      shown: {
        all: (count: number) => `All (${formatCount(count)})`,
        problems: (count: number) => `Not filled (${formatCount(count)})`,
      },
      fields: fieldLabels,
      file: 'File',
      keeps: 'No change',
      listedFirst: (count: number) => `The preview lists the first ${formatCount(count)}.`,
      counts: (changed: number, problems: number) =>
        problems === 0
          ? `${counts.files(changed)} will change.`
          : `${counts.files(changed)} will change, ${formatCount(problems)} can’t be filled completely.`,
      reading: (known: number, count: number) =>
        `Reading inside the files: ${formatCount(known)} of ${counts.files(count)}…`,
      readingRow: 'Reading…',
      tokens: { artist: 'artist in the tags of the file', title: 'title in the tags of the file' },
      cancel: 'Cancel',
      submit: (count: number) => (count === 0 ? 'Fill' : `Fill ${counts.files(count)}`),
    },

    result: {
      nothing: 'Nothing was added',
      added: (count: number) => `${counts.files(count)} added`,
      close: 'Close',
      willSend: (bytes: string) => `${bytes} to send. `,
      noFiles: 'Your selection contains no files.',
      skipped: (count: number) =>
        plural(count, {
          one: 'Mediadesk skips this file:',
          other: 'Mediadesk skips these # files and shows the reason:',
        }),
      skippedLabel: 'Skipped',
      more: (count: number) => `The receipt lists ${plural(count, { one: '1 more file', other: '# more files' })}.`,
    },
  },
});
