import { defineTexts } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';

/** The texts that the stores of the library show and announce. */
export const texts = defineTexts({
  en: {
    saved: 'Saved.',
    stored: 'Saved on this computer.',
    deleted: 'Item deleted.',
    valueMissing: (field: string) => `Enter a ${field}.`,
    lineTooLong: (field: string, limit: number) => `Use at most ${formatCount(limit)} characters for the ${field}.`,
    htmlTooLong: (field: string, limit: number, excess: number) =>
      `The ${field} has ${formatCount(excess)} characters too many. Use at most ${formatCount(limit)}, with its formatting.`,
    decideFirst: 'Someone else changed this too. Choose a value first.',
    notSavedOther: (title: string) => `The changes of “${title}” aren’t saved.`,
    item: 'The item',
    quoted: (title: string) => `“${title}”`,
    published: (name: string) => `${name} is published.`,
    draft: (name: string) => `${name} is a draft again.`,
    scheduled: (name: string, time: string) => `${name} will be published ${time}.`,
    otherStatus: (name: string, status: string) => `${name}: ${status}.`,
  },
});
