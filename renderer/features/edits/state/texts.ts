import { defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';

/** The subject of a group of edits. */
export type EditedKind = 'item' | 'collection';

const things = (count: number, kind: EditedKind) => plural(count, { one: `# ${kind}`, other: `# ${kind}s` });
/** `Moved 400 of 412 items.`, or without the total when it is all of them. */
const ofAll = (verb: string) => (done: number, total: number, kind: EditedKind) =>
  done === total ? `${verb} ${things(total, kind)}.` : `${verb} ${formatCount(done)} of ${things(total, kind)}.`;

/** The texts of messages about edits. */
export const texts = defineTexts({
  en: {
    toast: {
      sending: (count: number, kind: EditedKind) => `Saving changes of ${things(count, kind)}…`,
      waiting: (count: number, kind: EditedKind) =>
        `Changes of ${things(count, kind)} are saved on this computer. Mediadesk sends them later.`,
      show: 'Show',
      showHint: 'Open Edits to see them.',
    },
    outcome: {
      changed: ofAll('Changed'),
      created: ofAll('Created'),
      deleted: ofAll('Deleted'),
      moved: ofAll('Moved'),
      published: ofAll('Published'),
      scheduled: ofAll('Scheduled'),
      unpublished: ofAll('Unpublished'),
      tagged: ofAll('Changed the tags of'),
      files: ofAll('Changed the files of'),
      restored: ofAll('Restored'),
      left: (count: number, kind: EditedKind) =>
        plural(count, {
          one: `# ${kind} was changed again since, so it stays as it is.`,
          other: `# ${kind}s were changed again since, so they stay as they are.`,
        }),
      attention: (count: number, kind: EditedKind) =>
        plural(count, { one: `# ${kind} needs your attention.`, other: `# ${kind}s need your attention.` }),
    },
    restored: (name: string) => `Restored “${name}” as new.`,
    restoredLater: (name: string) => `“${name}” will be created when the library can be reached.`,
    undo: {
      running: 'Undoing changes…',
      dropped: (count: number) =>
        plural(count, { one: 'Undone. # edit wasn’t sent.', other: 'Undone. # edits weren’t sent.' }),
      undoDropped: 'The undo wasn’t sent yet, so nothing had to be restored.',
      notUndoable: (count: number) =>
        plural(count, { one: '# deleted item can’t be restored.', other: '# deleted items can’t be restored.' }),
      notUndoableNext: 'Upload the recordings again if you need them.',
    },
    changedCount: (count: number) => plural(count, { one: '# edit changed.', other: '# edits changed.' }),
    retried: (count: number) => plural(count, { one: 'Retrying # edit.', other: 'Retrying # edits.' }),
    droppedEdits: (count: number) => plural(count, { one: 'Dropped # edit.', other: 'Dropped # edits.' }),
    resolved: (count: number) => plural(count, { one: 'Decided # edit.', other: 'Decided # edits.' }),
    nothingChanged: 'Nothing to do: these edits changed in the meantime.',
  },
});
