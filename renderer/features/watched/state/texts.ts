import { defineTexts, plural } from '../../../kit/text/define-texts.ts';

/** The texts that the stores of watched folders announce. */
export const texts = defineTexts({
  en: {
    announced: {
      states: {
        off: (name: string) => `${name} isn’t being watched.`,
        paused: (name: string) => `${name} is paused.`,
        watching: (name: string) => `Mediadesk watches ${name}.`,
        'sweep-only': (name: string) => `Mediadesk finds new files in ${name} by sweeps only.`,
        'waiting-for-drive': (name: string) => `${name} is waiting for its drive.`,
        moved: (name: string) => `${name} seems to have moved. It needs your decision.`,
        unusable: (name: string) => `${name} can’t be read.`,
      },
      incomplete: (count: number, name: string) =>
        plural(count, {
          one: `# recording in ${name} is incomplete and needs your decision.`,
          other: `# recordings in ${name} are incomplete and need your decision.`,
        }),
    },
    sweeping: (name: string) => `Sweeping ${name}.`,
    removed: (name: string) => `${name} is no longer watched. Its files and uploads stay.`,
    uploading: (count: number) => plural(count, { one: '# file queued.', other: '# files queued.' }),
    notThere: 'The file changed meanwhile, so nothing was queued.',
    added: (name: string) => `Mediadesk now watches ${name}.`,
    saved: (name: string) => `Rules of ${name} saved.`,
    restored: (name: string) => `Your unsaved rules of ${name} are still open in Watched folders.`,
    noCollection: 'no collection yet',
    newRule: (number: number) => `Rule ${number}`,
  },
});
