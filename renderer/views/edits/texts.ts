import { defineTexts, plural } from '../../text/define-texts.ts';
import { formatCount } from '../../text/format.ts';

const items = (count: number) => plural(count, { one: '# item', other: '# items' });

/** The texts of the list of edits. */
export const texts = defineTexts({
  en: {
    title: 'Edits',
    tabs: { label: 'Show', attention: 'Needs attention', pending: 'Not sent', history: 'History' },
    tryAgain: 'Try again',
    back: 'All edits',
    historyOf: 'Changes of',
    undo: 'Undo',
    redo: 'Redo',
    show: 'Show items',
    unnamed: 'Edit',
    collectionChanges: {
      create: 'New collection',
      edit: 'Edit collection',
      podcast: 'Podcast details',
      move: 'Move collection',
      delete: 'Delete collection',
    },
    collections: (count: number) => plural(count, { one: '# collection', other: '# collections' }),
    restore: {
      title: (name: string) => `Restore “${name}” as new?`,
      text: {
        media:
          'Mediadesk creates a new item with the values that this computer knows and your changes. Its files don’t come back, and it starts as a draft.',
        collection:
          'Mediadesk creates a new collection with your changes. The items and collections it contained don’t come back.',
      },
      place: { media: 'Collection', collection: 'In' },
      cancel: 'Cancel',
      confirm: 'Restore as new',
    },
    undoOf: (label: string) => `Undo: ${label}`,
    one: (title: string) => `“${title}”`,
    items,
    untitled: 'Untitled',
    by: {
      sending: (done: number, total: number) => `${formatCount(done)} of ${formatCount(total)} saved`,
      attention: (count: number) => plural(count, { one: '# needs attention', other: '# need attention' }),
      left: (count: number) => plural(count, { one: '# left as it was', other: '# left as they were' }),
      dropped: (count: number) => `${formatCount(count)} dropped`,
      saved: 'Saved',
      undone: 'Undone',
      allDropped: 'Dropped',
    },
    groups: {
      label: 'History of edits',
      columns: { edit: 'Edit', state: 'State', time: 'Time', commands: 'Commands' },
    },
    rows: {
      label: 'Edited items',
      columns: { item: 'Item', changes: 'Changes', state: 'State', commands: 'Commands' },
      more: (count: number) => `+${formatCount(count)}`,
      retry: 'Retry',
      restore: 'Restore as new…',
      drop: 'Drop',
      decide: 'Decide…',
      next: (time: string) => `Next attempt ${time}.`,
    },
    states: {
      pending: 'Not sent yet',
      held: 'On hold',
      conflict: 'Conflict',
      refused: 'Refused',
      done: 'Saved',
      left: 'Left as it was',
      dropped: 'Dropped',
    },
    commands: {
      label: 'Commands for these edits',
      retryAll: 'Retry these',
      sendNow: 'Send now',
      dropAll: 'Drop all…',
    },
    drop: {
      title: (count: number) => plural(count, { one: 'Drop # edit?', other: 'Drop # edits?' }),
      text: 'These edits aren’t sent to the library. They stay in the history, so you can still read and copy them.',
      confirm: 'Drop edits',
    },
    decide: {
      title: (name: string) => `Decide about “${name}”`,
      base: 'When you edited it',
      mine: 'Yours',
      theirs: 'In the library now',
      keepMine: 'Keep mine',
      takeTheirs: 'Take theirs',
      edit: 'Enter another value',
      merge: 'Merge both',
      mergedCleanly: 'Your changes and theirs are in different places, so both are kept.',
      bothChanged: (count: number) =>
        plural(count, {
          one: 'You both changed # place. The text has your words there; theirs are crossed out here.',
          other: 'You both changed # places. The text has your words there; theirs are crossed out here.',
        }),
      nothing: '(nothing)',
      newText: 'New value',
      now: 'Publish now',
      at: 'Publish at another time',
      time: 'Publish at',
      drop: 'Drop this edit',
      sameForAll: (field: string) => `Do the same for all conflicts in “${field}”`,
      sameForHeld: 'Do the same for all edits whose publish time passed',
      confirm: 'Save decision',
      cancel: 'Cancel',
      deleted: 'Deleted',
      oneByOne: (at: number, total: number) => `Field ${at} of ${total}`,
    },
    copy: 'Copy my value',
    empty: {
      attention: {
        title: 'Nothing needs your attention',
        text: 'Edits that the library refused, and conflicts with other people’s changes, appear here.',
      },
      pending: { title: 'All edits are saved', text: 'Edits that wait for a connection appear here.' },
      history: { title: 'No edits yet', text: 'Changes that you make to items appear here, and you can undo them.' },
      entity: {
        title: 'No changes made here',
        text: 'Changes that you make on this computer appear here. Changes by other people don’t.',
      },
      group: { title: 'No items', text: 'These edits are no longer in the history.' },
    },
    notLoaded: 'The edits couldn’t be loaded',
  },
});
