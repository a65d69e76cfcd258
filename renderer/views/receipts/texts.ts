import { defineTexts } from '../../text/define-texts.ts';

/** The texts of the receipts view. */
export const texts = defineTexts({
  en: {
    back: 'Back to the batches',
    toolbar: 'Receipt',
  },
});
