import { defineTexts } from '../../text/define-texts.ts';

/** The texts of grids. */
export const texts = defineTexts({
  en: { empty: 'The list is empty' },
});
