import { type Replacement, replaceText } from '../edits/replace-text.ts';
import { cellText } from './cell-text.ts';
import { change } from './grid-changes.ts';
import { type GridModel, type GridPlace, type GridRange, isReadOnly } from './grid-model.ts';
import { rangeOf, sizeOf } from './grid-selection.ts';

/** The text to find, and the range to search. */
export interface GridSearch {
  find: string;
  matchCase: boolean;
  /** Searches only the selected cells. One selected cell means the whole table. */
  inSelection: boolean;
}

/** A cell that a replacement would change. */
export interface FoundCell extends GridPlace {
  before: string;
  after: string;
}

/** The effect of a replacement. */
export interface ReplacePreview {
  /** Cells that would change. */
  cells: number;
  /** Occurrences in these cells. */
  occurrences: number;
  /** Cells that contain the text and can't be changed. */
  readOnly: number;
  /** The first of the cells that would change. */
  first: FoundCell[];
}

function searched(model: GridModel, { inSelection }: GridSearch): GridRange {
  const selected = rangeOf(model.selection);
  if (inSelection && sizeOf(selected).cells > 1) return selected;
  return { top: 0, left: 0, bottom: model.rows.length - 1, right: model.columns.length - 1 };
}

/** Yields the cells that contain the text, row by row, with the replaced text of each. */
function* matches(
  model: GridModel,
  search: GridSearch,
  replaceWith: string,
): Generator<FoundCell & { count: number }, void, undefined> {
  if (search.find === '') return;
  const { top, left, bottom, right } = searched(model, search);
  const replacement: Replacement = { find: search.find, matchCase: search.matchCase, replaceWith };
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) {
      // A cell with a check box shows no text that a user could find.
      if (model.columns[column]?.kind === 'check') continue;
      const before = model.rows[row]?.cells[column] ?? '';
      const { text, count } = replaceText(before, replacement);
      if (count > 0) yield { row, column, before, after: text, count };
    }
  }
}

/** Returns the effect of a replacement, with the first `most` cells. */
export function previewReplace(
  model: GridModel,
  search: GridSearch,
  replaceWith: string,
  most: number,
): ReplacePreview {
  const preview: ReplacePreview = { cells: 0, occurrences: 0, readOnly: 0, first: [] };
  for (const { count, ...found } of matches(model, search, replaceWith)) {
    const column = model.columns[found.column];
    const after = column === undefined ? found.after : cellText(column, found.after);
    if (isReadOnly(model, found)) preview.readOnly += 1;
    else if (after !== found.before) {
      preview.cells += 1;
      preview.occurrences += count;
      if (preview.first.length < most) preview.first.push({ ...found, after });
    }
  }
  return preview;
}

/** Replaces every occurrence, as one undo step. Read-only cells are counted and not changed. */
export function replaceAll(model: GridModel, search: GridSearch, replaceWith: string): GridModel {
  return change(model, 'replace', (put) => {
    for (const { row, column, after } of matches(model, search, replaceWith)) put(row, column, after);
  });
}

/** Returns the position of the next cell with the text after the focus, else of the first one; null when no cell has it. */
export function findNext(model: GridModel, search: GridSearch): GridPlace | null {
  const { focus } = model.selection;
  let first: GridPlace | null = null;
  for (const { row, column } of matches(model, search, '')) {
    first ??= { row, column };
    if (row > focus.row || (row === focus.row && column > focus.column)) return { row, column };
  }
  return first;
}
