import type { CatalogEntry } from './catalog-entry.ts';

/** Errors about the collection of uploads, changes to collections and podcast details, and the copy of a library. */
export const COLLECTION_ERRORS = {
  'collection.unknown': {
    message: 'The library doesn’t have this collection, or your account has no access to it.',
    nextStep:
      'Create the collection or ask for access to it, then retry. Or choose another collection for these uploads.',
    disposition: 'ask',
  },
  'collection.not-created': {
    message: 'The collection of these uploads wasn’t created in the library.',
    nextStep: 'Choose another collection for them, or cancel them.',
    disposition: 'ask',
  },
  'collection.ambiguous': {
    message: 'Several collections of the library match.',
    nextStep: 'Cancel these uploads and add the files again with the ID of one of the collections in the details.',
    disposition: 'ask',
  },
  'collection.changed': {
    message: 'Someone else changed these values in the meantime.',
    nextStep: 'Check the current values, then save again.',
    disposition: 'ask',
  },
  'collection.slug-taken': {
    message: 'Another collection already uses this slug.',
    nextStep: 'Enter another slug.',
    disposition: 'ask',
  },
  'collection.into-itself': {
    message: 'A collection can’t be moved into itself or one of its subcollections.',
    nextStep: 'Choose another collection.',
    disposition: 'permanent',
  },
  'collection.is-root': {
    message: 'The top collection of a library can’t be moved or deleted.',
    nextStep: 'Choose a collection below it.',
    disposition: 'permanent',
  },
  'collection.grew': {
    message: 'The collections now contain more than you confirmed. Nothing was deleted.',
    nextStep: 'Check what the deletion removes now, then confirm again.',
    disposition: 'ask',
  },
  'collection.not-empty': {
    message: 'The collection still contains items, so the library didn’t delete it.',
    nextStep:
      'Refresh and delete it again. If you don’t see any items, ask an administrator: your account may not see all of them.',
    disposition: 'ask',
  },
  'collection.too-many-below': {
    message: 'This collection has too many subcollections to list their items together.',
    nextStep: 'Open one of the subcollections.',
    disposition: 'permanent',
  },
  'collection.not-created-yet': {
    message: 'This collection isn’t in the library yet.',
    nextStep: 'Try again when it has been created.',
    disposition: 'permanent',
  },
  'collection.details-not-stored': {
    message: 'These podcast details aren’t on this computer yet, and the library can’t be reached.',
    nextStep: 'Open them when you’re online. After that you can edit them offline.',
    disposition: 'permanent',
  },
  'collection.not-a-podcast': {
    message: 'This collection isn’t a podcast, so it has no podcast details.',
    nextStep: 'Edit the collection and turn on “This is a podcast”.',
    disposition: 'permanent',
  },
  'library.copy-damaged': {
    message: 'The copy of this library on this computer was damaged, so Mediadesk is making it again.',
    nextStep: 'You can keep working. Lists come directly from the library until the new copy is complete.',
    disposition: 'retry',
  },
  'library.needs-copy': {
    message: 'This filter needs the copy of the library on this computer, which isn’t complete yet.',
    nextStep: 'Wait until the library is up to date, or remove the filter.',
    disposition: 'ask',
  },
  'library.too-many-searches': {
    message: 'You’ve reached the limit of saved searches.',
    nextStep: 'Delete a saved search, then save this one again.',
    disposition: 'ask',
  },
  'library.incomplete-list': {
    message: 'The library’s list of items was incomplete, so Mediadesk kept its copy as it was.',
    nextStep: 'Mediadesk tries again automatically. If this repeats, report it to your administrator.',
    disposition: 'retry',
  },
} as const satisfies Record<string, CatalogEntry>;
