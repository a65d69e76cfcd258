import { defineTexts } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';

/** The texts of the inspector about saving, other people's changes and moving between items. */
export const texts = defineTexts({
  en: {
    nav: {
      label: 'Items of the list',
      previous: 'Previous item',
      next: 'Next item',
      place: (index: number, total: number) => `${formatCount(index + 1)} of ${formatCount(total)}`,
    },
    collection: {
      hint: 'Nothing selected. Select an item to see its details.',
      items: 'Items',
      children: 'Subcollections',
      itemsBelow: 'Items in them',
      kind: 'Type',
      podcast: 'Podcast',
      plain: 'Collection',
      slug: 'Slug',
    },
    save: {
      unsaved: 'Not saved yet',
      saving: 'Saving…',
      saved: 'Saved',
      notSaved: (reason: string) => `Not saved: ${reason}`,
      checkFields: 'check the marked fields.',
      gone: 'the library no longer has this item.',
      stored: 'Saved on this computer. Mediadesk sends it automatically.',
      storedOffline: 'Saved on this computer. Sent when you’re online.',
      storedReadOnly: 'Saved on this computer. Sent after the library’s maintenance.',
      storedSignIn: 'Saved on this computer. Sent when you sign in.',
      storedAsks: 'Saved on this computer. An earlier edit of this item needs your decision.',
      showEdits: 'Show edits',
    },
    conflict: {
      changed: 'Someone else changed this while you were editing:',
      nothing: '(empty)',
      mine: 'Keep mine',
      theirs: 'Take theirs',
    },
    rights: {
      ownUntil: (time: string) =>
        `If you created this item, you can edit it until ${time} or until it’s published. Otherwise the library refuses your changes.`,
    },
    embed: {
      title: 'Links and embedding',
      copyPage: 'Copy link to web page',
      pageCopied: 'Link copied.',
      size: 'Player size',
      sizeOf: (width: number, height: number) => `${width} × ${height} pixels`,
      other: 'Other size…',
      width: 'Width in pixels',
      height: 'Height in pixels',
      badSide: (most: number) => `Enter a whole number from 1 to ${formatCount(most)}.`,
      make: 'Get embed code',
      code: 'Embed code',
      copyCode: 'Copy embed code',
      codeCopied: 'Embed code copied.',
      copyPlayer: 'Copy link to player',
      notPublic: 'Viewers see the player only after you publish this item.',
    },
    gone: {
      title: 'This item is no longer in the library',
      text: 'Someone deleted it, or you no longer have access to it.',
      edits: 'Your unsaved changes are still shown below. Copy them if you need them.',
      copy: 'Copy my changes',
      copied: 'Changes copied.',
      check: 'Check again',
      discard: 'Discard changes',
    },
  },
});
