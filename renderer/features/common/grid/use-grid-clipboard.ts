import { type ClipboardEvent, useState } from 'react';
import { clear } from '../../../../shared/model/grid/grid-changes.ts';
import {
  copyCells,
  type PastePlan,
  paste,
  planPaste,
  readClipboard,
  type TextTable,
} from '../../../../shared/model/grid/grid-clipboard.ts';
import { rangeOf, sizeOf } from '../../../../shared/model/grid/grid-selection.ts';
import { TableError } from '../../../../shared/model/table/table-error.ts';
import { announce, warn } from '../state/messages-store.ts';
import { texts } from './texts.ts';
import type { Grid } from './use-grid.ts';

/** A pasted range that is larger than the grid: the user decides what to do. */
export interface PasteQuestion {
  table: TextTable;
  plan: PastePlan;
}

/** Copies, cuts and pastes ranges of cells. While a cell is edited, the clipboard belongs to its text field. */
export function useGridClipboard(grid: Grid) {
  const [question, ask] = useState<PasteQuestion | null>(null);

  const onCopy = (event: ClipboardEvent) => {
    if (grid.editing !== null) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', copyCells(grid.model));
    if (event.type === 'cut') grid.act((model) => clear(model, 'cut'));
    else announce(texts.copied(sizeOf(rangeOf(grid.model.selection)).cells));
  };

  const onPaste = (event: ClipboardEvent) => {
    if (grid.editing !== null) return;
    event.preventDefault();
    // Uses only the plain text: the HTML of spreadsheets contains other cells, and styles.
    const table = tableOf(event.clipboardData.getData('text/plain'));
    if (table === null) return warn(texts.tooLarge, texts.tooLargeNext);
    const plan = planPaste(grid.model, table);
    if (plan.rowsOutside > 0 || plan.columnsOutside > 0) ask({ table, plan });
    else grid.act((model) => paste(model, table));
  };

  const answer = (isConfirmed: boolean) => {
    ask(null);
    if (isConfirmed && question !== null) grid.act((model) => paste(model, question.table));
    else grid.focusInput();
  };
  return { onCopy, onPaste, question, answer };
}

/** null: the text is larger than a table may be. */
function tableOf(text: string): string[][] | null {
  try {
    return readClipboard(text);
  } catch (error) {
    if (error instanceof TableError) return null;
    throw error;
  }
}
