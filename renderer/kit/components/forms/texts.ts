import { defineTexts } from '../../text/define-texts.ts';

/** The texts of form fields. */
export const texts = defineTexts({
  en: {
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
});
