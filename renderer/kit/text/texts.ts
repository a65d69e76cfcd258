import { counts } from './counts.ts';
import { defineTexts } from './define-texts.ts';

/** The texts that several views use: states, types, limits and times. */
export const texts = defineTexts({
  en: {
    notStarted: 'Mediadesk couldn’t start',
    uploadStates: {
      queued: 'Queued',
      preparing: 'Preparing',
      sending: 'Sending',
      finishing: 'Finishing',
      processing: 'Processing',
      publishing: 'Publishing',
      waiting: 'Waiting',
      paused: 'Paused',
      complete: 'Complete',
      failed: 'Failed',
      cancelled: 'Cancelled',
      skipped: 'Skipped',
    },
    needsDecision: 'Needs decision',
    waitingFor: {
      'wait-network': 'Waiting for the network',
      'wait-site': 'Waiting for the library',
      'wait-keychain': 'Waiting for the keychain',
      'wait-disk': 'Waiting for the drive',
      'sign-in': 'Waiting for you to sign in',
    },
    itemStates: { published: 'Published', scheduled: 'Scheduled', draft: 'Draft' },
    fileStates: {
      uploading: 'Uploading',
      processing: 'Processing',
      complete: 'Complete',
      error: 'Failed',
      aborted: 'Not received',
    },
    types: { audio: 'Audio', video: 'Video', doc: 'Document', image: 'Image', blob: 'File', captions: 'Captions' },
    accountStates: {
      online: 'Online',
      unreachable: 'Unreachable',
      signInRequired: 'Sign-in required',
      signedOut: 'Signed out',
    },
    noFiles: 'No files yet',
    limit: {
      none: 'no limit',
      nothing: 'nothing is sent',
      inBits: (speed: string, megabits: string) => `${speed} (${megabits} Mbit/s)`,
      until: (limit: string, time: string) => `${limit} until ${time}`,
      notANumber: 'Enter a number, such as 2.5.',
      tooSlow: 'Enter at least 1.1 kB/s. Slower transfers would look stalled.',
      tooFast: 'Enter at most 100 GB/s.',
    },
    paused: 'paused',
    pausedUntil: (time: string) => `paused until ${time}`,
    tomorrow: (time: string) => `tomorrow ${time}`,
    pause: {
      hour: (time: string) => `For 1 hour (until ${time})`,
      tonight: (time: string) => `Until tonight ${time}`,
      tomorrow: (time: string) => `Until tomorrow ${time}`,
    },
    unconfirmed: (collection: string) => `${collection} (not confirmed yet)`,
    batch: (collection: string, time: string, files: number) => `${collection} · ${time} · ${counts.files(files)}`,
  },
});
