import { defineTexts } from '../text/define-texts.ts';

/** The texts of components that know no state. */
export const texts = defineTexts({
  en: {
    /** The texts of form fields. */
    forms: {
      clear: 'Clear',
      on: 'On',
      off: 'Off',
      limit: {
        none: 'No limit',
        atMost: 'At most',
        nothing: 'Send nothing',
        value: (label: string) => `${label}: value`,
        unit: (label: string) => `${label}: unit`,
      },
      time: {
        past: 'This time is in the past, so it means now.',
        missing: 'Enter a date and time.',
        calendar: 'Choose in a calendar',
        monthBefore: 'Previous month',
        monthAfter: 'Next month',
        zone: 'Time zone',
        showZones: 'Show time zones',
        noZone: 'No time zone has this name.',
        twice: 'Clocks are set back, so this time occurs twice',
        skipped: 'Clocks are set forward, so this time doesn’t occur. Use instead',
        choose: 'Choose one of the two times.',
        inZone: (time: string, offset: string) => `${time} (${offset})`,
        alsoAt: (here: string, utc: string) => `${here} here · ${utc}`,
      },
      stepper: { less: (label: string) => `${label}: one less`, more: (label: string) => `${label}: one more` },
      tags: {
        remove: (tag: string) => `Remove tag ${tag}`,
        add: 'Add a tag…',
        known: 'Known tags',
        none: 'No tags yet',
        list: (tags: readonly string[]) => `Tags: ${tags.join(', ')}`,
      },
    },
    /** The texts of grids. */
    list: {
      empty: 'The list is empty',
    },
    /** The texts of dialogs and menus. */
    overlay: {
      /** The button of a question that changes nothing. */
      keep: 'Keep',
      /** The button that closes a form without a change. */
      cancel: 'Cancel',
      /** The button of a dialog that has no other. */
      close: 'Close',
      /** For screen readers, after the label of a checked menu item. */
      chosen: ', selected',
    },
    /** The texts of the editor of formatted text. */
    richText: {
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
    /** The texts of errors. */
    status: {
      tryAgain: 'Try again',
      details: 'Details',
      code: 'Code',
    },
    /** The texts of toolbars. */
    toolbar: {
      more: (toolbar: string) => `More: ${toolbar}`,
    },
  },
});
