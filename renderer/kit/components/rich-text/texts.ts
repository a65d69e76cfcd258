import { defineTexts } from '../../text/define-texts.ts';

/** The texts of the editor of formatted text. */
export const texts = defineTexts({
  en: {
    toolbar: (label: string) => `Formatting of ${label}`,
    commands: {
      bold: 'Bold',
      italic: 'Italic',
      heading: 'Heading',
      bullets: 'Bulleted list',
      numbers: 'Numbered list',
      quote: 'Quotation',
      undo: 'Undo',
      redo: 'Redo',
    },
    link: 'Link…',
    linkAddress: 'Link address',
    linkHint: 'Such as https://example.org',
    badLink: 'Enter a web or e-mail address, such as https://example.org.',
    setLink: 'Set link',
    removeLink: 'Remove link',
    cancel: 'Cancel',
    source: 'Edit as HTML source',
    formatted: 'Edit as formatted text',
    sourceOf: (label: string) => `${label} (HTML source)`,
    lost: (what: readonly string[]) =>
      what.length === 0
        ? 'Shown as HTML source, because its tags are nested in a way that the editor can’t show.'
        : `Shown as HTML source, because the editor can’t show ${what.join(', ')}.`,
    convert: 'Remove this and edit as text',
  },
});
