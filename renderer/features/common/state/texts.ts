import { defineTexts, plural } from '../../../kit/text/define-texts.ts';

/** The announcements of the stores of the app. */
export const texts = defineTexts({
  en: {
    undo: 'Undo',
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
