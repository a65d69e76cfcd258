import { ITEM_FIELD, type ItemField, LONGEST_TAG, recordOf, TEXT_FIELDS } from '../../../../shared/item/fields.ts';
import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';
import { fieldLabels } from '../../../kit/text/item-fields.ts';

const columns = {
  file: 'File',
  add: 'Add',
  ...fieldLabels,
  collection: 'Collection',
  publish: 'Publish',
  size: 'Size',
  note: 'Note',
};
/** Names of fields inside a sentence. */
export const fieldNames = (fields: readonly ItemField[]) =>
  fields.map((field) => columns[field].toLowerCase()).join(', ');
const needDecision = (count: number) => plural(count, { one: '# needs your decision', other: '# need your decision' });
const detailsSaved = (count: number) =>
  plural(count, { one: 'Changed the details of 1 upload.', other: 'Changed the details of # uploads.' });

/** The texts of the upload stores: messages, announcements, and the question before a cancel. */
export const texts = defineTexts({
  en: {
    columns,
    details: {
      item: 'Its item exists already. Edit it in the library.',
      unconfirmed: 'The library hasn’t confirmed its item yet.',
      failed: (reason: string) => `Not saved: ${reason}`,
      saved: detailsSaved,
      savedSome: (saved: number, left: number) =>
        saved === 0
          ? plural(left, {
              one: 'The details of 1 upload aren’t saved.',
              other: 'The details of # uploads aren’t saved.',
            })
          : `${detailsSaved(saved)} ${plural(left, { one: '# isn’t saved.', other: '# aren’t saved.' })}`,
      saveAgain: 'The column “Note” says why. Save them again, or discard the changes.',
      tooMany: (most: number) => `You can edit the details of at most ${formatCount(most)} uploads at a time.`,
      tooManyNextStep: 'Select fewer uploads.',
      noneLeft: 'None of the selected uploads is left.',
    },
    cantUpload: (reason: string) => `Can’t be uploaded: ${reason}`,
    described: (source: string) => `From ${source}`,
    ownChoices: {
      draft: 'Draft',
      now: 'When complete',
      noCollection: 'No collection has this path. Choose one from the list, or empty the cell.',
      date: {
        unreadable: 'Enter “Draft”, “When complete”, or a date such as 2031-05-06T09:00.',
        zone: 'The time zone isn’t known, or the offset is wrong for it.',
        skipped: 'Clocks are set forward then, so this time doesn’t exist. Enter the offset as well.',
        twice: 'Clocks are set back then, so this time occurs twice. Enter the offset as well.',
      },
      passed: 'This time has passed. Enter a later one, or “When complete”.',
    },
    manifestErrors: (fileName: string) => `${fileName} with errors`,
    manifestErrorsSaved: 'Saved a copy with an error column.',
    earlier: {
      captions: (recording: string) => `Captions of ${recording}`,
      thumbnail: (recording: string) => `Thumbnail of ${recording}`,
      details: (recording: string) => `Details of ${recording}`,
      moved: (recording: string, collection: string) => `${recording}, now in ${collection}`,
      changes: (fields: readonly ItemField[]) => `Changes the item: ${fieldNames(fields)}`,
      uploaded: (fileName: string, collection: string, time: string) =>
        `${fileName}, uploaded to ${collection} on ${time}`,
      uploading: (fileName: string, collection: string) => `${fileName}, in the queue for ${collection}`,
    },
    needsChoiceOfValues: 'Needs your choice: its item has other values',
    needsChoice: 'Needs your choice: its recording isn’t clear',
    seriesTooLong: (count: number, most: number) =>
      `${counts.files(count)} are too many: at most ${formatCount(most)} can be published one after another.`,
    seriesNotListed:
      'Not all files are listed yet, and the others would have no time. Wait for the list, or choose “All at one time”.',
    likelyDuplicate: 'Looks like a duplicate',
    withSidecars: (names: readonly string[]) => `With ${names.join(', ')}`,
    notYesOrNo: 'Enter yes or no.',
    cells: {
      ...recordOf(TEXT_FIELDS, (field) => ({
        empty: `Enter a ${fieldNames([field])}.`,
        'too-long': `A ${fieldNames([field])} has at most ${formatCount(ITEM_FIELD[field].most)} characters.`,
        'too-many': '',
      })),
      tags: {
        empty: 'A tag is empty.',
        'too-long': `A tag has at most ${LONGEST_TAG} characters.`,
        'too-many': `An item has at most ${ITEM_FIELD.tags.most} tags.`,
      },
    },
    contents: {
      reading: 'Reading inside the file…',
      recorded: (time: string, source: string) => `Recorded ${time} – ${source}`,
      sources: {
        apple: 'date in the file, with its time zone',
        exif: 'EXIF of the file',
        mp4: 'UTC date in the file, in the time zone of this computer',
        matroska: 'UTC date in the file, in the time zone of this computer',
        quicktime: 'date in the file',
        wav: 'date of the recorder in the file',
        tag: 'day in the tags of the file',
        name: 'day in the file name',
        changed: 'last change of the file',
      },
      noZone: (source: string) => `${source}, camera time without a time zone`,
    },
    titleIsName: (tokens: readonly string[]) =>
      `The title is the file name: no value for ${tokens.map((token) => `{${token}}`).join(', ')}.`,
    fill: {
      noMatch: 'The name doesn’t match the pattern.',
      missing: (field: string, tokens: readonly string[]) =>
        `${field} not filled: no value for ${tokens.map((token) => `{${token}}`).join(', ')}.`,
      invalid: (field: string, reason: string) => `${field} not filled: ${reason}`,
      contents: {
        damaged: 'The tags inside the file are damaged.',
        'too-slow': 'Reading the tags inside the file took too long.',
        failed: 'The tags inside the file couldn’t be read.',
        unreadable: 'The file can’t be read.',
        'in-cloud': 'The file is only in the cloud. To use its tags here, download it first.',
      },
    },
    collectionChosen: (count: number) => plural(count, { one: 'Retrying 1 upload.', other: 'Retrying # uploads.' }),
    tooLateToUndo: 'It’s too late to undo this.',
    retryCancelled: 'Retry the uploads that you want to keep.',
    findInReceipt: 'You can find these uploads in the receipt of their batch.',

    added: (count: number, collection: string | null, skipped: number) =>
      `${counts.files(count)} added${collection === null ? '' : ` to ${collection}`}${
        skipped > 0 ? `, ${plural(skipped, { one: '# skipped', other: '# skipped' })}` : ''
      }.`,
    fallbackTitles: (count: number) =>
      plural(count, {
        one: '1 title is the file name, because its file has no value for the template.',
        other: '# titles are file names, because their files have no value for the template.',
      }),
    nothingExpanded: 'Expand a batch to select its uploads.',
    cleared: (count: number) =>
      plural(count, {
        one: '1 upload removed from the list. Its receipt stays.',
        other: '# uploads removed from the list. Their receipts stay.',
      }),
    listedAgain: (count: number) =>
      plural(count, { one: 'The upload is back in the list.', other: '# uploads are back in the list.' }),
    nothingToClear: 'There is nothing to clear.',
    batchCleared: 'You removed this batch from the list.',
    listAgain: 'List it again',

    cancel: {
      title: (count: number, title: string | null) =>
        count === 1
          ? title === null
            ? 'Cancel this upload?'
            : `Cancel “${title}”?`
          : `Cancel ${counts.uploads(count)}?`,
      oneKept: 'The file is already in the library and stays there as a draft.',
      oneDelivered: 'The file is already in the library. If you cancel, Mediadesk deletes it there.',
      oneSending: 'Mediadesk is sending the file. If you cancel, the part already sent is lost.',
      oneRest: 'The file on this computer doesn’t change. You can retry the upload later.',
      delivered: (count: number) =>
        plural(count, {
          one: '1 file is already in the library. If you cancel, Mediadesk deletes it there.',
          other: '# files are already in the library. If you cancel, Mediadesk deletes them there.',
        }),
      kept: (count: number) =>
        plural(count, {
          one: '1 file is complete in the library and stays there as a draft.',
          other: '# files are complete in the library and stay there as drafts.',
        }),
      sending: (count: number) =>
        plural(count, {
          one: 'Mediadesk is sending 1 file. If you cancel, the part already sent is lost.',
          other: 'Mediadesk is sending # files. If you cancel, the parts already sent are lost.',
        }),
      waiting: (count: number) =>
        plural(count, { one: '1 other file isn’t sent yet.', other: '# other files aren’t sent yet.' }),
      rest: 'The files on this computer don’t change. You can retry the uploads later.',
      cancelled: (count: number, title: string | null) =>
        count === 1 && title !== null ? `“${title}” cancelled.` : `${counts.uploads(count)} cancelled.`,
      undone: (count: number) =>
        plural(count, { one: 'The upload is back in the queue.', other: '# uploads are back in the queue.' }),
      nothingLeft: 'There is nothing left to cancel.',
      changed: 'The uploads have changed. Read again what a cancel would do.',
      tooLate: 'The uploads ended before. Nothing was cancelled.',
    },

    resumed: 'Uploads resume.',
    pausedUntil: (time: string) => `All uploads are paused until ${time}.`,
    skipped: (count: number) => `${counts.files(count)} skipped.`,
    sendsReplaced: (count: number) =>
      plural(count, {
        one: 'Mediadesk sends the file that is there now.',
        other: 'Mediadesk sends the files that are there now, for # uploads.',
      }),
    uploadedAnyway: (count: number) => `${counts.files(count)} queued to upload anyway.`,
    continuesInNew: 'The upload continues in a new item.',
    continuesInItem: 'The upload continues in that item.',
    sentNext: (count: number) => plural(count, { one: '1 upload is next.', other: '# uploads are next.' }),
    priority: (count: number, priority: string) => `Priority of ${counts.uploads(count)}: ${priority}.`,

    moved: (what: string, place: string) => `${what} moved ${place}.`,
    uploads: counts.uploads,
    before: (name: string | undefined) => `in front of ${name ?? 'another upload'}`,
    behind: (name: string | undefined) => `behind ${name ?? 'another upload'}`,
    toTheEnd: 'to the end',
    tooManyToMove: 'Not all selected uploads are loaded.',
    tooManyToMoveNextStep: 'Select fewer, or drag them to their place.',

    ended: (name: string, complete: number, failed: number, needsDecision: number) =>
      `Uploads to ${name} ended: ${[
        plural(complete, { one: '# complete', other: '# complete' }),
        ...(failed > 0 ? [plural(failed, { one: '# failed', other: '# failed' })] : []),
        ...(needsDecision > 0 ? [needDecision(needsDecision)] : []),
      ].join(', ')}.`,
    failedMore: (name: string, count: number) => `${counts.uploads(count)} to ${name} failed.`,
    decisionsMore: (name: string, count: number) =>
      `${counts.uploads(count)} to ${name} ${count === 1 ? 'needs' : 'need'} your decision.`,
    progress: (name: string, percent: number, complete: number, total: number) =>
      `Uploads to ${name}: ${percent} percent, ${complete} of ${total} complete.`,
    moreBatches: (count: number) => plural(count, { one: '1 more batch changed.', other: '# more batches changed.' }),
  },
});
