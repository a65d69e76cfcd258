import type { Continued } from '../../shared/contract/sites.ts';
import { counts, defineTexts, plural } from '../kit/text/define-texts.ts';
import { formatCount } from '../kit/text/format.ts';

/** The texts of the main window: sidebar, notices, upload strip and the dialogs of the frame. */
export const texts = defineTexts({
  en: {
    showReport: 'Show in folder',
    dismiss: 'Dismiss',
    /** The landmark of the notices above the view. */
    notices: 'Notices',
    messages: 'Messages',
    restored: {
      title: (library: string) => `${library} was restored from a backup.`,
      text: 'What was added or changed since then may be missing there. Mediadesk changes nothing in this library until you continue. Then your unsent edits wait for you in Edits, unfinished uploads start over, and nothing is removed.',
      edits: 'Show edits',
      goOn: 'Continue',
      done: ({ edits, restarted, failed, folders }: Continued) => {
        const parts = [
          ...(edits > 0 ? [plural(edits, { one: '# edit waits for you', other: '# edits wait for you' })] : []),
          ...(restarted > 0 ? [plural(restarted, { one: '# upload starts over', other: '# uploads start over' })] : []),
          ...(folders > 0
            ? [plural(folders, { one: '# watched folder is paused', other: '# watched folders are paused' })]
            : []),
          ...(failed > 0 ? [plural(failed, { one: '# upload needs a look', other: '# uploads need a look' })] : []),
        ];
        return parts.length === 0 ? 'The library is used again.' : `The library is used again. ${parts.join(', ')}.`;
      },
    },
    fault: {
      title: (name: string) => `“${name}” can’t be shown`,
      text: 'A fault in Mediadesk stopped it. Work in the background, such as uploads, continues. Reload the window. If it happens again, send the report to support.',
      report: 'Report',
      copy: 'Copy report',
      copied: 'Report copied.',
      reload: 'Reload',
      head: (version: string, time: string) => `Mediadesk ${version}, ${time}`,
      place: (name: string) => `Part of the window: ${name}`,
      window: 'Mediadesk',
      dialogs: {
        add: 'Add files',
        addFolder: 'Add a watched folder',
        removeFolder: 'Remove a watched folder',
        cancelUploads: 'Cancel uploads',
        chooseCollection: 'Choose a collection',
        pause: 'Pause until',
        collections: 'Collections',
        searches: 'Saved searches',
        signIn: 'Sign in',
        palette: 'Commands',
        shortcuts: 'Keyboard shortcuts',
        signOut: 'Sign out',
      },
    },
    sidebar: {
      label: 'Sidebar',
      views: 'Views',
      names: {
        library: 'All items',
        calendar: 'Calendar',
        edits: 'Edits',
        uploads: 'Uploads',
        watched: 'Watched folders',
        receipts: 'Receipts',
        settings: 'Settings',
        admin: 'Administration',
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
      administration: 'Administration',
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
      undoing: (left: number) => `Undoing edits: ${formatCount(left)} left`,
      waiting: (count: number) => plural(count, { one: '# edit not sent yet', other: '# edits not sent yet' }),
      attention: (count: number) => plural(count, { one: '# edit needs attention', other: '# edits need attention' }),
    },
    /** Sections of the settings in a dialog. */
    panels: { network: 'Network settings', updates: 'Updates' },
    closePanel: 'Close',
    update: {
      notInstalled: 'The update wasn’t installed',
      withdrawn: 'This version was withdrawn',
    },
    about: {
      title: 'About Mediadesk',
      version: 'Version',
      electron: 'Electron',
      node: 'Node',
      platform: 'Platform',
      profile: 'Profile',
      signIn: 'Sign-in stored',
      kept: {
        system: 'in this computer’s keychain',
        memory: 'nowhere; it ends when you close Mediadesk',
        file: 'in a file protected by a passphrase',
      },
      notices: 'Licenses of included software',
      showNotices: 'Show licenses',
      noNotices: 'This build has no list of licenses: it’s made when Mediadesk is packaged.',
    },
    palette: {
      label: 'Commands',
      search: 'Search commands, settings, collections and items',
      results: 'Results',
      nothing: 'Nothing matches.',
      groups: {
        commands: 'Commands',
        settings: 'Settings',
        collections: 'Collections',
        items: 'Items',
        receipts: 'Uploaded files',
        refused: 'Commands that aren’t available now',
      },
      uploaded: (collection: string, time: string) => (collection === '' ? time : `${collection} · ${time}`),
    },
    shortcuts: {
      title: 'Keyboard shortcuts',
      everywhere: 'Everywhere',
      items: 'Items of the library',
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
            ['Ctrl + move', 'Move without selecting'],
            ['Ctrl+Space', 'Add to the selection'],
            ['Alt + ↑ ↓', 'Move uploads in the queue'],
            ['Delete', 'Delete items, cancel uploads'],
            ['Escape', 'Deselect'],
            ['→ ←', 'Buttons of the row'],
            ['Shift+F10', 'Menu of the row'],
            [`${mod}S`, 'Save changes'],
          ],
        ],
        [
          'Calendar',
          [
            ['← → ↑ ↓', 'Move by days and weeks'],
            ['Page Up, Down', 'Other month or week'],
            ['Enter', 'Go to the items, open one'],
            ['Alt + ← → ↑ ↓', 'Reschedule an item'],
            ['Escape', 'Back to the day'],
          ],
        ],
        [
          'Player and preview',
          [
            ['Alt+↑ ↓ or P N', 'Previous, next item'],
            ['↑ ↓', 'Previous, next item in the preview'],
            ['Space', 'Play, close the preview'],
            ['K', 'Play or pause'],
            ['← → J L', 'Back and forward'],
            ['M C', 'Mute, captions'],
            ['< >', 'Slower, faster'],
            ['F', 'Full screen'],
            ['+ − 0 1', 'Picture: larger, smaller, fit, 100 %'],
            ['Esc', 'Close'],
          ],
        ],
      ],
    },
    links: {
      notSignedIn: (host: string) => `This link leads to ${host}, where you aren’t signed in.`,
      signInFirst: 'Sign in there, then open the link again.',
      unreadable: 'Mediadesk doesn’t understand this link.',
      askForLink: 'Ask for a new one: “Copy link for Mediadesk” in the details of an item.',
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
