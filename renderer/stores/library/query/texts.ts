import { defineTexts } from '../../../text/define-texts.ts';

/** Names that the stores of searches supply. */
export const texts = defineTexts({
  en: { presets: { drafts: 'Drafts', 'captions-missing': 'Captions missing' } },
});
