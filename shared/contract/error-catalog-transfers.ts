/** The part of the error catalog about the transfer of bytes to their destination. See `ERROR_CATALOG`. */
export const TRANSFER_ERRORS = {
  'upload.completion-refused': {
    message: 'The library did not accept the notification that the file has arrived.',
    nextStep: 'Nothing to do: Mediadesk notifies it again, and sends the file again only if the library gives it up.',
    disposition: 'retry',
  },
  'upload.starts-again': {
    message: 'After this pause the file starts again from its first byte.',
    nextStep: 'Nothing to do: destinations close a connection on which nothing is sent for more than a few seconds.',
    disposition: 'retry',
  },
} as const;
