/** The part of the error catalog about the transfer of bytes to their destination. See `ERROR_CATALOG`. */
export const TRANSFER_ERRORS = {
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
} as const;
