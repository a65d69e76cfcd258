import type { GridAction } from '../../../../shared/model/grid/grid-model.ts';
import { counts, defineTexts, plural } from '../../../kit/text/define-texts.ts';
import { formatCount } from '../../../kit/text/format.ts';

const cells = (count: number) => plural(count, { one: '# cell', other: '# cells' });
const columns = (count: number) => plural(count, { one: '# column', other: '# columns' });

const DONE: Readonly<Record<GridAction, string>> = {
  edit: 'Changed',
  paste: 'Pasted',
  cut: 'Cut',
  clear: 'Cleared',
  fill: 'Filled',
  replace: 'Replaced text in',
  revert: 'Restored',
  undo: 'Undid the changes of',
  redo: 'Redid the changes of',
};

/** The texts of the grid editor. */
export const texts = defineTexts({
  en: {
    rowNumbers: 'Row',
    readOnly: 'Read-only',
    place: (row: number, total: number, column: string) =>
      `${column}, row ${formatCount(row)} of ${formatCount(total)}`,
    selected: (rowCount: number, columnCount: number) => `${counts.rows(rowCount)} × ${columns(columnCount)} selected`,
    changed: (count: number) => `${cells(count)} changed`,
    unchanged: 'No changes',
    problems: (count: number) => plural(count, { one: '# cell to correct', other: '# cells to correct' }),
    nextProblem: 'Go to the next cell to correct',
    done: (action: GridAction, count: number) =>
      count === 0 ? 'Nothing changed.' : `${DONE[action]} ${cells(count)}.`,
    skipped: (count: number) =>
      plural(count, { one: '# read-only cell was skipped.', other: '# read-only cells were skipped.' }),
    outside: (count: number) =>
      plural(count, { one: '# cell didn’t fit into the table.', other: '# cells didn’t fit into the table.' }),
    copied: (count: number) => `Copied ${cells(count)}.`,
    isReadOnly: 'You can’t change this cell.',
    tools: 'Table',
    menu: {
      label: 'Commands for the selected cells',
      edit: 'Edit cell',
      cut: 'Cut',
      copy: 'Copy',
      clear: 'Clear',
      revert: 'Restore first values',
      fillDown: 'Fill down',
      fillRight: 'Fill right',
      rows: 'Select whole rows',
      columns: 'Select whole columns',
      problem: 'Go to the next cell to correct',
      sortUp: 'Sort rows by this column',
      sortDown: 'Sort rows in reverse',
    },
    undo: 'Undo',
    redo: 'Redo',
    fillDown: 'Fill down',
    fillRight: 'Fill right',
    findReplace: 'Find and replace',
    resize: (column: string) => `Width of ${column}`,
    choices: (column: string) => `Choices for ${column}`,
    tooLarge: 'The clipboard contains too much text for a table.',
    tooLargeNext: 'Copy fewer cells at a time.',
    paste: {
      title: 'Paste a larger table?',
      text: (rowsOutside: number, columnsOutside: number) => {
        const parts = [
          ...(rowsOutside > 0 ? [counts.rows(rowsOutside)] : []),
          ...(columnsOutside > 0 ? [columns(columnsOutside)] : []),
        ];
        return `${parts.join(' and ')} of what you copied won’t fit below and beside the selected cell. Only the rest will be pasted.`;
      },
      confirm: 'Paste what fits',
      cancel: 'Cancel',
    },
    find: {
      label: 'Find and replace',
      find: 'Find',
      replaceWith: 'Replace with',
      matchCase: 'Match case',
      inSelection: 'In selection',
      next: 'Find next',
      replaceAll: (count: number) => (count === 0 ? 'Replace' : `Replace in ${cells(count)}`),
      close: 'Close find and replace',
      none: 'No cell contains this text.',
      count: (occurrences: number, count: number) =>
        `${plural(occurrences, { one: '# occurrence', other: '# occurrences' })} in ${cells(count)}`,
      readOnly: (count: number) => plural(count, { one: '# match is read-only', other: '# matches are read-only' }),
      more: (count: number) => plural(count, { one: 'and # more', other: 'and # more' }),
      preview: 'Preview',
    },
  },
});
