import type { CatalogEntry } from './catalog-entry.ts';

/** Notices about faults of the app itself. */
export const APP_ERRORS = {
  'app.fault': {
    message: 'Something went wrong inside Mediadesk. Your uploads and edits are stored.',
    nextStep: 'The report is in the file named here. Nothing was sent; read it before you send it to anyone.',
    disposition: 'permanent',
  },
  'app.crashed': {
    message: 'Mediadesk ended unexpectedly. Your uploads and edits were stored and continue.',
    nextStep: 'The file named here shows where it happened. Nothing was sent; it can contain parts of the memory.',
    disposition: 'permanent',
  },
  'app.no-sandbox': {
    message: 'Mediadesk doesn’t start without the protection that keeps pages of the library away from your files.',
    nextStep:
      'Start it without --no-sandbox. If this system permits no user namespaces to an AppImage, as Ubuntu does since 24.04, install the deb or the rpm instead.',
    disposition: 'permanent',
  },
} as const satisfies Record<string, CatalogEntry>;
