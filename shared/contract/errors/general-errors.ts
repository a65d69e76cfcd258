import type { CatalogEntry } from './catalog-entry.ts';

/** Errors of no area: invalid input, and faults of the program. */
export const GENERAL_ERRORS = {
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
} as const satisfies Record<string, CatalogEntry>;
