import { defineTexts } from '../../../../kit/text/define-texts.ts';

/** Texts of the stores for searches. */
export const texts = defineTexts({
  en: { presets: { drafts: 'Drafts', 'captions-missing': 'Captions missing' } },
});
