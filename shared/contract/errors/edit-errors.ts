import type { CatalogEntry } from './catalog-entry.ts';

/** Errors about edits that wait in the journal or were refused by the library. */
export const EDIT_ERRORS = {
  'edit.conflict': {
    message: 'Someone else changed this item in the meantime.',
    nextStep: 'Keep your value, take theirs or enter a new one.',
    disposition: 'ask',
  },
  'edit.deletion-asks': {
    message: 'This changed since you last saw it, so the deletion stopped.',
    nextStep: 'Keep it, or delete it anyway.',
    disposition: 'ask',
  },
  'edit.item-gone': {
    message: 'This item was deleted in the library, or your account no longer has access to it.',
    nextStep: 'Restore the item as a new one, drop the edit, or retry it when the item is back.',
    disposition: 'ask',
  },
  'edit.cant-restore': {
    message: 'This edit no longer waits for a deleted item or collection, so nothing was restored.',
    nextStep: 'Open Edits to see the present state of the edit.',
    disposition: 'ask',
  },
  'edit.publish-time-passed': {
    message: 'The publish time passed before this edit could be sent, so the item wasn’t published.',
    nextStep: 'Publish the item now, choose another time or drop the edit.',
    disposition: 'ask',
  },
  'edit.window-over': {
    message: 'Your account can edit its own items only for 3 hours or until they’re published. This time is over.',
    nextStep: 'Ask an administrator for the permission to edit, then retry. Or drop the edit.',
    disposition: 'ask',
  },
  'edit.needs-update': {
    message: 'Your account isn’t allowed to edit items in this collection.',
    nextStep: 'Ask an administrator for the permission to edit media in this collection, then try again.',
    disposition: 'ask',
  },
  'edit.needs-publish': {
    message: 'Your account isn’t allowed to publish items in this collection.',
    nextStep: 'Ask an administrator for the permission to publish media in this collection, then try again.',
    disposition: 'ask',
  },
  'edit.needs-delete': {
    message: 'Your account isn’t allowed to delete items in this collection.',
    nextStep: 'Ask an administrator for the permission to delete media in this collection, then try again.',
    disposition: 'ask',
  },
  'edit.slow-library': {
    message: 'The library answers so slowly that its values could change before yours arrive, so nothing was sent.',
    nextStep: 'Nothing to do: Mediadesk tries again when the library may answer faster.',
    disposition: 'retry',
  },
  'edit.not-applied': {
    message: 'The library accepted the change, but the item still has its old value.',
    nextStep: 'Check in the library whether a person or a rule changes it back, then retry.',
    disposition: 'ask',
  },
  'edit.unreadable': {
    message: 'This edit is damaged, or a newer version of Mediadesk saved it. It wasn’t sent.',
    nextStep: 'Update Mediadesk, or drop the edit and make it again.',
    disposition: 'ask',
  },
  'edit.left-alone': {
    message: 'Someone changed this value after your edit, so undo left it alone.',
    nextStep: 'Check the item. Edit it if you still want the old value.',
    disposition: 'permanent',
  },
  'edit.dropped-unanswered': {
    message: 'This edit was dropped after a request without an answer, so the library may have the change.',
    nextStep: 'Check the item. Edit it if it has a value that you don’t want.',
    disposition: 'permanent',
  },
  'edit.cant-undo': {
    message: 'This can’t be undone: nothing was changed, or the items were deleted.',
    nextStep: 'Check the items in the library.',
    disposition: 'permanent',
  },
  'edit.cant-redo': {
    message: 'This can’t be done again: it wasn’t undone, or it was done again already.',
    nextStep: 'Make the edit again.',
    disposition: 'permanent',
  },
  'edit.collection-gone': {
    message: 'This collection was deleted in the library, or your account no longer has access to it.',
    nextStep: 'Restore the collection as a new one, or drop the edit.',
    disposition: 'ask',
  },
  'edit.collection-not-created': {
    message: 'This edit needs a collection that wasn’t created in the library.',
    nextStep: 'Choose another collection, or drop the edit.',
    disposition: 'ask',
  },
  'edit.item-unclear': {
    message: 'The library didn’t answer, and Mediadesk can’t tell whether it created one of these new items for you.',
    nextStep: 'Choose the item that is yours, or create a new one.',
    disposition: 'ask',
  },
  'edit.item-unfinished': {
    message: 'The library didn’t answer and may still be creating this item.',
    nextStep: 'Wait two minutes, then try again.',
    disposition: 'ask',
  },
  'edit.creation-unclear': {
    message: 'The library has new collections, and Mediadesk can’t tell whether one of them is yours.',
    nextStep: 'Check the library. If one of them is yours, drop this edit. Otherwise retry to create it.',
    disposition: 'ask',
  },
  'edit.creation-unfinished': {
    message: 'The library didn’t answer and may still be creating this collection.',
    nextStep: 'Nothing to do: Mediadesk looks again within a minute.',
    disposition: 'retry',
  },
  'edit.waits-for-collection': {
    message: 'This edit waits for a new collection that isn’t in the library yet.',
    nextStep: 'Nothing to do: it’s sent when the collection exists.',
    disposition: 'ask',
  },
  'edit.waits-for-decision': {
    message: 'This edit waits for another edit of the same item or collection, which needs you.',
    nextStep: 'Decide about the other edit. This one is sent afterwards, unless the item or collection is deleted.',
    disposition: 'ask',
  },
  'edit.unknown': {
    message: 'This edit doesn’t exist.',
    nextStep: 'Check the ID in the list of edits.',
    disposition: 'permanent',
  },
  'edit.review-over': {
    message: 'This review is no longer available because the items may have changed.',
    nextStep: 'Open the review again.',
    disposition: 'permanent',
  },
  'edit.title-empty': {
    message: 'The title would be empty.',
    nextStep: 'Choose another change, or leave this item out.',
    disposition: 'permanent',
  },
  'edit.too-long': {
    message: 'The new text would be too long.',
    nextStep: 'Choose a shorter text, or leave this item out.',
    disposition: 'permanent',
  },
  'edit.series-too-long': {
    message: 'At most 1,000 items can be scheduled one after another.',
    nextStep: 'Select fewer items.',
    disposition: 'permanent',
  },
  'edit.series-without-time': {
    message: 'The series has no time for each of these items.',
    nextStep: 'Choose another first date, another interval or fewer days without publication.',
    disposition: 'permanent',
  },
  'edit.no-match': {
    message: 'The text of this item doesn’t match the pattern.',
    nextStep: 'Change the pattern, or leave this item out.',
    disposition: 'permanent',
  },
} as const satisfies Record<string, CatalogEntry>;
