import { defineTexts } from '../../text/define-texts.ts';

/** The texts of dialogs and menus. */
export const texts = defineTexts({
  en: {
    /** The button of a question that changes nothing. */
    keep: 'Keep',
    /** The button that closes a form without a change. */
    cancel: 'Cancel',
    /** For screen readers, after the label of a checked menu item. */
    chosen: ', selected',
  },
});
