import { defineTexts } from '../../text/define-texts.ts';

/** What the stores of the library show and announce. */
export const texts = defineTexts({
  en: {
    saved: 'Saved.',
    deleted: 'Item deleted.',
    titleMissing: 'Enter a title.',
    titleTooLong: 'Use at most 1,000 characters for the title.',
    bylineTooLong: 'Use at most 1,000 characters for the byline.',
    item: 'The item',
    quoted: (title: string) => `“${title}”`,
    published: (name: string) => `${name} is published.`,
    draft: (name: string) => `${name} is a draft again.`,
    scheduled: (name: string, time: string) => `${name} will be published ${time}.`,
    otherStatus: (name: string, status: string) => `${name}: ${status}.`,
  },
});
