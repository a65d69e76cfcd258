import type { CatalogEntry } from './catalog-entry.ts';

/** Errors about the desktop of the computer. */
export const DESKTOP_ERRORS = {
  'desktop.login-not-registered': {
    message: 'Mediadesk couldn’t change whether it starts at login.',
    nextStep: 'Check that you can write to the file named here, or change it in the settings of your system.',
    disposition: 'permanent',
  },
  'desktop.entry-not-registered': {
    message: 'Mediadesk couldn’t register itself with this desktop.',
    nextStep: 'Check that you can write to the file named here, and that xdg-mime (of xdg-utils) is installed.',
    disposition: 'permanent',
  },
} as const satisfies Record<string, CatalogEntry>;
