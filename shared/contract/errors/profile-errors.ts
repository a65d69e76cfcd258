import type { CatalogEntry } from './catalog-entry.ts';

/** Errors about the profile folder. */
export const PROFILE_ERRORS = {
  'profile.in-use': {
    message: 'Mediadesk is already running with this profile.',
    nextStep: 'Use the Mediadesk that is running, or close it first.',
    disposition: 'permanent',
  },
  'profile.damaged': {
    message: 'The upload queue was damaged. Mediadesk saved it unchanged and started a new one.',
    nextStep:
      'Check the library before you add the same recordings again. This message stays until you move the file named here.',
    disposition: 'ask',
  },
  'profile.rows-missing': {
    message: 'Part of the upload queue’s file is lost, so its newest uploads are missing.',
    nextStep: 'Compare your folders with the library and add what is missing.',
    disposition: 'ask',
  },
  'profile.edits-missing': {
    message: 'Part of the file with your edits is lost, so the newest ones are missing.',
    nextStep: 'Check your latest changes in the library and make the missing ones again.',
    disposition: 'ask',
  },
  'profile.row-damaged': {
    message: 'The saved data of this upload is damaged.',
    nextStep: 'Search for the recording in the library. If it isn’t there, add the file again.',
    disposition: 'permanent',
  },
  'profile.setting-unreadable': {
    message: 'Something that you saved in Mediadesk is damaged, so Mediadesk does without it.',
    nextStep: 'Save it again. Mediadesk keeps the damaged text in its profile folder.',
    disposition: 'permanent',
  },
  'profile.store-failing': {
    message: 'Mediadesk can’t read or save its data right now.',
    nextStep: 'Check that the drive is connected and has free space. Uploads and edits resume automatically.',
    disposition: 'retry',
  },
  'profile.disk-full': {
    message: 'The drive with the profile folder is full, so Mediadesk can’t start.',
    nextStep: 'Free up space on the drive, then start Mediadesk again. The queue is unchanged.',
    disposition: 'permanent',
  },
  'profile.not-own': {
    message: 'Mediadesk doesn’t open this profile, because something in it isn’t its own file.',
    nextStep: 'Start Mediadesk as the owner of the profile folder, move the file away, or choose another folder.',
    disposition: 'permanent',
  },
  'profile.unwritable': {
    message: 'Mediadesk can’t save anything in the profile folder.',
    nextStep: 'Check that you can write to the folder and that the drive has free space, then start Mediadesk again.',
    disposition: 'permanent',
  },
  'profile.newer': {
    message: 'A newer version of Mediadesk has used this profile.',
    nextStep: 'Update Mediadesk.',
    disposition: 'permanent',
  },
} as const satisfies Record<string, CatalogEntry>;
