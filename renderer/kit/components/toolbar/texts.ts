import { defineTexts } from '../../text/define-texts.ts';

/** The texts of toolbars. */
export const texts = defineTexts({
  en: { more: (toolbar: string) => `More: ${toolbar}` },
});
