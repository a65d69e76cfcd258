import type { CatalogEntry } from './catalog-entry.ts';

/** Errors about the address of a library, about signing in and out, and about the keychain. */
export const SIGN_IN_ERRORS = {
  'site.address-invalid': {
    message: 'This isn’t a web address.',
    nextStep: 'Enter the address of your library, such as https://media.example.org.',
    disposition: 'permanent',
  },
  'site.address-insecure': {
    message: 'This address isn’t encrypted (http), so others could read your password.',
    nextStep: 'Use the https:// address of your library.',
    disposition: 'permanent',
  },
  'site.unreachable': {
    message: 'There’s no answer from this address.',
    nextStep: 'Check the address and your network connection, then try again.',
    disposition: 'wait-network',
  },
  'site.not-a-library': {
    message: 'This address belongs to a website, but not to a media library.',
    nextStep: 'Check the address, or ask your administrator for the address of the library.',
    disposition: 'permanent',
  },
  'site.moved': {
    message: 'This library has moved to another address.',
    nextStep: 'Sign in with the new address.',
    disposition: 'permanent',
  },
  'site.unknown': {
    message: 'This library isn’t set up on this computer.',
    nextStep: 'Sign in to the library first.',
    disposition: 'ask',
  },
  'sign-in.denied': {
    message: 'Access was denied on the sign-in page.',
    nextStep: 'To use this library with Mediadesk, sign in again and choose “Approve”.',
    disposition: 'permanent',
  },
  'sign-in.failed': {
    message: 'The library reported a problem while you were signing in.',
    nextStep: 'Try again. If it fails again, ask your administrator to check the client ID.',
    disposition: 'permanent',
  },
  'sign-in.window-closed': {
    message: 'The sign-in window was closed before you finished signing in.',
    nextStep: 'Sign in again when you’re ready.',
    disposition: 'permanent',
  },
  'sign-in.cancelled': {
    message: 'You cancelled the sign-in.',
    nextStep: 'Sign in again when you’re ready.',
    disposition: 'permanent',
  },
  'sign-in.timed-out': {
    message: 'The sign-in took too long.',
    nextStep: 'Sign in again.',
    disposition: 'permanent',
  },
  'sign-in.state-mismatch': {
    message: 'The response didn’t belong to this sign-in, so Mediadesk rejected it.',
    nextStep: 'Sign in again. If this repeats, someone may be tampering with your connection: tell your administrator.',
    disposition: 'permanent',
  },
  'sign-in.code-refused': {
    message: 'The library didn’t accept the sign-in code.',
    nextStep: 'Sign in again. Each code works once, for a short time.',
    disposition: 'permanent',
  },
  'sign-in.port-taken': {
    message: 'Mediadesk found no free local port to receive the sign-in.',
    nextStep: 'Close programs that use many local ports, then try again.',
    disposition: 'permanent',
  },
  'sign-in.not-waiting': {
    message: 'No sign-in is waiting for a code.',
    nextStep: 'Start the sign-in again, then enter the code of its page.',
    disposition: 'permanent',
  },
  'sign-in.in-progress': {
    message: 'Another sign-in is already open.',
    nextStep: 'Finish or cancel it first.',
    disposition: 'permanent',
  },
  'site.restored': {
    message: 'The library was restored from a backup. What was added or changed since then may be missing there.',
    nextStep:
      'Mediadesk changes nothing in it until you decide. Look at the library and your unsent edits, then choose “Continue” in the notice, or run “mediadesk sites continue”.',
    disposition: 'sign-in',
  },
  'sign-in.required': {
    message: 'You’re not signed in to this library.',
    nextStep: 'Sign in. Your uploads resume automatically.',
    disposition: 'sign-in',
  },
  'sign-out.unsent': {
    message: 'Edits or uploads of this account aren’t in the library yet, so you weren’t signed out.',
    nextStep:
      'Send or drop them first, or sign out with --yes: they stay on this computer and are sent after your next sign-in.',
    disposition: 'permanent',
  },
  'keychain.unavailable': {
    message: 'Mediadesk found no keychain on this computer.',
    nextStep:
      'You can sign in, but only until you close Mediadesk. To stay signed in, install a Secret Service (such as GNOME Keyring) or use the passphrase-protected file. Waiting uploads resume when the keychain is available or when you sign in again.',
    disposition: 'wait-keychain',
  },
  'keychain.locked': {
    message: 'The keychain isn’t responding. It may be locked.',
    nextStep: 'Unlock your keychain. Waiting uploads resume automatically.',
    disposition: 'wait-keychain',
  },
  'keychain.passphrase-exposed': {
    message: 'Other users of this computer can read the passphrase file.',
    nextStep: 'Change its permissions, for example with “chmod 600 FILE”.',
    disposition: 'permanent',
  },
  'keychain.wrong-passphrase': {
    message: 'The passphrase doesn’t match the protected sign-in file.',
    nextStep: 'Check the passphrase, or delete the file and sign in again.',
    disposition: 'sign-in',
  },
} as const satisfies Record<string, CatalogEntry>;
