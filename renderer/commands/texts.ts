import { defineTexts } from '../text/define-texts.ts';

/** The texts of commands: the names in the palette, and why one was not run. */
export const texts = defineTexts({
  en: {
    needsAccount: 'You’re not signed in.',
    needsAccountNext: 'Sign in to do this.',
    palette: {
      addFiles: 'Add files…',
      addFolder: 'Add a folder…',
      library: 'Show library',
      uploads: 'Show uploads',
      watchFolder: 'Watch a folder…',
      watched: 'Show watched folders',
      receipts: 'Show receipts',
      settings: 'Settings',
      speed: 'Settings: speed limit and timetable',
      check: 'Check my uploads',
      accounts: 'Settings: accounts',
      search: 'Search items',
      newCollection: 'New collection…',
      pauseAll: 'Pause all uploads',
      /** `choice`: such as `Until tomorrow 08:00`. */
      pauseAllFor: (choice: string) => `Pause all uploads: ${choice.charAt(0).toLowerCase()}${choice.slice(1)}`,
      pauseUntil: 'Pause all uploads until…',
      resumeAll: 'Resume all uploads',
      retry: 'Retry failed uploads',
      refresh: 'Refresh',
      sidebar: 'Show or hide the sidebar',
      inspector: 'Show or hide the inspector',
      zoomIn: 'Zoom in',
      zoomOut: 'Zoom out',
      actualSize: 'Zoom: actual size',
      themes: { system: 'Theme: same as system', light: 'Theme: light', dark: 'Theme: dark' },
      shortcuts: 'Keyboard shortcuts',
      about: 'About Mediadesk',
      signOut: 'Sign out',
      cancel: 'Cancel the selected uploads…',
      undo: 'Undo the last change',
      keys: { delete: 'Delete' },
    },
  },
});
