import type { CatalogEntry } from './catalog-entry.ts';

/** Errors and notices about uploads, their items and their processing; see also `TRANSFER_ERRORS`. */
export const UPLOAD_ERRORS = {
  'upload.may-exist': {
    message: 'The library may already have an item for this file: it didn’t respond when the item was created.',
    nextStep:
      'Check the empty items of the collection, then choose the item of this file or create a new one: in the list of uploads, or with “mediadesk items”. Retry checks again.',
    disposition: 'ask',
  },
  'upload.needs-create': {
    message: 'Your account isn’t allowed to add items to this collection.',
    nextStep: 'Choose another collection, or ask an administrator for the permission to add media to this one.',
    disposition: 'ask',
  },
  'upload.item-unconfirmed': {
    message: 'The library hasn’t confirmed yet whether it created the item of this upload.',
    nextStep: 'Wait until the upload continues, or decide about its item. Then change the details again.',
    disposition: 'ask',
  },
  'upload.no-destination': {
    message: 'The library created a file, but didn’t provide an address to send it to.',
    nextStep:
      'Ask the library’s administrator to check its API: the response must contain an upload descriptor. Then retry.',
    disposition: 'ask',
  },
  'upload.item-vanishes': {
    message: 'The library reported that it created the item, but doesn’t have it.',
    nextStep: 'Check in the library whether a person or a rule deletes new items, then retry.',
    disposition: 'ask',
  },
  'upload.size-differs': {
    message: 'The file in the library has a different size than this file.',
    nextStep: 'Retry to send it again. Don’t use the copy in the library.',
    disposition: 'ask',
  },
  'upload.processing-failed': {
    message: 'The library received the file but couldn’t process it.',
    nextStep: 'Check that the file plays, then retry or add a repaired copy.',
    disposition: 'ask',
  },
  'upload.not-published': {
    message: 'The file was uploaded as a draft, but the library didn’t publish it.',
    nextStep: 'Ask an administrator for the permission to publish, then retry. Or publish the item in the library.',
    disposition: 'ask',
  },
  'upload.processing-slow': {
    message: 'The library has been processing this file for an unusually long time.',
    nextStep:
      'The file was received, and Mediadesk keeps checking. If this continues, ask your administrator about the file named in the details.',
    disposition: 'ask',
  },
  'upload.tags-missing': {
    message: 'Some tags were added but don’t appear in the library.',
    nextStep: 'Check the tags of the item. The details name the missing ones.',
    disposition: 'permanent',
  },
  'upload.waits-for-collection': {
    message: 'Waiting for a new collection that isn’t in the library yet.',
    nextStep: 'The upload starts automatically when the collection exists.',
    disposition: 'retry',
  },
  'upload.looking': {
    message: 'Mediadesk is checking whether the library already has this item.',
    nextStep: 'The upload resumes automatically within two minutes.',
    disposition: 'retry',
  },
  'upload.may-arrive': {
    message: 'The library may still register the file, and your account isn’t allowed to withdraw it.',
    nextStep:
      'Mediadesk checks every minute. If the library gives the file up, after half an hour, Mediadesk sends it again.',
    disposition: 'retry',
  },
  'upload.not-noticed': {
    message:
      'The library hasn’t registered the file that was sent, and your account isn’t allowed to delete the unfinished file.',
    nextStep:
      'Delete the file in the library, or ask an administrator to delete it. Then retry, and Mediadesk sends it again. If the library registers the file in the meantime, a retry completes the upload.',
    disposition: 'ask',
  },
  'upload.held-back': {
    message: 'This upload waits for the ones before it, which the library would give up if they took much longer.',
    nextStep: 'It starts automatically when they are complete.',
    disposition: 'retry',
  },
  'upload.too-slow': {
    message: 'At this speed, the file may take longer than the half hour that the library allows.',
    nextStep: 'Mediadesk keeps sending. A faster connection or a higher speed limit helps.',
    disposition: 'retry',
  },
  'upload.paused-until': {
    message: 'The queue is paused.',
    nextStep: 'It resumes automatically at the end of the pause. To start earlier, resume the queue.',
    disposition: 'retry',
  },
  'upload.limit-zero': {
    message: 'Your timetable doesn’t allow sending at this time.',
    nextStep: 'Uploads resume automatically when it does. To start earlier, change the speed limit.',
    disposition: 'retry',
  },
  'upload.duplicate': {
    message: 'This collection already has this file.',
    nextStep: 'Skip it, or upload it anyway.',
    disposition: 'ask',
  },
  'upload.duplicate-skipped': {
    message: 'Skipped because this collection already has this file.',
    nextStep: 'To add a second copy, choose “Upload anyway”.',
    disposition: 'permanent',
  },
  'upload.same-file': {
    message: 'Skipped because the same file was added twice in this batch.',
    nextStep: 'To add a second copy, choose “Upload anyway”.',
    disposition: 'permanent',
  },
  'upload.title-fallback': {
    message: 'The title is the file name, because a token of the title template has no value for this file.',
    nextStep: 'Change the title of the upload, or of its item when the item exists.',
    disposition: 'permanent',
  },
  'upload.duplicate-under-way': {
    message: 'Another upload is sending the same file to this collection.',
    nextStep: 'When that upload ends, Mediadesk decides about this one.',
    disposition: 'retry',
  },
  'upload.unknown': {
    message: 'There’s no such upload.',
    nextStep: 'Check the ID in the list of uploads.',
    disposition: 'permanent',
  },
} as const satisfies Record<string, CatalogEntry>;
