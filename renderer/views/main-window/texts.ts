import { counts } from '../../text/counts.ts';
import { defineTexts, plural } from '../../text/define-texts.ts';
import { formatCount } from '../../text/format.ts';

/** The texts of the main window: sidebar, notices, upload strip and the dialogs of the frame. */
export const texts = defineTexts({
  en: {
    dismiss: 'Dismiss',
    messages: 'Messages',
    sidebar: {
      label: 'Sidebar',
      views: 'Views',
      names: {
        library: 'Library',
        edits: 'Edits',
        uploads: 'Uploads',
        watched: 'Watched folders',
        receipts: 'Receipts',
        settings: 'Settings',
      },
      failed: 'failed',
      inProgress: 'in progress',
      attention: (count: number) => (count === 1 ? 'needs attention' : 'need attention'),
      asking: (count: number) => (count === 1 ? 'needs your decision' : 'need your decision'),
      hide: 'Hide the sidebar',
      show: 'Show the sidebar',
      width: 'Width of the sidebar',
      newCollection: 'New collection…',
      find: 'Find a collection',
      retry: 'Try again',
    },
    account: {
      menu: 'Account',
      menuPrefix: 'Account: ',
      accounts: 'Accounts',
      signedIn: 'Signed in',
      themes: { system: 'Theme: same as system', light: 'Theme: light', dark: 'Theme: dark' },
      refresh: 'Refresh',
      shortcuts: 'Keyboard shortcuts',
      about: 'About Mediadesk',
      signInAgain: 'Sign in again…',
      anotherAccount: 'Sign in to another account…',
      signOut: 'Sign out',
    },
    signOut: {
      title: (account: string) => `Sign out of ${account}?`,
      edits: (count: number, states: string) =>
        `${plural(count, { one: '# edit isn’t', other: '# edits aren’t' })} in the library yet: ${states}.`,
      uploads: (count: number, states: string) =>
        `${plural(count, { one: '# upload isn’t', other: '# uploads aren’t' })} complete: ${states}.`,
      editStates: {
        pending: (count: number) => `${formatCount(count)} not sent`,
        held: (count: number) => `${formatCount(count)} on hold`,
        conflict: (count: number) => `${formatCount(count)} in conflict`,
        refused: (count: number) => `${formatCount(count)} refused`,
      },
      uploadStates: {
        pending: (count: number) => `${formatCount(count)} queued`,
        needsDecision: (count: number) =>
          plural(count, { one: '# needs your decision', other: '# need your decision' }),
        failed: (count: number) => `${formatCount(count)} failed`,
      },
      kept: 'They stay on this computer. After you sign in with this account again, Mediadesk sends those that don’t need your decision.',
      unsaved: (count: number) =>
        plural(count, {
          one: 'Unsaved changes of # item or podcast will be deleted.',
          other: 'Unsaved changes of # items or podcasts will be deleted.',
        }),
      stay: 'Stay signed in',
      confirm: 'Sign out',
    },
    sync: {
      upToDateNow: 'Library up to date',
      upToDate: (time: string) => `Library up to date · ${time} ago`,
      behindNow: 'Library not up to date',
      behind: (time: string) => `Library last updated ${time} ago`,
      syncing: (items: number) => `Syncing · ${counts.items(items)}`,
      syncingOf: (items: number, total: number) => `Syncing ${formatCount(items)} of ${formatCount(total)}`,
      waiting: 'Syncing resumes when the library responds',
      rebuilding: 'The copy of this library was damaged. Syncing again…',
      vanished: (count: number) =>
        plural(count, { one: '# item is no longer in the library.', other: '# items are no longer in the library.' }),
      removeVanished: 'Remove from this computer',
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
    edits: {
      saving: (done: number, total: number) =>
        total === 1 ? 'Saving an edit' : `Saving edits: ${formatCount(done)} of ${formatCount(total)}`,
      waiting: (count: number) => plural(count, { one: '# edit not sent yet', other: '# edits not sent yet' }),
      attention: (count: number) => plural(count, { one: '# edit needs attention', other: '# edits need attention' }),
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
      everywhere: 'Everywhere',
      or: ' or ',
      /** Shortcuts of lists and of the tree; `mod` is the modifier key, such as `Ctrl+` or `⌘`. */
      groups: (mod: string): [title: string, keys: [keys: string, meaning: string][]][] => [
        [
          'Collections',
          [
            ['↑ ↓ Home End', 'Move'],
            ['→ ←', 'Expand, collapse'],
            ['Enter', 'Show its items'],
            ['Letters', 'Go to a name'],
            ['*', 'Expand all beside it'],
            ['F2', 'Rename'],
            ['Shift+↑ ↓', 'Select several'],
            ['Delete', 'Delete…'],
            ['Shift+F10', 'All commands'],
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
            ['Delete', 'Delete items, cancel uploads'],
            ['Escape', 'Deselect'],
            ['Enter', 'Open the inspector'],
            ['→ ←', 'Buttons of the row'],
            ['Shift+F10', 'Menu of the row'],
            [`${mod}S`, 'Save changes'],
          ],
        ],
      ],
    },
    drop: {
      choose: 'Drop to choose a collection',
      chooseHint: 'Or drop on a collection in the sidebar.',
      addTo: 'Drop to add to',
      addToItem: 'Drop to add to the item',
      watch: 'Drop to watch this folder',
      watchHint: 'Mediadesk uploads its new files.',
    },
  },
});
