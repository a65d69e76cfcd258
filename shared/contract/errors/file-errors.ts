import type { CatalogEntry } from './catalog-entry.ts';

/** The part of the error catalog about files on this computer. */
export const FILE_ERRORS = {
  // Local files
  'receipt.not-saved': {
    message: 'The receipt couldn’t be saved there.',
    nextStep: 'Save it in another place. Mediadesk keeps the receipt.',
    disposition: 'permanent',
  },
  'file.missing': {
    message: 'The file doesn’t exist.',
    nextStep: 'Put it back and retry, or cancel the upload.',
    disposition: 'ask',
  },
  'file.not-there': {
    message: 'The file isn’t there any more.',
    nextStep: 'It was moved, renamed or deleted. Look for it in your file manager.',
    disposition: 'permanent',
  },
  'file.drive-gone': {
    message: 'The drive or network share with this file isn’t connected.',
    nextStep: 'Connect it. The upload resumes automatically.',
    disposition: 'wait-disk',
  },
  'file.folder-gone': {
    message: 'The folder with this file doesn’t exist.',
    nextStep: 'Put the folder back and the upload resumes automatically, or cancel the upload.',
    disposition: 'wait-disk',
  },
  'file.disk-hangs': {
    message: 'The drive or network share with this file isn’t responding.',
    nextStep: 'Check the drive or the connection to the share. The upload resumes automatically.',
    disposition: 'wait-disk',
  },
  'file.disk-error': {
    message: 'The drive or network share with this file reported an error.',
    nextStep: 'Check the drive or the connection to the share. The upload resumes when the file can be read.',
    disposition: 'wait-disk',
  },
  'file.read-fault': {
    message: 'Part of the file couldn’t be read, although its drive is connected.',
    nextStep: 'Mediadesk tries again automatically. If this repeats, copy the file to another drive.',
    disposition: 'retry',
  },
  'file.locked': {
    message: 'Another program is using the file.',
    nextStep: 'Mediadesk tries again automatically. If this repeats, close the other program.',
    disposition: 'retry',
  },
  'file.too-many-open': {
    message: 'This computer has too many open files.',
    nextStep: 'Mediadesk tries again automatically.',
    disposition: 'retry',
  },
  'file.name-not-utf8': {
    message: 'Several files here have names that aren’t UTF-8 and look the same, so it’s unclear which one you mean.',
    nextStep: 'Add their folder instead. Mediadesk then uploads each of them.',
    disposition: 'ask',
  },
  'file.unreadable': {
    message: 'Mediadesk can’t read the file.',
    nextStep: 'Check the permissions of the file, then retry.',
    disposition: 'ask',
  },
  'file.empty': {
    message: 'The file is empty, so nothing was sent.',
    nextStep: 'Check the recording.',
    disposition: 'ask',
  },
  'file.not-regular': {
    message: 'This is a device, pipe or socket, not a file with contents.',
    nextStep: null,
    disposition: 'permanent',
  },
  'file.hidden': {
    message: 'Hidden, temporary and system files and folders are skipped.',
    nextStep: 'To upload it, add it on its own.',
    disposition: 'permanent',
  },
  'file.package': {
    message: 'This folder is a package, which macOS shows as one file.',
    nextStep: 'To upload it as a whole, compress it to a ZIP file. To upload files in it, add them on their own.',
    disposition: 'permanent',
  },
  'details.too-large': {
    message: 'This file is too large to describe a recording.',
    nextStep: 'Shorten it: a JSON file may have 4 MB, XML 1 MB and text 64 KB. Or upload it as its own item.',
    disposition: 'permanent',
  },
  'details.encoding': {
    message: 'This file should describe a recording, but it isn’t stored as UTF-8 text.',
    nextStep: 'Save it again as UTF-8, or upload it as its own item.',
    disposition: 'permanent',
  },
  'details.damaged': {
    message: 'This file should describe a recording, but it’s damaged.',
    nextStep: 'Repair its JSON or XML (without a document type), or upload it as its own item.',
    disposition: 'permanent',
  },
  'details.field': {
    message: 'This file describes a recording with a value that an item can’t have.',
    nextStep: 'Correct the named value, or upload the file as its own item.',
    disposition: 'permanent',
  },
  'file.pair-unclear': {
    message: 'It isn’t clear which recording this file belongs to, so it wasn’t added.',
    nextStep: 'Choose its recording, rename it like the recording, or add it on its own.',
    disposition: 'ask',
  },
  'details.entered': {
    message: 'Someone entered other values for the item of this recording, so nothing was changed.',
    nextStep: 'Add the file again in the window and choose to change the item, or edit the item in the library.',
    disposition: 'ask',
  },
  'file.link-broken': {
    message: 'The link points to a file that doesn’t exist.',
    nextStep: null,
    disposition: 'permanent',
  },
  'file.is-link': {
    message: 'This file, or a folder it is in, is a link. Mediadesk doesn’t follow links inside a folder that you add.',
    nextStep: 'Put the file itself there and retry, or add the file or folder that the link points to.',
    disposition: 'ask',
  },
  'file.replaced': {
    message: 'Another file is at this path now, so nothing was sent.',
    nextStep: 'Put the original file back and retry. If the other file is right, choose “Send this file instead”.',
    disposition: 'ask',
  },
  'file.followed': {
    message: 'The file was renamed or moved. Mediadesk found it again.',
    nextStep: null,
    disposition: 'permanent',
  },
  'file.changed': {
    message: 'The file changed while it was being sent.',
    nextStep: 'Mediadesk sends the new contents when the file stops changing.',
    disposition: 'retry',
  },

  // Moving or deleting the local file after its upload
  'source.held': {
    message: 'The file stays in place because its captions, thumbnail or tags aren’t complete.',
    nextStep: 'Retry. When they are complete, Mediadesk moves the file too.',
    disposition: 'ask',
  },
  'source.changed': {
    message: 'The file stays in place because it changed after it was sent.',
    nextStep: 'Check the file. To upload the new contents, add it again.',
    disposition: 'permanent',
  },
  'source.not-removed': {
    message:
      'The file was copied to the folder for uploaded files, but the original was renamed, moved or deleted in the meantime.',
    nextStep: 'Find the original under its new name. Delete it if you only need the copy.',
    disposition: 'permanent',
  },
  'source.not-agreed': {
    message: 'The file stays in place because the library didn’t confirm that it has all of it.',
    nextStep: 'Check the item in the library. The details show the size that the library reports.',
    disposition: 'permanent',
  },
  'source.is-link': {
    message: 'This is a link to a file elsewhere, so it stays in place.',
    nextStep: null,
    disposition: 'permanent',
  },
  'source.folder-missing': {
    message: 'The file stays in place because the folder for uploaded files doesn’t exist.',
    nextStep: 'Create the folder or connect its drive. Mediadesk tries again automatically, or when you retry.',
    disposition: 'retry',
  },
  'source.folder-unwritable': {
    message: 'The file stays in place because Mediadesk isn’t allowed to move it to the folder for uploaded files.',
    nextStep: 'Check the permissions of both folders. Mediadesk tries again automatically, or when you retry.',
    disposition: 'retry',
  },
  'source.in-use': {
    message: 'The file stays in place because another program has it, or a file of the same name, open.',
    nextStep: 'Close the file in the other program. Mediadesk tries again automatically, or when you retry.',
    disposition: 'retry',
  },
  'source.no-space': {
    message: 'The file stays in place because the folder for uploaded files has too little free space.',
    nextStep: 'Free up space there. Mediadesk tries again automatically, or when you retry.',
    disposition: 'retry',
  },
  'source.copy-differs': {
    message:
      'The file stays in place because its copy in the folder for uploaded files was damaged. Mediadesk deleted that copy.',
    nextStep: 'Check the drive of that folder. Mediadesk tries again automatically.',
    disposition: 'retry',
  },
  'trash.unavailable': {
    message: 'The file stays in place because Mediadesk found no trash for its drive.',
    nextStep: 'Delete it yourself, or choose a folder for uploaded files.',
    disposition: 'ask',
  },
} as const satisfies Record<string, CatalogEntry>;
