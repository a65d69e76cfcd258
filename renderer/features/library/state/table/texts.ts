import type { CellProblemCode } from '../../../../../shared/model/manifest/problems.ts';
import { defineTexts, plural } from '../../../../kit/text/define-texts.ts';
import { itemFields } from '../../../../kit/text/item-fields.ts';

/** Problems whose texts in the catalog are about a spreadsheet file. */
const PROBLEMS: Readonly<Partial<Record<CellProblemCode, string>>> = {
  'edit.title-empty': 'Enter a title. Items can’t have an empty one.',
  'edit.too-long': 'This text is too long. Shorten it.',
  'manifest.cant-clear': 'This field can’t be empty. Enter a value, or undo the change.',
  'manifest.status-unknown': 'The status must be draft, scheduled or published. Choose one of these.',
  'manifest.date-passed': 'This publish time is in the past. To publish now, choose “published” and undo the time.',
  'manifest.item-unknown':
    'The library no longer has this item, or your account has no access to it. Undo its changes.',
  'manifest.formula-failed': 'This is the error of a formula. Enter the value.',
};

/** The texts of the table of items. */
export const texts = defineTexts({
  en: {
    columns: { ...itemFields, type: 'Type', length: 'Length', createdOn: 'Added', modifiedOn: 'Changed', id: 'ID' },
    problems: PROBLEMS,
    missing: (count: number) =>
      plural(count, {
        one: '# item isn’t shown, because the library no longer has it.',
        other: '# items aren’t shown, because the library no longer has them.',
      }),
    toCorrect: (count: number) =>
      plural(count, {
        one: '# cell has to be corrected first.',
        other: '# cells have to be corrected first.',
      }),
    leftOut: (count: number) =>
      plural(count, {
        one: '# item was left out. Its changes are still in the table.',
        other: '# items were left out. Their changes are still in the table.',
      }),
    nothing: 'Nothing changes: the library already has these values.',
    label: 'Edit as a table',
  },
});
