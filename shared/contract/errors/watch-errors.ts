import type { CatalogEntry } from './catalog-entry.ts';

/** The part of the error catalog that is about watched folders. */
export const WATCH_ERRORS = {
  // Adding and editing a watched folder
  'watch.root-not-folder': {
    message: 'This isn’t a folder.',
    nextStep: 'Choose a folder to watch.',
    disposition: 'permanent',
  },
  'watch.root-unreadable': {
    message: 'Mediadesk can’t read this folder.',
    nextStep: 'Check the permissions of the folder. Mediadesk tries again with every sweep.',
    disposition: 'retry',
  },
  'watch.nested': {
    message: 'This folder contains a watched folder, or is inside one.',
    nextStep: 'Choose another folder, or remove the other watched folder first.',
    disposition: 'permanent',
  },
  'watch.move-folder': {
    message:
      'Uploaded files would be moved into a watched folder, or a watched folder is inside the folder for uploaded files.',
    nextStep: 'Choose a folder for uploaded files that is outside all watched folders.',
    disposition: 'permanent',
  },
  'watch.unknown-file': {
    message: 'No watched folder has found this file.',
    nextStep: 'Check the path. A new file is found by the next sweep.',
    disposition: 'permanent',
  },
  'watch.unknown-folder': {
    message: 'This folder isn’t watched.',
    nextStep: 'Refresh the list of watched folders.',
    disposition: 'permanent',
  },

  // The state of a watched folder
  'watch.drive-away': {
    message: 'The drive or network share with this folder isn’t connected.',
    nextStep: 'Connect it. Mediadesk continues automatically and uploads nothing twice.',
    disposition: 'wait-disk',
  },
  'watch.root-missing': {
    message: 'This folder doesn’t exist.',
    nextStep: 'Put the folder back and Mediadesk continues automatically, or remove it from the watched folders.',
    disposition: 'wait-disk',
  },
  'watch.root-moved': {
    message: 'This folder seems to have moved.',
    nextStep: 'Confirm that it’s the same folder. Mediadesk uploads nothing twice.',
    disposition: 'ask',
  },
  'watch.network-drive': {
    message: 'This folder is on a network drive, so only sweeps find new files.',
    nextStep: null,
    disposition: 'permanent',
  },
  'watch.events-limit': {
    message: 'The system can’t report changes in more folders, so only sweeps find new files here.',
    nextStep:
      'Raise the limit, for example: sudo sysctl fs.inotify.max_user_watches=524288. Then pause and resume the folder.',
    disposition: 'ask',
  },
  'watch.events-failed': {
    message: 'The system does not report changes in this folder, so only sweeps find new files.',
    nextStep: null,
    disposition: 'permanent',
  },
  'watch.events-missed': {
    message:
      'The system did not report some new files in this folder, so Mediadesk now finds them by more frequent sweeps.',
    nextStep: null,
    disposition: 'permanent',
  },

  // The state of a file
  'watch.settling': {
    message: 'Mediadesk waits until the file stops changing.',
    nextStep: null,
    disposition: 'permanent',
  },
  'watch.empty': {
    message: 'The file is empty. Mediadesk waits for its contents.',
    nextStep: null,
    disposition: 'permanent',
  },
  'watch.unfinished': {
    message: 'The recording isn’t complete yet.',
    nextStep: 'Mediadesk checks it again automatically. You can also upload it anyway.',
    disposition: 'permanent',
  },
  'watch.open-elsewhere': {
    message: 'Another program has the file open for writing.',
    nextStep: 'Close the other program, or upload the file anyway.',
    disposition: 'ask',
  },
  'watch.incomplete': {
    message: 'The recording is incomplete: its program may have stopped too early.',
    nextStep: 'Check the recording. You can upload it anyway.',
    disposition: 'ask',
  },
  'watch.unreadable': {
    message: 'Mediadesk can’t read the file.',
    nextStep: 'Check the permissions of the file. Mediadesk tries again.',
    disposition: 'retry',
  },
  'watch.is-link': {
    message: 'This is a link. Mediadesk doesn’t follow links in watched folders.',
    nextStep: 'Watch the folder that the link points to, or add the file yourself.',
    disposition: 'permanent',
  },
  'watch.waits-for-sidecar': {
    message: 'The recording waits until its captions, thumbnail or details file stop changing.',
    nextStep: null,
    disposition: 'permanent',
  },
  'watch.waits-for-recording': {
    message: 'This file waits for its recording.',
    nextStep: 'It’s uploaded as an item of its own if no recording with its name arrives within ten minutes.',
    disposition: 'permanent',
  },
  'watch.waits-for-row': {
    message: 'This file waits for its row in manifest.csv or manifest.xlsx.',
    nextStep: 'Without a row, it’s uploaded with the settings of the folder, ten minutes after its last change.',
    disposition: 'permanent',
  },
  'watch.pair-unclear': {
    message: 'Its name doesn’t say which recording this file belongs to.',
    nextStep: 'Rename it like its recording, such as talk.en.vtt for talk.mp4, or upload it as an item of its own.',
    disposition: 'ask',
  },
  'watch.no-details': {
    message: 'This file has the name of a recording, but none of the fields that Mediadesk reads.',
    nextStep: 'Add a field such as “title”, or upload the file as an item of its own.',
    disposition: 'ask',
  },
  'watch.sidecar-late': {
    message:
      'This file arrived after its recording and couldn’t be added to its upload, which was cancelled or already has such a file.',
    nextStep: 'Add it to the item in the library, or upload it as an item of its own.',
    disposition: 'ask',
  },
  'watch.same-contents': {
    message: 'A file with the same contents was uploaded from this folder before.',
    nextStep: null,
    disposition: 'permanent',
  },
  'watch.changed-after-upload': {
    message: 'The file changed after it was uploaded. Mediadesk uploads the new contents.',
    nextStep: 'Delete the earlier item in the library if you don’t need it.',
    disposition: 'permanent',
  },
} as const satisfies Record<string, CatalogEntry>;
