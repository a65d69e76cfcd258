import type { CatalogEntry, Disposition } from './catalog-entry.ts';
import { TRANSFER_ERRORS } from './error-catalog-transfers.ts';
import { FILE_ERRORS } from './file-errors.ts';

/** Every error that a user can see: its stable code, its sentence, the next step, and what the queue does about it. */
export const ERROR_CATALOG = {
  'input.invalid': {
    message: 'That request was not understood.',
    nextStep: 'Check what was entered and try again.',
    disposition: 'permanent',
  },
  internal: {
    message: 'Mediadesk hit a fault of its own.',
    nextStep: 'Try again. If it comes back, send the log file with a description of what you did.',
    disposition: 'ask',
  },

  // Sites and signing in
  'site.address-invalid': {
    message: 'That is not a web address.',
    nextStep: 'Enter the address of your library, such as https://media.example.org.',
    disposition: 'permanent',
  },
  'site.address-insecure': {
    message: 'That address is not encrypted (http), so passwords could be read on the way.',
    nextStep: 'Use the https:// address of your library.',
    disposition: 'permanent',
  },
  'site.unreachable': {
    message: 'No answer from that address.',
    nextStep: 'Check the address and your network connection, then try again.',
    disposition: 'wait-network',
  },
  'site.not-a-library': {
    message: 'Something answers at that address, but it is not a media library.',
    nextStep: 'Check the address; ask your administrator for the address of the library service.',
    disposition: 'permanent',
  },
  'site.moved': {
    message: 'This library has another address.',
    nextStep: 'Sign in with the address that is named here.',
    disposition: 'permanent',
  },
  'site.unknown': {
    message: 'That site is not set up here.',
    nextStep: 'Sign in to the site first.',
    disposition: 'ask',
  },
  'sign-in.denied': {
    message: 'Access was denied on the sign-in page.',
    nextStep: 'Sign in again and choose “Approve” if you want Mediadesk to use this library.',
    disposition: 'permanent',
  },
  'sign-in.failed': {
    message: 'The library reported a problem during sign-in.',
    nextStep: 'Try again; if it stays, check the client id with your administrator.',
    disposition: 'permanent',
  },
  'sign-in.window-closed': {
    message: 'The sign-in window was closed before the sign-in was complete.',
    nextStep: 'Sign in again when you are ready.',
    disposition: 'permanent',
  },
  'sign-in.cancelled': {
    message: 'The sign-in was cancelled.',
    nextStep: 'Sign in again when you are ready.',
    disposition: 'permanent',
  },
  'sign-in.timed-out': {
    message: 'The sign-in was not completed in time.',
    nextStep: 'Sign in again.',
    disposition: 'permanent',
  },
  'sign-in.state-mismatch': {
    message: 'The answer to the sign-in did not belong to this sign-in, so it was thrown away.',
    nextStep: 'Sign in again. If this repeats, someone may be tampering with your connection.',
    disposition: 'permanent',
  },
  'sign-in.code-refused': {
    message: 'The library did not accept the sign-in code.',
    nextStep: 'Sign in again; codes are short-lived and work once.',
    disposition: 'permanent',
  },
  'sign-in.port-taken': {
    message: 'No local port was free to receive the sign-in.',
    nextStep: 'Close programs that listen on many local ports, then try again.',
    disposition: 'permanent',
  },
  'sign-in.in-progress': {
    message: 'A sign-in is already open.',
    nextStep: 'Finish or cancel it first.',
    disposition: 'permanent',
  },
  'sign-in.required': {
    message: 'You are not signed in to this library.',
    nextStep: 'Sign in. Queued uploads wait until then.',
    disposition: 'sign-in',
  },
  'keychain.unavailable': {
    message: 'This computer has no keychain that Mediadesk can use.',
    nextStep:
      'A new sign-in lasts until Mediadesk is closed. To keep it, install a Secret Service (such as GNOME Keyring) or use the passphrase-protected file. Uploads that wait for a kept sign-in go on when the keychain answers, or when you sign in again.',
    disposition: 'wait-keychain',
  },
  'keychain.locked': {
    message: 'The keychain did not answer; it may be locked.',
    nextStep: 'Unlock your keychain. Uploads that wait for it then continue.',
    disposition: 'wait-keychain',
  },
  'keychain.wrong-passphrase': {
    message: 'The passphrase does not open the protected sign-in file.',
    nextStep: 'Check the passphrase, or delete the file and sign in again.',
    disposition: 'sign-in',
  },

  // The profile folder
  'profile.in-use': {
    message: 'Mediadesk is already running with this profile.',
    nextStep: 'Use the running Mediadesk, or close it first.',
    disposition: 'permanent',
  },
  'profile.damaged': {
    message: 'The upload queue could not be read and was set aside, untouched.',
    nextStep:
      'Look in the library before you add the same recordings again. This is said until the file named here is moved away.',
    disposition: 'ask',
  },
  'profile.rows-missing': {
    message: 'The newest entries of the upload queue are missing: part of its file was lost.',
    nextStep: 'Compare your folders with the library, and add what is not there.',
    disposition: 'ask',
  },
  'profile.row-damaged': {
    message: 'What was noted about this upload is damaged.',
    nextStep: 'Look for it in the library. If it is not there, add the file again.',
    disposition: 'permanent',
  },
  'profile.store-failing': {
    message: 'Nothing can be noted in the upload queue at the moment.',
    nextStep: 'Check that the disk has space. Uploads go on by themselves as soon as it has.',
    disposition: 'retry',
  },
  'profile.unwritable': {
    message: 'Nothing can be kept in the profile folder.',
    nextStep: 'Check that the folder may be written to and that the disk has space, then start Mediadesk again.',
    disposition: 'permanent',
  },
  'profile.newer': {
    message: 'This profile was written by a newer Mediadesk.',
    nextStep: 'Update Mediadesk.',
    disposition: 'permanent',
  },

  // Answers of the library
  'api.bad-request': {
    message: 'The library could not read the request.',
    nextStep: 'See the details; this is worth reporting.',
    disposition: 'permanent',
  },
  'api.forbidden': {
    message: 'You are not allowed to do that in this library.',
    nextStep: 'Ask an administrator for the permission, or choose another collection.',
    disposition: 'ask',
  },
  'api.not-found': {
    message: 'The library does not have that any more, or does not show it to you.',
    nextStep: 'Refresh, and check that it was not deleted.',
    disposition: 'ask',
  },
  'api.not-published': {
    message: 'The library took the request, but the item is not published.',
    nextStep: 'Refresh and check the status of the item, then publish it again.',
    disposition: 'permanent',
  },
  'api.conflict': {
    message: 'The library refused because something stands in the way.',
    nextStep: 'See the details, change what is in the way, then try again.',
    disposition: 'ask',
  },
  'api.invalid': {
    message: 'The library did not accept some of the values.',
    nextStep: 'Correct the values named in the details.',
    disposition: 'permanent',
  },
  'api.read-only': {
    message: 'The library is in maintenance and takes no changes for now.',
    nextStep: 'Uploads continue when the maintenance is over. Make other changes then.',
    disposition: 'wait-site',
  },
  'api.too-many-requests': {
    message: 'The library asks for fewer requests for now.',
    nextStep: 'Nothing to do: Mediadesk waits as long as the library asks, then continues.',
    disposition: 'wait-site',
  },
  'api.server-error': {
    message: 'The library had a fault of its own.',
    nextStep: 'Uploads are retried automatically. For anything else, try again in a few minutes.',
    disposition: 'retry',
  },
  'api.unexpected': {
    message: 'The library answered in a way that Mediadesk does not know.',
    nextStep: 'See the status and text in the details.',
    disposition: 'ask',
  },
  'api.malformed': {
    message: 'The library’s answer was damaged or not readable.',
    nextStep: 'Uploads are retried automatically. For anything else, try again in a few minutes.',
    disposition: 'retry',
  },

  // The network
  'network.unreachable': {
    message: 'The library can’t be reached.',
    nextStep: 'Check the connection. Uploads continue when it is back.',
    disposition: 'wait-network',
  },
  'network.timed-out': {
    message: 'The library took too long to answer.',
    nextStep: 'Uploads are retried automatically. For anything else, try again in a few minutes.',
    disposition: 'wait-network',
  },
  'network.tls': {
    message: 'The library’s certificate is not trusted, so no connection was made.',
    nextStep: 'Check the address and the date of this computer; ask your administrator about the certificate.',
    disposition: 'wait-network',
  },

  // The collection that the user named for queued uploads
  'collection.unknown': {
    message: 'The library has no such collection, or does not show it to this account.',
    nextStep:
      'Create the collection or ask for access to it, then retry. To use another collection, cancel these uploads and add the files again.',
    disposition: 'ask',
  },
  'collection.ambiguous': {
    message: 'Several collections of the library match.',
    nextStep:
      'Cancel these uploads and add the files again with the id of one of the collections named in the details.',
    disposition: 'ask',
  },

  ...FILE_ERRORS,

  // Uploads
  'upload.refused': {
    message: 'The upload destination refused the file.',
    nextStep: 'See the destination’s answer in the details.',
    disposition: 'ask',
  },
  'upload.destination-untrusted': {
    message: 'The certificate of the upload destination is not trusted, so nothing was sent there.',
    nextStep: 'Ask your administrator about the certificate, then retry.',
    disposition: 'ask',
  },
  'upload.connection-lost': {
    message: 'The connection broke during the transfer.',
    nextStep: 'Nothing to do: the file is sent again from the start.',
    disposition: 'retry',
  },
  'upload.stalled': {
    message: 'The transfer stood still for too long.',
    nextStep: 'Nothing to do: the file is sent again from the start.',
    disposition: 'retry',
  },
  'upload.destination-lost': {
    message: 'The library gave up waiting for the file.',
    nextStep: 'Nothing to do: a new destination is asked for.',
    disposition: 'retry',
  },
  'upload.not-received': {
    message: 'The destination answered, but the library does not have the file.',
    nextStep: 'Nothing to do: Mediadesk sends it again. Check for a network log-in page if this repeats.',
    disposition: 'retry',
  },
  ...TRANSFER_ERRORS,
  'upload.may-exist': {
    message: 'The library may already have an item for this file: it did not answer when the item was created.',
    nextStep:
      'Check the empty items of the collection, then choose the one that belongs to this file or create a new one: in the list of uploads, or with “mediadesk items”. Retry checks again.',
    disposition: 'ask',
  },
  'upload.no-destination': {
    message: 'The library created a file, but did not say where to send its contents.',
    nextStep:
      'Ask the administrator of the library whether its API answers completely: the answer has to contain an upload descriptor. Then retry.',
    disposition: 'ask',
  },
  'upload.item-vanishes': {
    message: 'The library says that it created the item, but then it does not have it.',
    nextStep: 'Check in the library whether somebody or a rule deletes new items. Then retry.',
    disposition: 'ask',
  },
  'upload.size-differs': {
    message: 'The library holds a different number of bytes than this file has.',
    nextStep: 'Retry to send it again; the copy in the library is not to be trusted.',
    disposition: 'ask',
  },
  'upload.processing-failed': {
    message: 'The library received the file but could not process it.',
    nextStep: 'Check that the file plays, then retry or add a repaired copy.',
    disposition: 'ask',
  },
  'upload.not-published': {
    message: 'The file arrived as a draft, but the library did not publish it.',
    nextStep: 'Ask an administrator for the permission to publish, then retry; or publish the item in the library.',
    disposition: 'ask',
  },
  'upload.processing-slow': {
    message: 'The library has been processing this file for unusually long.',
    nextStep:
      'Nothing was lost: Mediadesk keeps looking, ever more rarely, and does not send it again. If it stays, ask your administrator about the file named in the details.',
    disposition: 'ask',
  },
  'upload.tags-missing': {
    message: 'The library does not show some of the tags, although they were added.',
    nextStep: 'Check the tags of the item; the ones named in the details are missing.',
    disposition: 'permanent',
  },
  'upload.looking': {
    message: 'Looking whether the library already has this item.',
    nextStep: 'Nothing to do: Mediadesk goes on within a minute.',
    disposition: 'retry',
  },
  'upload.may-arrive': {
    message: 'The library may still notice the bytes that were sent, and this account may not take them back.',
    nextStep:
      'Nothing to do: Mediadesk looks every minute. When the library has given up on them, after half an hour, it sends the file again.',
    disposition: 'retry',
  },
  'upload.not-noticed': {
    message:
      'The library has not noticed the bytes that were sent, and this account may not delete the unfinished file.',
    nextStep:
      'Delete the file in the library or ask an administrator to do so, then retry: Mediadesk sends it again. A retry also continues when the library has noticed it meanwhile.',
    disposition: 'ask',
  },
  'upload.held-back': {
    message: 'It waits so that the transfers before it are through before the library gives up on them.',
    nextStep: 'Nothing to do: it goes on when the others are through.',
    disposition: 'retry',
  },
  'upload.too-slow': {
    message: 'At this speed it may take longer than the half hour that the library waits for a file.',
    nextStep: 'Mediadesk tries all the same. A faster connection or a higher bandwidth limit helps.',
    disposition: 'retry',
  },
  'upload.paused-until': {
    message: 'The queue is paused for a while.',
    nextStep: 'Nothing to do: Mediadesk goes on when the time has come. Resume the queue to go on now.',
    disposition: 'retry',
  },
  'upload.limit-zero': {
    message: 'By your bandwidth settings nothing is sent at this time.',
    nextStep: 'Nothing to do: Mediadesk goes on when the timetable allows it. Change the bandwidth limit to go on now.',
    disposition: 'retry',
  },
  'upload.duplicate': {
    message: 'This collection already has this file.',
    nextStep: 'Choose to skip it, or to upload it anyway.',
    disposition: 'ask',
  },
  'upload.duplicate-skipped': {
    message: 'This collection already has this file, so it was left out.',
    nextStep: 'Choose to upload it anyway if you want a second copy.',
    disposition: 'permanent',
  },
  'upload.same-file': {
    message: 'This is the same file as another one that was added with it.',
    nextStep: 'Choose to upload it anyway if you want a second copy.',
    disposition: 'permanent',
  },
  'upload.duplicate-under-way': {
    message: 'The same contents are being uploaded to this collection by another upload.',
    nextStep: 'Nothing to do: when that one has ended, Mediadesk decides about this one.',
    disposition: 'retry',
  },
  'upload.unknown': {
    message: 'There is no such upload.',
    nextStep: 'Check the id; the list of uploads shows all of them.',
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
