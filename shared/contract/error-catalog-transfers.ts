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
} as const;
