import type { CatalogEntry } from './catalog-entry.ts';

/** The part of the error catalog about files on this computer. */
export const FILE_ERRORS = {
  // Local files
  'receipt.not-saved': {
    message: 'The receipt could not be saved there.',
    nextStep: 'Save it in another place. What it tells is kept in any case.',
    disposition: 'permanent',
  },
  'file.missing': {
    message: 'The file is not there any more.',
    nextStep: 'Put it back and retry, or cancel the upload.',
    disposition: 'ask',
  },
  'file.drive-gone': {
    message: 'The drive or share with this file is not connected.',
    nextStep: 'Connect it again: Mediadesk then continues automatically.',
    disposition: 'wait-disk',
  },
  'file.folder-gone': {
    message: 'The folder with this file is not there.',
    nextStep: 'Put the folder back, and Mediadesk continues automatically; or cancel the upload.',
    disposition: 'wait-disk',
  },
  'file.disk-hangs': {
    message: 'The drive or share with this file does not answer.',
    nextStep: 'Check the drive or the connection to the share: Mediadesk goes on when it answers.',
    disposition: 'wait-disk',
  },
  'file.disk-error': {
    message: 'The drive or share with this file reported a fault.',
    nextStep: 'Check the drive or the connection to the share: Mediadesk goes on when the file can be read.',
    disposition: 'wait-disk',
  },
  'file.read-fault': {
    message: 'The drive is there, but a part of the file could not be read.',
    nextStep: 'Mediadesk tries again later; copy the file to another drive if this repeats.',
    disposition: 'retry',
  },
  'file.locked': {
    message: 'Another program holds the file.',
    nextStep: 'Nothing to do: Mediadesk tries again later. Close the other program if this repeats.',
    disposition: 'retry',
  },
  'file.too-many-open': {
    message: 'The computer has too many files open to open another.',
    nextStep: 'Nothing to do: Mediadesk tries again later.',
    disposition: 'retry',
  },
  'file.name-not-utf8': {
    message:
      'Several files here have names that are not UTF-8 and look the same, so it is not clear which one is meant.',
    nextStep: 'Add the folder that holds them: then each of them is taken.',
    disposition: 'ask',
  },
  'file.unreadable': {
    message: 'The file can’t be read.',
    nextStep: 'Check the permissions of the file and retry.',
    disposition: 'ask',
  },
  'file.empty': {
    message: 'The file is empty.',
    nextStep: 'Nothing was sent; check the recording.',
    disposition: 'ask',
  },
  'file.not-regular': {
    message: 'This is not a file with contents (a device, pipe or socket).',
    nextStep: null,
    disposition: 'permanent',
  },
  'file.hidden': {
    message: 'Hidden and temporary files are left out.',
    nextStep: 'Add the file by itself if you want it.',
    disposition: 'permanent',
  },
  'file.link-broken': {
    message: 'The link points to nothing.',
    nextStep: null,
    disposition: 'permanent',
  },
  'file.followed': {
    message: 'The file was renamed or moved; Mediadesk follows it.',
    nextStep: null,
    disposition: 'permanent',
  },
  'file.changed': {
    message: 'The file changed while it was being sent, so that attempt was thrown away.',
    nextStep: 'Nothing to do: Mediadesk sends the new contents when the file is quiet.',
    disposition: 'retry',
  },

  // Moving or deleting the local file after its upload
  'source.held': {
    message: 'The file stays where it is, because something that belongs to it did not get through.',
    nextStep: 'Retry: when captions, thumbnail and tags are there, the file is moved too.',
    disposition: 'ask',
  },
  'source.changed': {
    message: 'The file is not the one that was sent any more, so it stays where it is.',
    nextStep: 'Look at the file; add it again if the library should have what it is now.',
    disposition: 'permanent',
  },
  'source.not-removed': {
    message: 'The file was copied to the folder for uploaded files, but the original is not where it was.',
    nextStep:
      'Somebody renamed, moved or deleted it meanwhile. Look for it under another name and delete it if the copy is enough.',
    disposition: 'permanent',
  },
  'source.not-agreed': {
    message: 'The library does not confirm that it has the whole file, so the file stays where it is.',
    nextStep: 'Look at the item in the library; its size there stands in the details.',
    disposition: 'permanent',
  },
  'source.is-link': {
    message: 'This is a link to a file that lies elsewhere, so it stays where it is.',
    nextStep: null,
    disposition: 'permanent',
  },
  'source.folder-missing': {
    message: 'The folder for uploaded files is not there, so the file stays where it is.',
    nextStep: 'Make the folder or connect its drive; Mediadesk tries again, and so does a retry.',
    disposition: 'retry',
  },
  'source.folder-unwritable': {
    message: 'The file can’t be moved or put into the folder for uploaded files, so it stays where it is.',
    nextStep: 'Check the permissions of both folders; Mediadesk tries again, and so does a retry.',
    disposition: 'retry',
  },
  'source.no-space': {
    message: 'There is not enough room in the folder for uploaded files, so the file stays where it is.',
    nextStep: 'Make room there; Mediadesk tries again, and so does a retry.',
    disposition: 'retry',
  },
  'source.copy-differs': {
    message: 'The copy in the folder for uploaded files was not equal, so it was thrown away and the file stays.',
    nextStep: 'Check that drive; Mediadesk tries again.',
    disposition: 'retry',
  },
  'trash.unavailable': {
    message: 'There is no trash that Mediadesk could use, so the file stays where it is.',
    nextStep: 'Delete it yourself, or choose a folder for uploaded files.',
    disposition: 'ask',
  },
} as const satisfies Record<string, CatalogEntry>;
