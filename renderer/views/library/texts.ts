import { defineTexts } from '../../text/define-texts.ts';

/** The texts of the library view. */
export const texts = defineTexts({
  en: {
    inspector: {
      label: 'Inspector',
      width: 'Width of the inspector',
      show: 'Show the inspector',
      hide: 'Hide the inspector',
    },
  },
});
