import { defineTexts, plural } from '../../text/define-texts.ts';
import { formatCount } from '../../text/format.ts';

/** The texts of the main window: sidebar, notices, upload strip and the dialogs of the frame. */
export const texts = defineTexts({
  en: {
    dismiss: 'Dismiss',
    sidebar: {
      label: 'Sidebar',
      views: 'Views',
      names: { library: 'Library', uploads: 'Uploads', receipts: 'Receipts', settings: 'Settings' },
      failed: 'failed',
      inProgress: 'in progress',
      asking: (count: number) => (count === 1 ? 'needs your decision' : 'need your decision'),
      hide: 'Hide the sidebar',
      show: 'Show the sidebar',
      width: 'Width of the sidebar',
      collections: 'Collections',
      newCollection: 'New collection…',
      find: 'Find a collection',
      retry: 'Retry',
    },
    account: {
      menu: 'Account',
      menuPrefix: 'Account: ',
      accounts: 'Accounts',
      signedIn: 'Signed in',
      online: 'Online',
      unreachable: 'Unreachable',
      signInRequired: 'Sign-in required',
      themes: { system: 'Theme: same as system', light: 'Theme: light', dark: 'Theme: dark' },
      refresh: 'Refresh',
      shortcuts: 'Keyboard shortcuts',
      about: 'About Mediadesk',
      signInAgain: 'Sign in again…',
      anotherAccount: 'Sign in to another account…',
      signOut: 'Sign out',
    },
    strip: {
      label: 'Upload status',
      ended: (ended: number, total: number) => `${formatCount(ended)} of ${formatCount(total)}`,
      timeLeft: (time: string) => `${time} left`,
      failed: (count: number) => `${formatCount(count)} failed`,
      needDecision: (count: number) => plural(count, { one: '# needs your decision', other: '# need your decision' }),
      complete: (count: number) => `${formatCount(count)} complete`,
      phases: {
        sentFinishing: 'all sent, finishing',
        sentProcessing: 'all sent, processing in the library',
        sending: 'sending',
        starting: 'starting',
        finishing: 'finishing',
        processing: 'processing in the library',
        waiting: 'waiting',
      },
      uploadsFailed: (count: number) => plural(count, { one: '# upload failed', other: '# uploads failed' }),
      uploadsComplete: (count: number) =>
        count === 1 ? 'Your upload is complete' : `All ${formatCount(count)} uploads are complete`,
      uploadsNeedDecision: (count: number) =>
        plural(count, { one: '# upload needs your decision', other: '# uploads need your decision' }),
      followUpsFailed: (count: number) =>
        plural(count, { one: '# with a problem afterwards', other: '# with problems afterwards' }),
      none: 'No uploads',
      signInEnded: 'The library ended your sign-in.',
      otherAccount: (account: string | null, library: string) =>
        account === null ? `${library}: ` : `${account}, ${library}: `,
      limitNow: (words: string) => `Speed limit now: ${words}`,
      signInAgain: 'Sign in again',
      progress: 'All uploads',
      percent: (share: number) => `${share} %`,
      pauseAll: 'Pause all uploads',
      resumeAll: 'Resume all uploads',
      resumeNow: 'Resume now',
      pauseUntil: 'Pause until…',
    },
    about: {
      title: 'About Mediadesk',
      version: 'Version',
      platform: 'Platform',
      profile: 'Profile',
      signIn: 'Sign-in stored',
      kept: {
        system: 'in this computer’s keychain',
        memory: 'nowhere; it ends when you close Mediadesk',
        file: 'in a file protected by a passphrase',
      },
    },
    palette: {
      label: 'Commands',
      search: 'Search commands and collections',
      results: 'Results',
      nothing: 'No commands or collections match.',
    },
    shortcuts: {
      title: 'Keyboard shortcuts',
      /** Groups of shortcuts; `mod` is the modifier key, such as `Ctrl+` or `⌘`. */
      groups: (mod: string): [title: string, keys: [keys: string, meaning: string][]][] => [
        [
          'Everywhere',
          [
            [`${mod}K`, 'Commands and collections'],
            [`${mod}F or /`, 'Search items'],
            [`${mod}1, ${mod}2, ${mod}3`, 'Library, uploads, receipts'],
            [`${mod},`, 'Settings'],
            [`${mod}B, ${mod}I`, 'Show or hide sidebar, inspector'],
            [`${mod}+, ${mod}−, ${mod}0`, 'Zoom in, zoom out, actual size'],
            [`${mod}O`, 'Add files'],
            [`${mod}Shift+O`, 'Add a folder'],
            [`${mod}R or F5`, 'Refresh'],
            ['?', 'Keyboard shortcuts'],
          ],
        ],
        [
          'Collections',
          [
            ['↑ ↓ Home End', 'Move'],
            ['→ ←', 'Expand, collapse'],
            ['Enter', 'Show its items'],
            ['Letters', 'Go to a name'],
          ],
        ],
        [
          'Lists',
          [
            ['↑ ↓ Page Home End', 'Move and select'],
            ['Shift + move', 'Select a range'],
            [`${mod}A`, 'Select all'],
            ['Space', 'Add to the selection'],
            ['Alt + ↑ ↓', 'Move uploads in the queue'],
            ['Delete', 'Cancel the selected uploads'],
            [`${mod}Z`, 'Undo cancelling'],
            ['Enter', 'Open the inspector'],
            [`${mod}S`, 'Save changes'],
          ],
        ],
      ],
    },
    drop: {
      choose: 'Drop to choose a collection',
      chooseHint: 'Or drop on a collection in the sidebar.',
      addTo: 'Drop to add to',
    },
  },
});
