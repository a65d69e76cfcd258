import { defineTexts, plural } from '../../../kit/text/define-texts.ts';

/** The texts that the stores of the receipts announce. */
export const texts = defineTexts({
  en: {
    saved: (path: string) => `Receipt saved as ${path}.`,
    found: (count: number) => plural(count, { one: '# file found.', other: '# files found.' }),
  },
});
