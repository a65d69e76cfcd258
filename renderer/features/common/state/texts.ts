import { defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';

/** The announcements of the stores of the app. */
export const texts = defineTexts({
  en: {
    undo: 'Undo',
    /** Problems of texts that the user typed for a field of an item or a collection. */
    typed: {
      missing: (field: string) => `Enter a ${field}.`,
      lineTooLong: (field: string, limit: number) => `Use at most ${formatCount(limit)} characters for the ${field}.`,
      htmlTooLong: (field: string, limit: number, excess: number) =>
        `The ${field} has ${formatCount(excess)} characters too many. Use at most ${formatCount(limit)}, with its formatting.`,
      nameTooLong: 'Use 255 characters or fewer.',
      slugMissing: 'Enter a slug, or make one from the name.',
      slugForm: 'Use letters and digits, joined by hyphens.',
    },
    undoHint: (mod: string) => `Press ${mod}Z to undo.`,
    checking: 'Checking your uploads.',
    checkFailed: (message: string, nextStep: string) => `The check failed. ${message} ${nextStep}`.trim(),
    nothingChecked: 'There was nothing to check.',
    checked: (parts: readonly string[]) => `Checked: ${parts.join(', ')}.`,
    problems: (count: number) => plural(count, { one: '# problem', other: '# problems' }),
    warnings: (count: number) => plural(count, { one: '# warning', other: '# warnings' }),
    fine: (count: number) => plural(count, { one: '# check without problems', other: '# checks without problems' }),
  },
});
