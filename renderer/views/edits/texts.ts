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
    undo: 'Undo',
    show: 'Show items',
    unnamed: 'Edit',
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
      group: { title: 'No items', text: 'These edits are no longer in the history.' },
    },
    notLoaded: 'The edits couldn’t be loaded',
  },
});
