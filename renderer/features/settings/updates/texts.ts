import { defineTexts, plural } from '../../../kit/text/define-texts.ts';

/** The texts of the section about updates. */
export const texts = defineTexts({
  en: {
    title: (version: string) => `Mediadesk ${version}`,
    states: {
      unknown: 'Not checked yet',
      checking: 'Checking…',
      current: 'Mediadesk is up to date',
      available: (version: string) => `Version ${version} is available`,
      downloading: (version: string) => `Downloading version ${version}`,
      ready: (version: string) => `Version ${version} is ready`,
      installing: 'Restarting…',
      refused: 'The update was refused',
      failed: 'The update failed',
      checkFailed: 'The check failed',
    },
    never: 'Mediadesk hasn’t looked for updates yet.',
    last: (time: string) => `Last checked: ${time}`,
    size: (size: string) => `${size} to download. Nothing is installed before you restart.`,
    readyHint: 'The download was verified. The restart takes a few seconds.',
    byPackages: 'Your system’s package manager installs it, with its other updates.',
    cannot: 'This build can’t update itself',
    cannotHint: 'Get new versions from where you got this one.',
    check: 'Check now',
    download: 'Download',
    restart: 'Restart and update…',
    progress: 'Download of the update',
    automatic: 'Look for updates',
    automaticHint:
      'Once a day, while the window is open. Mediadesk fetches a small signed list and sends nothing about you.',
    notes: (version: string) => `New in ${version}`,
    question: (version: string) => `Restart and update to ${version}?`,
    questionText: 'Mediadesk closes, installs the new version, and opens again. The queue and your edits are kept.',
    keep: 'Not now',
    confirm: 'Restart and update',
    starting: 'Mediadesk is still starting.',
    busy: (work: readonly string[]) => `Waits for ${work.join(', ')}.`,
    busyHint: 'Pause the uploads to update earlier.',
    work: {
      uploads: (count: number) => plural(count, { one: '# upload', other: '# uploads' }),
      downloads: (count: number) => plural(count, { one: '# download', other: '# downloads' }),
      edits: (count: number) => plural(count, { one: '# edit', other: '# edits' }),
      sweeps: (count: number) => plural(count, { one: 'the check of # folder', other: 'the check of # folders' }),
    },
  },
});
