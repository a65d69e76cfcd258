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
      label: (label: string, zone: string) => `${label} (${zone})`,
      past: 'This time is in the past, so it means now.',
      missing: 'Enter a date and time.',
    },
    stepper: { less: (label: string) => `${label}: one less`, more: (label: string) => `${label}: one more` },
    tags: {
      remove: (tag: string) => `Remove tag ${tag}`,
      add: 'Add a tag…',
      none: 'No tags yet',
      list: (tags: readonly string[]) => `Tags: ${tags.join(', ')}`,
    },
  },
});
