import { counts, defineTexts, plural } from '../../kit/text/define-texts.ts';
import { formatCount } from '../../kit/text/format.ts';

/** The texts of the uploads view, its rows, and its dialogs. */
export const texts = defineTexts({
  en: {
    title: 'Uploads',
    add: 'Add uploads',
    tabsLabel: 'Show uploads',
    tabs: {
      all: 'All',
      active: 'Active',
      waiting: 'Waiting',
      'needs-decision': 'Needs decision',
      failed: 'Failed',
      complete: 'Complete',
    },
    tabWithCount: (tab: string, count: number) => `${tab} (${formatCount(count)})`,
    loadFailed: 'Mediadesk can’t read the queue',
    someLoadFailed: 'Some uploads couldn’t be loaded.',
    tryAgain: 'Try again',
    uploads: counts.uploads,
    left: (time: string) => `${time} left`,
    toSend: (bytes: string) => `${bytes} to send`,

    commands: {
      label: 'All uploads',
      retryFailed: 'Retry failed',
      clearCompleted: 'Clear completed',
      pauseAll: 'Pause all',
      resumeAll: 'Resume all',
      resumeNow: 'Resume now',
    },

    empty: {
      active: [
        'Nothing is being sent',
        'Uploads appear here while Mediadesk sends them or the library processes them.',
      ],
      waiting: [
        'Nothing is waiting',
        'Uploads appear here before their turn, while paused, and before they try again.',
      ],
      'needs-decision': [
        'No decisions needed',
        'Files that the library already has appear here until you skip them or upload them anyway.',
      ],
      failed: ['Nothing failed', 'Failed uploads appear here with the reason.'],
      complete: ['Nothing is complete yet', 'Uploads appear here when the library has processed them.'],
      showAll: 'Show all uploads',
      zoneTitle: 'Drop recordings here',
      zoneText:
        'Files or whole folders. Before anything is sent, you choose the collection, titles, tags and publication.',
      chooseFiles: 'Choose files…',
      chooseFolder: 'Choose a folder…',
    } as const,

    chooseCollection: {
      title: (name: string) => `Choose another collection for “${name}”`,
      label: 'Collection',
      confirm: 'Upload here',
    },
    batch: {
      /** For screen readers, in front of the name. */
      header: 'Batch',
      expand: (name: string) => `Expand ${name}`,
      collapse: (name: string) => `Collapse ${name}`,
      added: (when: string) => `Added ${when}`,
      complete: (complete: number, total: number) =>
        complete === total
          ? plural(total, { one: 'Complete', other: 'All # complete' })
          : `${formatCount(complete)} of ${formatCount(total)} complete`,
      failed: (count: number) => plural(count, { one: '# failed', other: '# failed' }),
      needsDecision: (count: number) => plural(count, { one: '# needs your decision', other: '# need your decision' }),
      cancelled: (count: number) => plural(count, { one: '# cancelled', other: '# cancelled' }),
      skipped: (count: number) => plural(count, { one: '# skipped', other: '# skipped' }),
      progress: (name: string) => `Progress of the batch ${name}`,
      paused: 'Paused',
      pause: (name: string) => `Pause ${name}`,
      resume: (name: string) => `Resume ${name}`,
      more: (name: string) => `More for the batch ${name}`,
      menu: {
        pause: 'Pause batch',
        resume: 'Resume batch',
        retry: 'Retry failed',
        next: 'Send next',
        chooseCollection: 'Choose another collection…',
        skipAll: 'Skip all duplicates',
        uploadAll: 'Upload all duplicates anyway',
        selectAll: 'Select all',
        only: 'Collapse other batches',
        receipt: 'Open receipt',
        collection: (name: string) => `Open ${name}`,
        clear: 'Clear completed',
        remove: 'Remove from list',
        cancel: 'Cancel batch…',
      },
      skippedRow: (count: number) => plural(count, { one: '1 file was skipped', other: '# files were skipped' }),
      showSkipped: 'Show',
      hideSkipped: 'Hide',
    },

    selection: {
      label: 'Selected uploads',
      count: (count: number) => plural(count, { one: '1 selected', other: '# selected' }),
      deselect: 'Deselect',
      duplicates: (count: number) => plural(count, { one: 'Duplicate', other: 'Duplicates' }),
      duplicatesTitle: (count: number) =>
        plural(count, { one: '1 file is already in the library', other: '# files are already in the library' }),
      skip: 'Skip',
      uploadAnyway: 'Upload anyway',
      sendNext: 'Send next',
      priority: 'Priority',
      retry: 'Retry',
      sendReplaced: (count: number) =>
        plural(count, { one: 'Send this file instead', other: 'Send these files instead' }),
      pause: 'Pause',
      resume: 'Resume',
      remove: 'Remove from list',
      cancel: (count: number) => plural(count, { one: 'Cancel upload…', other: 'Cancel uploads…' }),
    },

    decisions: {
      bar: (count: number) =>
        plural(count, { one: '1 file is already in the library.', other: '# files are already in the library.' }),
      skipAll: (count: number) => plural(count, { one: 'Skip', other: 'Skip all' }),
      uploadAll: (count: number) => plural(count, { one: 'Upload anyway', other: 'Upload all anyway' }),
    },

    row: {
      followed: (path: string, from: string) => `${path} (moved from ${from})`,
      loading: 'Loading',
      priorities: { high: 'High', normal: 'Normal', low: 'Low' },
      prioritySuffix: ' priority',
      withPriority: (word: string) => `${word} priority`,
      progress: (name: string) => `Progress of ${name}`,
      percent: (percent: number) => `${percent} %`,
      action: (action: string, name: string) => `${action} ${name}`,
      more: (name: string) => `More for ${name}`,
      pause: 'Pause',
      resume: 'Resume',
      retry: 'Retry',
      tryNow: 'Try now',
      cancel: 'Cancel upload…',
      remove: 'Remove from list',
      uploadAnyway: 'Upload anyway',
      skip: 'Skip',
      sendReplaced: 'Send this file instead',
      sendNext: 'Send next',
      useItem: (title: string) => `Use “${title}”`,
      useIt: 'Use it',
      newItem: 'New item',
      createItem: 'Create a new item',
      untitled: 'Untitled',
      openCollection: (name: string) => `Open ${name}`,
      createdOn: (when: string) => ` (created ${when})`,
      itemQuestion: (count: number) =>
        plural(count, { one: 'Is this item from this upload?', other: 'Is one of these items from this upload?' }),
      note: {
        allSent: 'all sent, finishing',
        attempt: (count: number) => `attempt ${count}`,
        processing: 'the library is processing it',
        finishing: 'sent, waiting for the library',
        attemptFailed: (count: number) => `attempt ${count} failed`,
        attemptFailedThen: (count: number, then: string) => `attempt ${count} failed, ${then}`,
        tryingNow: 'trying again now',
        nextTry: (time: string) => `next try in ${time}`,
      },
    },

    duplicate: {
      untitled: 'an item without a title',
      exists: 'Already in this collection: ',
      existsIn: (collection: string) => `Already in ${collection}: `,
      sameContents: 'same contents',
      sameTitleAndSize: 'same title and size',
      similar: 'similar, of the same size',
      uploaded: (sameness: string, when: string) => `${sameness}, uploaded ${when}`,
      fromHere: 'You uploaded it with Mediadesk.',
      fromElsewhere: 'It came into the library another way.',
    },

    followUps: {
      names: {
        captions: 'Captions',
        thumbnail: 'Thumbnail',
        tags: 'Tags',
        details: 'Details file',
        publish: 'Publication',
        'old-file': 'Replaced file',
        source: 'File on this computer',
      },
      done: {
        captions: 'Captions sent',
        thumbnail: 'Thumbnail sent',
        tags: 'Tags set',
        details: 'Details file used',
        publish: 'Published',
        'old-file': 'Old file deleted',
        source: 'File moved to the trash',
      },
      pending: {
        captions: 'Captions pending',
        thumbnail: 'Thumbnail pending',
        tags: 'Tags pending',
        details: 'Details file pending',
        publish: 'Publication pending',
        'old-file': 'Old file is deleted next',
        source: 'File move pending',
      },
      failed: {
        captions: 'Captions not sent',
        thumbnail: 'Thumbnail not sent',
        tags: 'Tags missing',
        details: 'Details file not used',
        publish: 'Saved as a draft',
        'old-file': 'Old file not deleted',
        source: 'File not moved',
      },
      movedTo: (folder: string) => `File moved to ${folder}`,
      guessed: (encoding: string) => `Captions sent, read as ${encoding}: a guess, check their letters`,
      sentence: (what: string, state: string, reason: string) => `${what}: ${state}.${reason}`,
    },

    cancel: {
      keep: (count: number) => plural(count, { one: 'Keep upload', other: 'Keep uploads' }),
      confirm: (count: number) => plural(count, { one: 'Cancel upload', other: 'Cancel uploads' }),
    },

    pause: {
      title: 'Pause all uploads',
      plain: 'Until I resume',
      other: 'Until a time…',
      confirm: 'Pause',
      until: 'Until',
      past: 'This time is in the past. Choose a later one.',
      hint: (time: string) =>
        `Mediadesk sends nothing until ${time}. Then the uploads resume automatically, even after a restart.`,
    },

    details: {
      action: 'Edit details…',
      title: (count: number) => `Edit details of ${counts.uploads(count)}`,
      table: 'Details of uploads',
      hint: 'The library gets these details when it creates the items.',
      problems: (count: number) => plural(count, { one: 'Correct # marked cell.', other: 'Correct # marked cells.' }),
      cancel: 'Cancel',
      save: (count: number) => (count === 0 ? 'Save' : `Save ${counts.uploads(count)}`),
      discardTitle: 'Discard your changes?',
      discardText: (count: number) =>
        plural(count, { one: 'You changed the details of # upload.', other: 'You changed the details of # uploads.' }),
      keep: 'Keep editing',
      discard: 'Discard',
    },
  },
});
