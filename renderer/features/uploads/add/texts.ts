import type { UnclearPair } from '../../../../shared/contract/upload-files.ts';
import type { ItemField } from '../../../../shared/item/fields.ts';
import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';
import { fieldLabels, itemFields } from '../../../kit/text/item-fields.ts';
import { afterUpload } from '../../common/texts.ts';
import type { UnclearFile } from '../state/add-pairs.ts';
import { fieldNames } from '../state/texts.ts';

const kinds = {
  captions: (count: number) => plural(count, { one: '1 more caption file', other: '# more caption files' }),
  thumbnail: (count: number) => plural(count, { one: '1 more thumbnail', other: '# more thumbnails' }),
  details: (count: number) => plural(count, { one: '1 more description file', other: '# more description files' }),
} satisfies Record<UnclearPair['kind'], (count: number) => string>;

/** The texts of the sheet for adding files, and of its result. */
export const texts = defineTexts({
  en: {
    sound: {
      label: 'Waveforms of the recordings',
      silent: 'This recording is silent.',
    },
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
      /** `summary`: a sentence about the times; it can be empty. */
      seriesMeaning: (summary: string) =>
        `${summary} The files get their times in the order of the table, in its column “Publish”. You can change each.`.trimStart(),
      problems: {
        collection: 'Choose a collection.',
        publishAt: 'Enter a date and time.',
        series: 'Complete the publish times.',
        folder: 'Choose the folder for uploaded files.',
        cells: (count: number) =>
          plural(count, { one: 'Correct # marked cell in the table.', other: 'Correct # marked cells in the table.' }),
        noFiles: 'All files are left out. Include at least one.',
      },
    },

    /** The texts about titles that the library has already. */
    titles: {
      series: (title: string) => `“${title}” has the highest number of its series in this collection.`,
      continue: (title: string) => `Continue with “${title}”`,
      similarTo: (title: string) => `“${title}” in the collection may be the same as 1 of these files.`,
      similar: (count: number) => `${formatCount(count)} of these files may be in their collections already.`,
      similarHint: 'The titles are equal or similar.',
      show: 'Compare…',
      title: 'Files that may be in the library',
      lead: 'The titles of these items are equal or similar to those of the files. The lengths agree where both are known.',
      list: 'Items that may be the same',
      equal: 'Same title',
      close: 'Similar title',
      added: (time: string) => `added ${time}`,
      add: (fileName: string) => `Add ${fileName}`,
      open: 'Open web page',
      leaveAllOut: 'Leave all out',
      leftOut: (out: number, all: number) => `${formatCount(out)} of ${counts.files(all)} left out`,
      more: (count: number) => plural(count, { one: 'Show 1 more file', other: 'Show # more files' }),
      done: 'Done',
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
    /** The texts about a spreadsheet among the added files that describes them. */
    manifest: {
      reading: (name: string) => `Reading ${name}…`,
      offer: (name: string, described: number, all: number) =>
        `Use the descriptions in ${name} (${formatCount(described)} of ${counts.files(all)})?`,
      none: (name: string) => `${name} describes none of these files.`,
      unknown: (name: string) => `${name} may describe these files.`,
      unknownHint: 'Choose the column with the file names.',
      failed: (name: string) => `${name} can’t be read.`,
      used: (name: string, described: number, all: number) =>
        `Using the descriptions in ${name} for ${formatCount(described)} of ${counts.files(all)}.`,
      declined: (name: string) => `${name} isn’t used.`,
      bad: (count: number) =>
        plural(count, { one: '1 row has errors and isn’t used.', other: '# rows have errors and aren’t used.' }),
      notUploaded: 'The spreadsheet itself isn’t uploaded.',
      use: 'Use',
      check: 'Check…',
      chooseColumns: 'Choose columns…',
      decline: 'Don’t use',
      stop: 'Stop using',

      title: (name: string) => `Descriptions in ${name}`,
      columns: {
        field: 'Use as',
        fieldOf: (header: string) => `Use “${header}” as`,
        none: 'Don’t use',
        fields: { file: 'File name', ...itemFields },
      },
      mappingProblems: {
        'no-file': 'Choose the column with the file names.',
        twice: 'Two columns would fill the same field.',
      },
      counts: (described: number, all: number) => `Describes ${formatCount(described)} of ${counts.files(all)}`,
      problems: 'Rows with errors',
      moreProblems: (count: number) =>
        `The copy with an error column lists ${plural(count, { one: '1 more', other: '# more' })}.`,
      withoutRow: (count: number) => `${counts.files(count)} without a usable row`,
      withoutRowHint: 'They keep the options of the sheet.',
      notAdded: (count: number) => `${counts.rows(count)} for files that you didn’t add`,
      notAddedHint: 'They change nothing.',
      more: (count: number) => plural(count, { one: 'and 1 more', other: 'and # more' }),
      close: 'Close',
    },
    /** The texts about captions and thumbnails whose recording is not clear from their names. */
    pairing: {
      notice: (open: number) => plural(open, { one: '1 file needs your choice', other: '# files need your choice' }),
      noticeHint: (open: number) =>
        plural(open, {
          one: 'Its name doesn’t say clearly which recording it belongs to.',
          other: 'Their names don’t say clearly which recording they belong to.',
        }),
      noticeDone: (count: number) =>
        plural(count, { one: 'You chose where 1 file belongs', other: 'You chose where # files belong' }),
      noticeEarlier: (count: number) =>
        plural(count, {
          one: '1 file is added to the item of a recording that you uploaded earlier.',
          other: '# files are added to the items of recordings that you uploaded earlier.',
        }),
      choose: 'Choose…',
      change: 'Change…',
      title: 'Choose where these files belong',
      list: 'Files that need your choice',
      lead: 'Mediadesk doesn’t guess. Files without a choice aren’t uploaded.',
      kinds: { captions: 'Captions', thumbnail: 'Thumbnail', details: 'Description' } satisfies Record<
        UnclearPair['kind'],
        string
      >,
      doubts: {
        several: 'Several recordings have this name.',
        spelling: 'The name of the recording differs in capital letters or spaces.',
        part: 'The name of the recording is only similar.',
        taken: 'The recording already has a thumbnail.',
        earlier: 'Its recording was uploaded earlier.',
        repeated: 'The recording was uploaded several times.',
        changed: 'The recording was changed after its upload.',
        moved: 'The recording was moved or deleted, or this is a copy of it.',
        'has-one': 'The item already has captions with this name, or a thumbnail.',
        entered: 'Someone entered other values for the item.',
      } satisfies Record<Exclude<UnclearFile['doubt'], 'unreadable'>, string>,
      placeOf: (fileName: string) => `Place of ${fileName}`,
      open: 'Choose…',
      belongsTo: (fileName: string) => `Belongs to ${fileName}`,
      addTo: (recording: string) => `Add to the item of ${recording}`,
      describe: (recording: string) => `Change the item of ${recording}`,
      replaces: (fields: readonly ItemField[]) => `This replaces: ${fieldNames(fields)}.`,
      bulk: 'Several files at once',
      selectAll: (count: number) => plural(count, { one: 'Select 1 file', other: 'Select all # files' }),
      setSelected: (count: number) =>
        plural(count, { one: 'Set 1 selected file to', other: 'Set # selected files to' }),
      setOpen: (count: number) =>
        plural(count, { one: 'Set 1 file without a choice to', other: 'Set # files without a choice to' }),
      setNone: 'Select files to set them',
      offered: 'The first recording offered',
      offeredFor: (count: number) => counts.files(count),
      own: 'Upload as its own item',
      leftOut: 'Leave out',
      same: (kind: UnclearPair['kind'], count: number) => `Same for ${kinds[kind](count)}`,
      more: (count: number) => plural(count, { one: 'Show 1 more file', other: 'Show # more files' }),
      chosen: (chosen: number, all: number) => `${chosen} of ${counts.files(all)} chosen`,
      reset: 'Reset all',
      done: 'Done',
    },
  },
});
