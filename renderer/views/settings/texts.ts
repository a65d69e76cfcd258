import { defineTexts } from '../../text/define-texts.ts';

/** The texts of the settings. */
export const texts = defineTexts({
  en: {
    appearance: {
      title: 'Appearance',
      theme: 'Theme',
      themeHint: 'The sign-in window uses it too.',
      themes: { system: 'Same as system', light: 'Light', dark: 'Dark' },
    },
  },
});
