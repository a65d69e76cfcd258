import { CircleAlert } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { CHECKED, UNCHECKED } from '../../../../shared/model/grid/cell-text.ts';
import type { GridColumn, RowState } from '../../../../shared/model/grid/grid-model.ts';
import { classes } from '../../../kit/components/button.tsx';
import styles from './grid-editor.module.css';

interface GridRowProps {
  index: number;
  /** Pixels from the top of the rows. */
  top: number;
  height: number;
  columns: readonly GridColumn[];
  /** The indexes of the rendered columns, in their order. */
  shown: readonly number[];
  row: RowState;
  base: readonly string[];
  isReadOnly: boolean;
  /** The first and the last selected column of this row; -1 for none. */
  left: number;
  right: number;
  /** The focused column and its content; -1 for none. */
  focus: number;
  input: ReactNode;
  label: string;
}

/** One row: its number, and a cell for each column. The focused cell contains the field that has the keyboard focus. */
export const GridRowView = memo(function GridRowView(props: GridRowProps) {
  const { index, top, height, columns, shown, row, left, right, focus } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: CSS places the rows, and only visible ones exist
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      data-row={index}
      className={styles.row}
      // Not a transform: the list of choices is anchored to a field of the row, and anchors ignore transforms.
      style={{ height, top }}
      {...(focus >= 0 ? { 'data-focus-row': '' } : {})}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: see the row */}
      <div
        role="rowheader"
        tabIndex={-1}
        aria-colindex={1}
        className={classes(styles.number, left >= 0 && styles.inRange)}
        aria-label={props.label}
      >
        {index + 1}
        {row.problems === null ? null : <CircleAlert size={12} aria-hidden />}
      </div>
      {shown.map((at, place) => {
        const column = columns[at];
        if (column === undefined) return null;
        return (
          <GridCell
            key={column.key}
            column={column}
            at={at}
            isPlaced={at !== place}
            text={row.cells[at] ?? ''}
            problem={row.problems?.[at] ?? null}
            isChanged={row.cells[at] !== props.base[at]}
            isReadOnly={props.isReadOnly || column.readOnly === true}
            isSelected={at >= left && at <= right}
          >
            {at === focus ? props.input : null}
          </GridCell>
        );
      })}
    </div>
  );
});

interface GridCellProps {
  column: GridColumn;
  at: number;
  /** Whether the cell needs an explicit position, because the columns before it are not rendered. */
  isPlaced: boolean;
  text: string;
  problem: string | null;
  isChanged: boolean;
  isReadOnly: boolean;
  isSelected: boolean;
  children: ReactNode;
}

/** The maximum number of characters that are rendered: no cell has room for more. */
const MOST_SHOWN = 300;

function GridCell({ column, at, isPlaced, text, problem, isChanged, isReadOnly, isSelected, children }: GridCellProps) {
  const hasFocus = children !== null;
  const shown = text === '' && problem !== null ? problem : text.slice(0, MOST_SHOWN);
  const icon = problem === null ? null : <CircleAlert size={13} aria-hidden />;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the row
    <div
      role="gridcell"
      tabIndex={-1}
      aria-colindex={at + 2}
      aria-selected={isSelected}
      {...(isPlaced ? { style: { gridColumn: at + 2 } } : {})}
      {...(isReadOnly ? { 'aria-readonly': true } : {})}
      {...(problem === null ? {} : { 'aria-invalid': true, title: problem })}
      className={classes(
        styles.cell,
        isSelected && styles.selected,
        isChanged && styles.changed,
        isReadOnly && styles.readOnly,
        problem !== null && styles.invalid,
        hasFocus && styles.focused,
      )}
    >
      {column.kind === 'check' && problem === null ? (
        hasFocus ? null : (
          <CheckMark isOn={text === CHECKED} />
        )
      ) : hasFocus ? (
        // The field of the cell has the text for screen readers.
        <span aria-hidden className={styles.shown}>
          {icon}
          {shown}
        </span>
      ) : (
        <>
          {icon}
          {shown}
        </>
      )}
      {children}
    </div>
  );
}

/** The box of a `check` cell without the focus. */
export function CheckMark({ isOn }: { isOn: boolean }) {
  return (
    <span className={styles.check} data-on={isOn || undefined}>
      <span className="visually-hidden">{isOn ? CHECKED : UNCHECKED}</span>
    </span>
  );
}
