import type { CatalogEntry, Disposition } from './catalog-entry.ts';
import { COLLECTION_ERRORS } from './collection-errors.ts';
import { CONTENT_ERRORS } from './content-errors.ts';
import { EDIT_ERRORS } from './edit-errors.ts';
import { FILE_ERRORS } from './file-errors.ts';
import { MANIFEST_ERRORS } from './manifest-errors.ts';
import { TRANSFER_ERRORS } from './transfer-errors.ts';
import { WATCH_ERRORS } from './watch-errors.ts';

/** Every error that a user can see: its stable code, its sentence, the next step, and what the queue does about it. */
export const ERROR_CATALOG = {
  'input.invalid': {
    message: 'Something in this request isn’t valid.',
    nextStep: 'Check what you entered and try again.',
    disposition: 'permanent',
  },
  internal: {
    message: 'Something went wrong inside Mediadesk.',
    nextStep: 'Try again. If it happens again, report it: attach the log file and describe what you did.',
    disposition: 'ask',
  },

  // Sites and signing in
  'site.address-invalid': {
    message: 'This isn’t a web address.',
    nextStep: 'Enter the address of your library, such as https://media.example.org.',
    disposition: 'permanent',
  },
  'site.address-insecure': {
    message: 'This address isn’t encrypted (http), so others could read your password.',
    nextStep: 'Use the https:// address of your library.',
    disposition: 'permanent',
  },
  'site.unreachable': {
    message: 'There’s no answer from this address.',
    nextStep: 'Check the address and your network connection, then try again.',
    disposition: 'wait-network',
  },
  'site.not-a-library': {
    message: 'This address belongs to a website, but not to a media library.',
    nextStep: 'Check the address, or ask your administrator for the address of the library.',
    disposition: 'permanent',
  },
  'site.moved': {
    message: 'This library has moved to another address.',
    nextStep: 'Sign in with the new address.',
    disposition: 'permanent',
  },
  'site.unknown': {
    message: 'This library isn’t set up on this computer.',
    nextStep: 'Sign in to the library first.',
    disposition: 'ask',
  },
  'sign-in.denied': {
    message: 'Access was denied on the sign-in page.',
    nextStep: 'To use this library with Mediadesk, sign in again and choose “Approve”.',
    disposition: 'permanent',
  },
  'sign-in.failed': {
    message: 'The library reported a problem while you were signing in.',
    nextStep: 'Try again. If it fails again, ask your administrator to check the client ID.',
    disposition: 'permanent',
  },
  'sign-in.window-closed': {
    message: 'The sign-in window was closed before you finished signing in.',
    nextStep: 'Sign in again when you’re ready.',
    disposition: 'permanent',
  },
  'sign-in.cancelled': {
    message: 'You cancelled the sign-in.',
    nextStep: 'Sign in again when you’re ready.',
    disposition: 'permanent',
  },
  'sign-in.timed-out': {
    message: 'The sign-in took too long.',
    nextStep: 'Sign in again.',
    disposition: 'permanent',
  },
  'sign-in.state-mismatch': {
    message: 'The response didn’t belong to this sign-in, so Mediadesk rejected it.',
    nextStep: 'Sign in again. If this repeats, someone may be tampering with your connection: tell your administrator.',
    disposition: 'permanent',
  },
  'sign-in.code-refused': {
    message: 'The library didn’t accept the sign-in code.',
    nextStep: 'Sign in again. Each code works once, for a short time.',
    disposition: 'permanent',
  },
  'sign-in.port-taken': {
    message: 'Mediadesk found no free local port to receive the sign-in.',
    nextStep: 'Close programs that use many local ports, then try again.',
    disposition: 'permanent',
  },
  'sign-in.in-progress': {
    message: 'Another sign-in is already open.',
    nextStep: 'Finish or cancel it first.',
    disposition: 'permanent',
  },
  'sign-in.required': {
    message: 'You’re not signed in to this library.',
    nextStep: 'Sign in. Your uploads resume automatically.',
    disposition: 'sign-in',
  },
  'sign-out.unsent': {
    message: 'Edits or uploads of this account aren’t in the library yet, so you weren’t signed out.',
    nextStep:
      'Send or drop them first, or sign out with --yes: they stay on this computer and are sent after your next sign-in.',
    disposition: 'permanent',
  },
  'keychain.unavailable': {
    message: 'Mediadesk found no keychain on this computer.',
    nextStep:
      'You can sign in, but only until you close Mediadesk. To stay signed in, install a Secret Service (such as GNOME Keyring) or use the passphrase-protected file. Waiting uploads resume when the keychain is available or when you sign in again.',
    disposition: 'wait-keychain',
  },
  'keychain.locked': {
    message: 'The keychain isn’t responding. It may be locked.',
    nextStep: 'Unlock your keychain. Waiting uploads resume automatically.',
    disposition: 'wait-keychain',
  },
  'keychain.wrong-passphrase': {
    message: 'The passphrase doesn’t match the protected sign-in file.',
    nextStep: 'Check the passphrase, or delete the file and sign in again.',
    disposition: 'sign-in',
  },

  // The profile folder
  'profile.in-use': {
    message: 'Mediadesk is already running with this profile.',
    nextStep: 'Use the Mediadesk that is running, or close it first.',
    disposition: 'permanent',
  },
  'profile.damaged': {
    message: 'The upload queue was damaged. Mediadesk saved it unchanged and started a new one.',
    nextStep:
      'Check the library before you add the same recordings again. This message stays until you move the file named here.',
    disposition: 'ask',
  },
  'profile.rows-missing': {
    message: 'Part of the upload queue’s file is lost, so its newest uploads are missing.',
    nextStep: 'Compare your folders with the library and add what is missing.',
    disposition: 'ask',
  },
  'profile.edits-missing': {
    message: 'Part of the file with your edits is lost, so the newest ones are missing.',
    nextStep: 'Check your latest changes in the library and make the missing ones again.',
    disposition: 'ask',
  },
  'profile.row-damaged': {
    message: 'The saved data of this upload is damaged.',
    nextStep: 'Search for the recording in the library. If it isn’t there, add the file again.',
    disposition: 'permanent',
  },
  'profile.setting-unreadable': {
    message: 'Something that you saved in Mediadesk is damaged, so Mediadesk does without it.',
    nextStep: 'Save it again. Mediadesk keeps the damaged text in its profile folder.',
    disposition: 'permanent',
  },
  'profile.store-failing': {
    message: 'Mediadesk can’t read or save its data right now.',
    nextStep: 'Check that the drive is connected and has free space. Uploads and edits resume automatically.',
    disposition: 'retry',
  },
  'profile.unwritable': {
    message: 'Mediadesk can’t save anything in the profile folder.',
    nextStep: 'Check that you can write to the folder and that the drive has free space, then start Mediadesk again.',
    disposition: 'permanent',
  },
  'profile.newer': {
    message: 'A newer version of Mediadesk has used this profile.',
    nextStep: 'Update Mediadesk.',
    disposition: 'permanent',
  },

  // Answers of the library
  'api.bad-request': {
    message: 'The library couldn’t read the request.',
    nextStep: 'See the details and report this problem.',
    disposition: 'permanent',
  },
  'api.forbidden': {
    message: 'You don’t have permission to do this in this library.',
    nextStep: 'Ask an administrator for the permission, or choose another collection.',
    disposition: 'ask',
  },
  'api.not-found': {
    message: 'The library no longer has this, or you don’t have access to it.',
    nextStep: 'Refresh, and check whether it was deleted.',
    disposition: 'ask',
  },
  'api.not-published': {
    message: 'The library accepted the request, but the item isn’t published.',
    nextStep: 'Refresh and check the status of the item, then publish it again.',
    disposition: 'permanent',
  },
  'api.conflict': {
    message: 'The library refused this because it conflicts with something else.',
    nextStep: 'See the details, resolve the conflict, then try again.',
    disposition: 'ask',
  },
  'api.invalid': {
    message: 'The library didn’t accept some of the values.',
    nextStep: 'Correct the values named in the details.',
    disposition: 'permanent',
  },
  'api.read-only': {
    message: 'The library is in maintenance and can’t be changed.',
    nextStep: 'Uploads and edits are sent afterwards.',
    disposition: 'wait-site',
  },
  'api.too-many-requests': {
    message: 'The library is busy and asked Mediadesk to wait.',
    nextStep: 'Uploads resume automatically when the library allows it.',
    disposition: 'wait-site',
  },
  'api.server-error': {
    message: 'The library has a problem.',
    nextStep: 'Uploads are retried automatically. For anything else, try again in a few minutes.',
    disposition: 'retry',
  },
  'api.unexpected': {
    message: 'The library sent a response that Mediadesk doesn’t understand.',
    nextStep: 'See the status and the text in the details.',
    disposition: 'ask',
  },
  'api.malformed': {
    message: 'The library’s response was damaged or unreadable.',
    nextStep: 'Uploads are retried automatically. For anything else, try again in a few minutes.',
    disposition: 'retry',
  },

  // The network
  'network.unreachable': {
    message: 'Mediadesk can’t reach the library.',
    nextStep: 'Check your connection. Uploads resume automatically when you’re back online.',
    disposition: 'wait-network',
  },
  'network.timed-out': {
    message: 'The library took too long to respond.',
    nextStep: 'Uploads are retried automatically. For anything else, try again in a few minutes.',
    disposition: 'wait-network',
  },
  'network.tls': {
    message: 'The library’s certificate isn’t trusted, so Mediadesk didn’t connect.',
    nextStep:
      'Check the address and this computer’s date. If both are right, ask your administrator about the certificate.',
    disposition: 'wait-network',
  },

  // The collection that the user named for queued uploads
  'collection.unknown': {
    message: 'The library doesn’t have this collection, or your account has no access to it.',
    nextStep:
      'Create the collection or ask for access to it, then retry. To use another collection, cancel these uploads and add the files again.',
    disposition: 'ask',
  },
  'collection.not-created': {
    message: 'The collection of these uploads wasn’t created in the library.',
    nextStep: 'Choose another collection for them, or cancel them.',
    disposition: 'ask',
  },
  'collection.ambiguous': {
    message: 'Several collections of the library match.',
    nextStep: 'Cancel these uploads and add the files again with the ID of one of the collections in the details.',
    disposition: 'ask',
  },

  ...COLLECTION_ERRORS,
  ...EDIT_ERRORS,
  ...CONTENT_ERRORS,
  ...FILE_ERRORS,
  ...WATCH_ERRORS,
  ...MANIFEST_ERRORS,

  // Uploads
  'upload.refused': {
    message: 'The upload server refused the file.',
    nextStep: 'See the server’s response in the details.',
    disposition: 'ask',
  },
  'upload.destination-untrusted': {
    message: 'The upload server’s certificate isn’t trusted, so nothing was sent.',
    nextStep: 'Ask your administrator about the certificate, then retry.',
    disposition: 'ask',
  },
  'upload.connection-lost': {
    message: 'The connection was lost while the file was being sent.',
    nextStep: 'Mediadesk sends the file again from the start.',
    disposition: 'retry',
  },
  'upload.stalled': {
    message: 'The transfer stalled for too long.',
    nextStep: 'Mediadesk sends the file again from the start.',
    disposition: 'retry',
  },
  'upload.destination-lost': {
    message: 'The library stopped waiting for the file.',
    nextStep: 'Mediadesk requests a new destination and sends the file again.',
    disposition: 'retry',
  },
  'upload.not-received': {
    message: 'The upload server responded, but the library doesn’t have the file.',
    nextStep: 'Mediadesk sends the file again. If this repeats, check whether your network has a sign-in page.',
    disposition: 'retry',
  },
  ...TRANSFER_ERRORS,
  'upload.may-exist': {
    message: 'The library may already have an item for this file: it didn’t respond when the item was created.',
    nextStep:
      'Check the empty items of the collection, then choose the item of this file or create a new one: in the list of uploads, or with “mediadesk items”. Retry checks again.',
    disposition: 'ask',
  },
  'preset.name-taken': {
    message: 'Another preset has this name already.',
    nextStep: 'Choose another name, or delete the other preset.',
    disposition: 'ask',
  },
  'preset.too-many': {
    message: 'You saved as many presets as Mediadesk keeps.',
    nextStep: 'Delete presets that you no longer need.',
    disposition: 'ask',
  },
  'recipe.name-taken': {
    message: 'Another saved pattern has this name already.',
    nextStep: 'Choose another name, or delete the other pattern.',
    disposition: 'ask',
  },
  'recipe.too-many': {
    message: 'You saved as many patterns as Mediadesk keeps.',
    nextStep: 'Delete patterns that you no longer need.',
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
    message: 'This upload doesn’t exist.',
    nextStep: 'Check the ID in the list of uploads.',
    disposition: 'permanent',
  },
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof ERROR_CATALOG;

export function dispositionOf(code: string): Disposition {
  return code in ERROR_CATALOG ? ERROR_CATALOG[code as ErrorCode].disposition : 'permanent';
}

/** Returns true when the queue does not retry automatically after this error. */
export function endsTries(code: string): boolean {
  const disposition = dispositionOf(code);
  return disposition === 'permanent' || disposition === 'ask';
}
