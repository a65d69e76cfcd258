import type { CatalogEntry } from './catalog-entry.ts';

const WAIT = 'Nothing was installed. Try again tomorrow; if it repeats, tell the people you got Mediadesk from.';

/** Errors about updates of the app. */
export const UPDATE_ERRORS = {
  'update.not-available': {
    message: 'This build of Mediadesk can’t update itself.',
    nextStep: 'Get new versions from where you got this one.',
    disposition: 'permanent',
  },
  'update.address-insecure': {
    message: 'The address for updates isn’t encrypted, so Mediadesk doesn’t use it.',
    nextStep: 'Tell the people you got Mediadesk from.',
    disposition: 'permanent',
  },
  'update.unreachable': {
    message: 'Mediadesk can’t reach the server for updates.',
    nextStep: 'Check your connection. Mediadesk looks again tomorrow, or when you choose “Check now”.',
    disposition: 'wait-network',
  },
  'update.no-feed': {
    message: 'The server for updates has no list of versions for this system.',
    nextStep: WAIT,
    disposition: 'permanent',
  },
  'update.feed-too-large': {
    message: 'The list of versions is too large, so Mediadesk didn’t read it.',
    nextStep: WAIT,
    disposition: 'permanent',
  },
  'update.feed-malformed': {
    message: 'The list of versions is damaged or was changed.',
    nextStep: WAIT,
    disposition: 'permanent',
  },
  'update.feed-unsigned': {
    message: 'The list of versions isn’t signed.',
    nextStep: WAIT,
    disposition: 'permanent',
  },
  'update.signature-wrong': {
    message: 'The list of versions isn’t signed by the makers of Mediadesk, or was changed afterwards.',
    nextStep:
      'Nothing was installed. If this repeats, someone may be tampering with your connection: tell your administrator.',
    disposition: 'permanent',
  },
  'update.other-system': {
    message: 'The list of versions is for another system.',
    nextStep: WAIT,
    disposition: 'permanent',
  },
  'update.feed-expired': {
    message: 'The list of versions is too old to be trusted.',
    nextStep: 'Check this computer’s date. If it’s right, try again tomorrow. Nothing was installed.',
    disposition: 'permanent',
  },
  'update.feed-in-future': {
    message: 'The list of versions is dated in the future.',
    nextStep: 'Check this computer’s date, then choose “Check now”. Nothing was installed.',
    disposition: 'permanent',
  },
  'update.feed-replayed': {
    message: 'The list of versions is older than one that Mediadesk has seen before.',
    nextStep: WAIT,
    disposition: 'permanent',
  },
  'update.own-version-blocked': {
    message: 'This version of Mediadesk was withdrawn and doesn’t update itself.',
    nextStep: 'Install the newest version yourself, from where you got this one.',
    disposition: 'permanent',
  },
  'update.version-older': {
    message: 'The list names only an older version. Mediadesk never installs an older version.',
    nextStep: WAIT,
    disposition: 'permanent',
  },
  'update.version-blocked': {
    message: 'The new version was withdrawn.',
    nextStep: 'Nothing to do: Mediadesk offers the next version when there is one.',
    disposition: 'permanent',
  },
  'update.version-too-new': {
    message: 'This version of Mediadesk is too old to install the new one itself.',
    nextStep: 'Install the newest version yourself, from where you got this one.',
    disposition: 'permanent',
  },
  'update.no-package': {
    message: 'There is a new version, but no file of it for this system.',
    nextStep: WAIT,
    disposition: 'permanent',
  },
  'update.file-name-refused': {
    message: 'The list of versions leads to another place than its own, so Mediadesk doesn’t use it.',
    nextStep: WAIT,
    disposition: 'permanent',
  },
  'update.download-cut': {
    message: 'The download of the new version ended early.',
    nextStep: 'Check your connection, then choose “Download” again.',
    disposition: 'wait-network',
  },
  'update.file-differs': {
    message: 'The downloaded file isn’t the one that the makers of Mediadesk signed, so it was deleted.',
    nextStep: WAIT,
    disposition: 'permanent',
  },
  'update.disk-full': {
    message: 'There isn’t enough free space for the new version.',
    nextStep: 'Free some space, then choose “Download” again.',
    disposition: 'ask',
  },
  'update.target-read-only': {
    message: 'Mediadesk can’t be replaced where it is: the folder is read-only.',
    nextStep: 'Move Mediadesk to a folder that you can write to, or ask your administrator to update it.',
    disposition: 'ask',
  },
  'update.busy': {
    message: 'The update waits because something is still running.',
    nextStep: 'Wait until it has ended, or pause the uploads.',
    disposition: 'ask',
  },
  'update.not-installed': {
    message: 'The update couldn’t be installed. Mediadesk started again in the version it had.',
    nextStep: 'Choose “Download” to try again, or install the new version yourself.',
    disposition: 'ask',
  },
} as const satisfies Record<string, CatalogEntry>;
