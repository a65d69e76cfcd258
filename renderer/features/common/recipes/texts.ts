import { defineTexts } from '../../../kit/text/define-texts.ts';

/** The texts of the fields for a pattern and its templates. */
export const texts = defineTexts({
  en: {
    pattern: 'Pattern',
    patternHint: '{course} reads text, {n} a number, {date:YYYYMMDD} a date, {*} text to ignore.',
    patternExample: '{date:YYYYMMDD}_{course}_{title}',
    hasUnderscores: 'Read underscores as blanks',
    templates: {
      title: 'Build title',
      byline: 'Build byline',
      description: 'Build description',
      tags: 'Build tags',
    },
    templateHint: 'Leave it empty to keep the field. {now} is its present value.',
    tagsHint: 'Separated by commas. {now} keeps the present tags.',
  },
});
