import { defineTexts, plural } from '../../text/define-texts.ts';
import { formatCount } from '../../text/format.ts';

const items = (count: number) => plural(count, { one: '# item', other: '# items' });
/** `Changed 400 of 412 items.`, or without the total when it is all of them. */
const ofItems = (verb: string) => (done: number, total: number) =>
  done === total ? `${verb} ${items(total)}.` : `${verb} ${formatCount(done)} of ${items(total)}.`;

/** The texts of messages about edits. */
export const texts = defineTexts({
  en: {
    toast: {
      sending: (count: number) => `Saving changes of ${items(count)}…`,
      waiting: (count: number) => `Changes of ${items(count)} are saved on this computer. Mediadesk sends them later.`,
      show: 'Show',
      showHint: 'Open Edits to see them.',
    },
    outcome: {
      changed: ofItems('Changed'),
      deleted: ofItems('Deleted'),
      restored: ofItems('Restored'),
      left: (count: number) =>
        plural(count, {
          one: '# item was changed by someone else since, so it stays as it is.',
          other: '# items were changed by someone else since, so they stay as they are.',
        }),
      attention: (count: number) =>
        plural(count, { one: '# item needs your attention.', other: '# items need your attention.' }),
    },
    undo: {
      dropped: (count: number) =>
        plural(count, { one: 'Undone. # edit wasn’t sent.', other: 'Undone. # edits weren’t sent.' }),
      undoDropped: 'The undo wasn’t sent yet, so nothing had to be restored.',
      notRestorable: (count: number) =>
        plural(count, { one: '# deleted item can’t be restored.', other: '# deleted items can’t be restored.' }),
      notRestorableNext: 'Upload the recordings again if you need them.',
    },
    changedCount: (count: number) => plural(count, { one: '# edit changed.', other: '# edits changed.' }),
    retried: (count: number) => plural(count, { one: 'Retrying # edit.', other: 'Retrying # edits.' }),
    droppedEdits: (count: number) => plural(count, { one: 'Dropped # edit.', other: 'Dropped # edits.' }),
    resolved: (count: number) => plural(count, { one: 'Decided # edit.', other: 'Decided # edits.' }),
    nothingChanged: 'Nothing to do: these edits changed in the meantime.',
  },
});
