import { type GridColumn, type GridModel, type GridRow, type GridSelection, withRows } from './grid-model.ts';

/**
 * Returns the table with other columns at its end. The columns before them, and the user's changes in these, are kept. Users can
 * change cells only in the columns before them, so every action can still be undone. `base`: the rows with a cell for each
 * new column.
 */
export function withLastColumns(model: GridModel, columns: readonly GridColumn[], base: readonly GridRow[]): GridModel {
  const last = columns.length - 1;
  const within = ({ anchor, extent, focus }: GridSelection): GridSelection => ({
    anchor: { ...anchor, column: Math.min(anchor.column, last) },
    extent: { ...extent, column: Math.min(extent.column, last) },
    focus: { ...focus, column: Math.min(focus.column, last) },
  });
  const next = withRows({ ...model, columns }, base);
  const steps = (all: GridModel['undos']) =>
    all.map((step) => ({ ...step, before: within(step.before), after: within(step.after) }));
  return { ...next, selection: within(next.selection), undos: steps(next.undos), redos: steps(next.redos) };
}
