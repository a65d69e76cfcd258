import { defineTexts } from '../../kit/text/define-texts.ts';

/** The texts of signing in. */
export const texts = defineTexts({
  en: {
    product: 'Mediadesk',
    claim: 'Every recording in your library. Exactly once.',
    claimHint:
      'Drop a folder and walk away. Mediadesk uploads each file and stays with it until the library has processed it.',
    heading: 'Sign in to your library',
    lead: 'You sign in on your library’s own page. Mediadesk never sees your password.',
    network: 'Network settings…',
    stored: 'Your sign-in is stored only in this computer’s keychain.',
    againTitle: (library: string) => `Sign in to ${library} again`,
    anotherTitle: 'Sign in to another account',
    anotherLead:
      'Add an account of this library or of another one. To add another account of this library, sign in as that person on its page. All accounts share one queue.',
    again: (isSignedOut: boolean, account: string | null) => {
      const why = isSignedOut ? 'You’re signed out of this account.' : 'The library ended your sign-in.';
      const who = account === null ? '' : ` Sign in as ${account}.`;
      return `${why}${who} Your uploads are safe and resume automatically.`;
    },
    form: {
      label: 'Sign in',
      address: 'Library address',
      addressExample: 'media.example.org',
      addressMissing: 'Enter the address of your library.',
      addressMissingHint: 'Use the address from your browser, such as media.example.org.',
      clientId: 'Client ID',
      clientIdHint: 'You get it from your administrator. It identifies Mediadesk to the library.',
      clientIdMissing: 'Enter the client ID.',
      clientIdMissingHint: 'You get it from your administrator.',
      signIn: 'Sign in',
      useBrowser: 'Use my browser instead',
      paste: 'Sign in on another device',
      signedIn: (library: string) => `Signed in to ${library}.`,
    },
    progress: {
      checking: { title: 'Checking the address…', text: 'Mediadesk is connecting to the library.' },
      waiting: { title: 'Waiting for you to sign in', text: 'Continue in the window that opened.' },
      exchanging: { title: 'Signing in…', text: 'You have access. This takes a moment.' },
      inBrowser: 'Continue in your browser. If it didn’t open, copy this address and open it there.',
      elsewhere:
        'Open this address in a browser on any device and sign in. Then enter the code that the last page shows.',
      code: 'Code',
      useCode: 'Continue',
      cancel: 'Cancel',
      cancelling: 'Cancelling…',
      openAddress: 'Sign-in address',
      copy: 'Copy',
      copied: 'Copied',
    },
  },
});
