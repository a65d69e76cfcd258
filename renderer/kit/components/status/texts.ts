import { defineTexts } from '../../text/define-texts.ts';

/** The texts of errors. */
export const texts = defineTexts({
  en: { tryAgain: 'Try again', details: 'Details', code: 'Code' },
});
