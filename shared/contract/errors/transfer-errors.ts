import type { CatalogEntry } from './catalog-entry.ts';

/** Errors about the transfer of bytes to their destination. */
export const TRANSFER_ERRORS = {
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
  'upload.completion-refused': {
    message: 'The library didn’t accept the notification that the file has arrived.',
    nextStep: 'Mediadesk notifies the library again. It sends the file again only if the library gives it up.',
    disposition: 'retry',
  },
  'upload.starts-again': {
    message: 'After this pause, the file starts again from the beginning.',
    nextStep:
      'When you resume, Mediadesk sends the whole file: upload servers close connections that are idle for more than a few seconds.',
    disposition: 'retry',
  },
  'upload.new-file-gone': {
    message: 'The library no longer has the new file, so Mediadesk kept the file that it should replace.',
    nextStep: 'Check the files of the item, then replace the file again.',
    disposition: 'permanent',
  },
  'upload.item-deleted': {
    message: 'The item that this file was for no longer exists in the library.',
    nextStep: 'Cancel this upload. To keep the file in the library, upload it as an item of its own.',
    disposition: 'permanent',
  },
} as const satisfies Record<string, CatalogEntry>;
